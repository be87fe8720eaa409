import type { Named } from "../chain/accounts.ts";
import { findingsMax, type Hit } from "../verdict.ts";
import type { Reader, Slice } from "./abi.ts";
import type { KnownFunction } from "./effects.ts";
import { type TransactionRule, transactionRules } from "./rules.ts";

export type Argument = { type: string; value: string | null };

/** One call of the decoded tree. Addresses are lower case; long and composite arguments show as null. */
export type Call = {
  to: string | null;
  selector: string | null;
  function: string | null;
  valueWei: string;
  arguments: Argument[];
  calls: Call[];
};

/** What a whole transaction's calldata tells. */
export type Walk = {
  /** The calldata in lower-case hex with its prefix. */
  text: string;
  chainId: number | null;
  named: Named;
  hits: Hit[];
  /** The amounts of tokens that would be approved or moved; null when nobody asks for them. */
  amounts: Amount[] | null;
  /** The functions called; null when nobody asks for them. */
  called: Set<KnownFunction> | null;
};

/** `token` is null where the calldata does not tell it, `at` is where its word stands: only a declared amount asks for its value. */
export type Amount = { use: "approve" | "move"; token: string | null; at: number };

/** `frames` are those of the calls inside, by their depth less one. */
export type State = Walk & {
  reader: Reader;
  callsLeft: number;
  frames: Frame[];
  /** How often each rule was found, by its number. */
  counts: number[];
};

/** Where a call goes, with what, and its calldata. */
export type Inner = { to: string | null; value: bigint; start: number; end: number; isDelegate: boolean };

/** A call that is being looked at. */
export type Frame = Inner & {
  depth: number;
  parent: Frame | null;
  /** Which of its parent's calls this is. */
  index: number;
  /** The rules found in this call so far, a bit for each. */
  said: number[];
};

export function rootFrame(to: string | null, value: bigint, { start, end }: Slice): Frame {
  return { to, value, start, end, isDelegate: false, depth: 0, parent: null, index: 0, said: unsaid() };
}

/**
 * The frame of the next call inside `parent`, empty as yet. The frame of a depth serves all calls there, one after the
 * other: only one of them is looked at at a time.
 */
export function innerFrame({ frames }: State, parent: Frame, call: Call): Frame {
  let frame = frames[parent.depth];
  if (frame === undefined) {
    frame = { ...parent, depth: parent.depth + 1, parent, said: unsaid() };
    frames.push(frame);
  }
  frame.index = call.calls.length;
  for (let at = 0; at < SAID_LENGTH; at++) frame.said[at] = 0;
  return frame;
}

/**
 * Once for each call, and of each rule no more than a reply ever shows: repeating a call thousands of times says nothing
 * new.
 */
export function hit(state: State, frame: Frame, rule: TransactionRule): void {
  const number = NUMBERS[rule];
  const [at, bit] = [Math.floor(number / SAID_BITS), 1 << (number % SAID_BITS)];
  const said = frame.said[at] ?? 0;
  if ((said & bit) !== 0) return;
  frame.said[at] = said | bit;
  const count = state.counts[number] ?? 0;
  if (count === findingsMax) return;
  state.counts[number] = count + 1;
  state.hits.push({ rule: transactionRules[rule], field: fieldOf(frame) });
}

/** Engines keep integers of 30 bits without allocating. */
const SAID_BITS = 30;
const RULES = Object.keys(transactionRules);
const SAID_LENGTH = Math.ceil(RULES.length / SAID_BITS);
// The keys of a record are those that its type has, and no others.
const NUMBERS = Object.fromEntries(RULES.map((rule, number) => [rule, number])) as Record<TransactionRule, number>;

const unsaid = (): number[] => Array<number>(SAID_LENGTH).fill(0);

/** A call inside is named as in the reply's `normalized.calls`. */
function fieldOf(frame: Frame): string {
  if (frame.parent === null) return "data";
  const above = frame.parent.parent === null ? "calls[0]" : fieldOf(frame.parent);
  return `${above}.calls[${frame.index}]`;
}

/** Most calls carry none: they share an empty list. */
export function addCall(call: Call, inner: Call): void {
  if (call.calls === NO_CALLS) call.calls = [inner];
  else call.calls.push(inner);
}

export const NO_ARGUMENTS: Argument[] = [];
export const NO_CALLS: Call[] = [];
Object.freeze(NO_ARGUMENTS);
Object.freeze(NO_CALLS);

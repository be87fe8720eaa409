import type { Named } from "../chain/accounts.ts";
import { findingsMax, type Hit } from "../verdict.ts";
import type { Reader, Slice } from "./abi.ts";
import type { KnownFunction } from "./effects.ts";
import { type TransactionRule, transactionRules } from "./rules.ts";

export type Argument = { type: string; value: string | null };

/** A call in the decoded tree. Addresses are lower case. `value` of a long or composite argument is null. */
export type Call = {
  to: string | null;
  selector: string | null;
  function: string | null;
  valueWei: string;
  arguments: Argument[];
  calls: Call[];
};

/** The state of scanning the calldata of one transaction. */
export type Walk = {
  /** The calldata in lower-case hex with its prefix. */
  text: string;
  chainId: number | null;
  named: Named;
  hits: Hit[];
  /** The token amounts that would be approved or moved, or null when no amount was declared. */
  amounts: Amount[] | null;
  /** The functions called, or null when no function was declared. */
  called: Set<KnownFunction> | null;
};

/**
 * `token` is null when the calldata does not name it. `at` is the offset of the amount's word, which is only decoded
 * for a declared amount.
 */
export type Amount = { use: "approve" | "move"; token: string | null; at: number };

/** `frames` has one frame per depth of inner calls, from depth 1. */
export type State = Walk & {
  reader: Reader;
  callsLeft: number;
  frames: Frame[];
  /** By the number of a rule: how often it was found. */
  counts: number[];
};

/** The destination and value of a call, and the range of its calldata. */
export type Inner = { to: string | null; value: bigint; start: number; end: number; isDelegate: boolean };

/** A call being scanned. */
export type Frame = Inner & {
  depth: number;
  parent: Frame | null;
  /** Its index among the calls of the parent. */
  index: number;
  /** Whether the call sets up a new account: nothing is taken from anybody yet. */
  isSetup: boolean;
  /** Whether a router makes the call, by a command: it acts with what it was given. */
  isCommand: boolean;
  /** The rules found in this call, as a bit set. */
  said: number[];
};

export function rootFrame(to: string | null, value: bigint, { start, end }: Slice): Frame {
  return {
    to,
    value,
    start,
    end,
    isDelegate: false,
    depth: 0,
    parent: null,
    index: 0,
    isSetup: false,
    isCommand: false,
    said: unsaid(),
  };
}

/**
 * An empty frame for the next call inside `parent`. All calls of one depth share a frame: only one of them is scanned
 * at a time.
 */
export function innerFrame({ frames }: State, parent: Frame, call: Call): Frame {
  let frame = frames[parent.depth];
  if (frame === undefined) {
    frame = { ...parent, depth: parent.depth + 1, parent, said: unsaid() };
    frames.push(frame);
  }
  frame.index = call.calls.length;
  frame.isSetup = parent.isSetup;
  frame.isCommand = parent.isCommand;
  for (let index = 0; index < SAID_LENGTH; index++) frame.said[index] = 0;
  return frame;
}

/** Adds a hit, once per call and rule, and per rule no more often than an answer shows. */
export function hit(state: State, frame: Frame, rule: TransactionRule): void {
  const number = NUMBERS[rule];
  const [index, bit] = [Math.floor(number / SAID_BITS), 1 << (number % SAID_BITS)];
  const reportedBits = frame.said[index] ?? 0;
  if ((reportedBits & bit) !== 0) return;
  frame.said[index] = reportedBits | bit;
  const count = state.counts[number] ?? 0;
  if (count === findingsMax) return;
  state.counts[number] = count + 1;
  state.hits.push({ rule: transactionRules[rule], field: fieldOf(frame) });
}

/** 30 bits per number: engines store these integers without allocating. */
const SAID_BITS = 30;
const RULES = Object.keys(transactionRules);
const SAID_LENGTH = Math.ceil(RULES.length / SAID_BITS);
// The type has exactly the keys of the record.
const NUMBERS = Object.fromEntries(RULES.map((rule, number) => [rule, number])) as Record<TransactionRule, number>;

const unsaid = (): number[] => Array<number>(SAID_LENGTH).fill(0);

/** The path of a call, as in `normalized.calls` of the answer. */
function fieldOf(frame: Frame): string {
  if (frame.parent === null) return "data";
  const above = frame.parent.parent === null ? "calls[0]" : fieldOf(frame.parent);
  return `${above}.calls[${frame.index}]`;
}

/** Appends an inner call. Calls without any share one empty list. */
export function addCall(call: Call, inner: Call): void {
  if (call.calls === NO_CALLS) call.calls = [inner];
  else call.calls.push(inner);
}

export const NO_ARGUMENTS: Argument[] = [];
export const NO_CALLS: Call[] = [];
Object.freeze(NO_ARGUMENTS);
Object.freeze(NO_CALLS);

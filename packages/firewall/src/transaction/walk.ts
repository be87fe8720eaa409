import type { Named } from "../chain/accounts.ts";
import { findingsMax, type Hit } from "../verdict.ts";
import type { Reader } from "./abi.ts";
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

export type State = Walk & {
  reader: Reader;
  callsLeft: number;
  /** How often a rule was found. */
  counts: Map<TransactionRule, number>;
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
  /** The rules found in this call. */
  said: TransactionRule[];
};

/** The frame of a call that `parent` makes, or of the transaction's own. Written out: spreading objects is several times slower. */
export const frameOf = ({ to, value, start, end, isDelegate }: Inner, parent: Frame | null, index: number): Frame => ({
  to,
  value,
  start,
  end,
  isDelegate,
  depth: parent === null ? 0 : parent.depth + 1,
  parent,
  index,
  isSetup: parent?.isSetup ?? false,
  isCommand: parent?.isCommand ?? false,
  said: [],
});

/** Adds a hit, once per call and rule, and per rule no more often than an answer shows. */
export function hit({ counts, hits }: State, frame: Frame, rule: TransactionRule): void {
  const count = counts.get(rule) ?? 0;
  if (frame.said.includes(rule) || count === findingsMax) return;
  frame.said.push(rule);
  counts.set(rule, count + 1);
  hits.push({ rule: transactionRules[rule], field: fieldOf(frame) });
}

/** The path of a call, as in `normalized.calls` of the answer. */
function fieldOf(frame: Frame): string {
  if (frame.parent === null) return "data";
  const above = frame.parent.parent === null ? "calls[0]" : fieldOf(frame.parent);
  return `${above}.calls[${frame.index}]`;
}

import { type AbiType, typesOf } from "./abi.ts";
import { type TransactionRule, transactionRules } from "./rules.ts";

/** A place among the decoded arguments. "*" is every item of an array. */
export type Path = readonly (number | "*")[];

/** An effect of a known function that the scanner judges. */
export type Effect =
  | { is: "rule"; rule: TransactionRule }
  /**
   * Without `token`, the called contract is the token. Permit2 stores amounts in 160 bits. `mayBeOne`: in a collection, the
   * amount is the number of a single token.
   */
  | { is: "approval"; amount: Path; spender: Path; token?: Path; bits: 160 | 256; mayBeOne?: true }
  /** An allowance over a single token of a collection, which has no amount. */
  | { is: "oneApproval"; spender: Path }
  /** All or nothing, as in DAI's permit. */
  | { is: "fullApproval"; allowed: Path; spender: Path }
  | { is: "operator"; operator: Path; allowed?: Path; isLimited?: true }
  /** `isRouted`: Uniswap's routers read the recipients 0, 1 and 2 as the caller or the router itself. */
  | { is: "transfer"; to: Path; amount?: Path; token?: Path; isRouted?: true }
  /** A payment in addition to the function's purpose, unless the word at `price` is zero. */
  | { is: "refund"; price: Path; token: Path; to: Path; amount?: Path }
  | { is: "claim" }
  /** Sets the contract that handles calls to functions the account does not have. */
  | { is: "handler"; at: Path; isSetup?: true }
  /** Sets the code of an account. */
  | { is: "code"; at: Path }
  | { is: "delegates"; to: Path }
  /**
   * `to`, `value`, `data` and `operation` are indexes of members of each item. Without `to`, the called contract calls itself,
   * and an item may be the calldata alone.
   */
  | {
      is: "calls";
      each: Path;
      to?: number;
      value?: number;
      data: number;
      operation?: number;
      isDelegate?: true;
      /** An item with the zero address as `to` calls nothing. */
      isOptional?: true;
      /** The calls set up a new account. */
      isSetup?: true;
      /** The items are ERC-4337 operations. */
      isOperation?: true;
    }
  | { is: "parallel"; to: number; value?: number; data: number }
  /** Gnosis MultiSend's packed transactions. */
  | { is: "multiSend"; data: number }
  /** ERC-7579: the first byte of the mode is the encoding of the data. */
  | { is: "mode"; mode: number; data: number }
  /** Bytes passed to the account at `to`, which may be a call. */
  | { is: "handOver"; to: number; data: number }
  /** Uniswap's Universal Router: one byte per command. */
  | { is: "commands"; commands: number; inputs: number };

export type EffectOf<Kind extends Effect["is"]> = Extract<Effect, { is: Kind }>;

export type KnownFunction = {
  selector: string;
  signature: string;
  /** Lower case. */
  name: string;
  types: AbiType[];
  effects: readonly Effect[];
  isPayable: boolean;
};

/**
 * Reads a table of functions. An entry has selectors, each with its signature, an arrow, and on the same line the effects, which are
 * all that the functions have in common: names of rules, `payable`, and the kinds below, each with its places. The place `1.*.0` is member
 * 0 of every item of argument 1. A place that is left out is the arguments as a whole, or not known.
 */
export function functionsOf(prefix: string, ...tables: string[]): KnownFunction[] {
  return [...tables.join("\n").matchAll(/([^>]+)->(.*)/g)].flatMap(([, list = "", said = ""]) => {
    const words = said.trim().split(" ");
    const effects = words.filter((word) => word !== "none" && word !== "payable").map(effectOf);
    return [...list.matchAll(/(\w+) (\S+)/g)].map(([, selector = "", signature = ""]) => ({
      selector: `${prefix}${selector}`,
      signature,
      name: signature.slice(0, signature.indexOf("(")).toLowerCase(),
      types: typesOf(signature),
      effects,
      isPayable: words.includes("payable"),
    }));
  });
}

function effectOf(word: string): Effect {
  const [kind = "", ...places] = word.split(":");
  const paths = places.map(
    (place): Path => (place ? place.split(".").map((step) => (step === "*" ? step : +step)) : []),
  );
  const build = kinds[kind];
  if (build) return build(...paths);
  if (isRule(kind)) return { is: "rule", rule: kind };
  throw new Error(`Neither a kind of effects nor a rule: ${word}`);
}

const isRule = (name: string): name is TransactionRule => Object.hasOwn(transactionRules, name);

/** A place that is the index of a member. */
const index = (path: Path): number => Number(path[0]);

const kinds: Readonly<Record<string, (...paths: Path[]) => Effect>> = {
  allowance: (amount = [], spender = [], token) => ({
    is: "approval",
    amount,
    spender,
    ...(token && { token }),
    bits: 256,
  }),
  allowance160: (amount = [], spender = [], token = []) => ({ is: "approval", amount, spender, token, bits: 160 }),
  allowanceOrOne: (amount = [], spender = []) => ({ is: "approval", amount, spender, bits: 256, mayBeOne: true }),
  oneApproval: (spender = []) => ({ is: "oneApproval", spender }),
  fullApproval: (allowed = [], spender = []) => ({ is: "fullApproval", allowed, spender }),
  operator: (operator = [], allowed) => ({ is: "operator", operator, ...(allowed && { allowed }) }),
  operatorOfOne: (operator = [], allowed = []) => ({ is: "operator", operator, allowed, isLimited: true }),
  transfer,
  routed: (...paths) => ({ ...transfer(...paths), isRouted: true }),
  refund: (price = [], token = [], to = [], amount) => ({ is: "refund", price, token, to, ...(amount && { amount }) }),
  claim: () => ({ is: "claim" }),
  setupHandler: (at = []) => ({ is: "handler", at, isSetup: true }),
  code: (at = []) => ({ is: "code", at }),
  delegates: (to = []) => ({ is: "delegates", to }),
  calls: (each = [], data = [], to, value, operation) => ({
    is: "calls",
    each,
    ...(to && { to: index(to) }),
    ...(value && { value: index(value) }),
    data: index(data),
    ...(operation && { operation: index(operation) }),
  }),
  operations: (each = []) => ({ is: "calls", each, to: 0, data: 3, isOperation: true }),
  setupCall: () => ({ is: "calls", each: [], to: 2, data: 3, isDelegate: true, isOptional: true, isSetup: true }),
  /** Targets are the first argument. */
  parallel: (data = [], value) => ({ is: "parallel", to: 0, ...(value && { value: index(value) }), data: index(data) }),
  multiSend: (data = []) => ({ is: "multiSend", data: index(data) }),
  mode: (mode = [], data = []) => ({ is: "mode", mode: index(mode), data: index(data) }),
  handOver: (to = [], data = []) => ({ is: "handOver", to: index(to), data: index(data) }),
  commands: (commands = [], inputs = []) => ({ is: "commands", commands: index(commands), inputs: index(inputs) }),
};

function transfer(to: Path = [], amount?: Path, token?: Path): EffectOf<"transfer"> {
  return { is: "transfer", to, ...(amount && { amount }), ...(token && { token }) };
}

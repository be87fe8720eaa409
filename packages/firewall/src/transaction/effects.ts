import { type AbiType, typesOf } from "./abi.ts";
import type { TransactionRule } from "./rules.ts";

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

export type KnownFunction = {
  selector: string;
  signature: string;
  /** Lower case. */
  name: string;
  types: AbiType[];
  effects: readonly Effect[];
  isPayable: boolean;
};

export const defineFunction = (
  selector: string,
  signature: string,
  effects: readonly Effect[],
  isPayable = false,
): KnownFunction => ({
  selector,
  signature,
  name: signature.slice(0, signature.indexOf("(")).toLowerCase(),
  types: typesOf(signature),
  effects,
  isPayable,
});

/** Functions of the same effects: `list` has a selector and a signature for each. */
export function defineFunctions(effects: readonly Effect[], list: string, isPayable = false): KnownFunction[] {
  const words = list.trim().split(/\s+/);
  return words.flatMap((signature, index) =>
    index % 2 === 1 ? [defineFunction(`0x${words[index - 1]}`, signature, effects, isPayable)] : [],
  );
}

export const rule = (name: TransactionRule): Effect => ({ is: "rule", rule: name });

export const approval = (
  amount: Path,
  spender: Path,
  token?: Path,
  bits: 160 | 256 = 256,
): Effect & { is: "approval" } => ({
  is: "approval",
  amount,
  spender,
  ...(token && { token }),
  bits,
});

export const transfer = (to: Path, amount?: Path, token?: Path): Effect & { is: "transfer" } => ({
  is: "transfer",
  to,
  ...(amount && { amount }),
  ...(token && { token }),
});

export const operator = (operatorPath: Path, allowed?: Path): Effect => ({
  is: "operator",
  operator: operatorPath,
  ...(allowed && { allowed }),
});

export const one = (spender: Path): Effect => ({ is: "oneApproval", spender });

export const handOver = (to: number, data: number): Effect => ({ is: "handOver", to, data });

export const routed = (to: Path, amount?: Path, token?: Path): Effect => ({
  ...transfer(to, amount, token),
  isRouted: true,
});

/** Calls of which each has its calldata at `data`, its target at `to`, and so on: indexes of its members. */
export const calls = (each: Path, data: number, to?: number, value?: number, operation?: number): Effect => ({
  is: "calls",
  each,
  ...(to !== undefined && { to }),
  ...(value !== undefined && { value }),
  data,
  ...(operation !== undefined && { operation }),
});

/** Lists of the same length: targets in the first, calldata in the one at `data`. */
export const parallel = (data: number, value?: number): Effect => ({
  is: "parallel",
  to: 0,
  ...(value !== undefined && { value }),
  data,
});

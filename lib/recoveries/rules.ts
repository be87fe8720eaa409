import { decodeFunctionResult, formatUnits, type Hex, parseAbi } from "viem";
import { firstCharacters } from "@/lib/core/characters";
import { withoutInvisible } from "@/lib/core/shown";
import type { CallResult } from "@/lib/platform/chain";
import type { recoveries } from "./tables";

export type Recovery = typeof recoveries.$inferSelect;

export const TOKEN_ABI = parseAbi([
  "function balanceOf(address account) view returns (uint256)",
  "function decimals() view returns (uint8)",
  "function symbol() view returns (string)",
  "function transfer(address to, uint256 amount) returns (bool)",
]);

/** ETH to an account without code. */
const PLAIN_GAS = 21_000n;
/** ETH to an account with code, such as a smart account, whose code runs. */
const CODE_GAS = 100_000n;
/** A token's transfer. Also the most that a token which burns all gas can burn, of the wallet's own ETH. */
const TOKEN_GAS = 300_000n;
/** Kept for what Base charges beside gas to publish the transaction on Ethereum: usually a hundredth of it. */
const PUBLISHING_WEI = 10_000_000_000_000n;

export const gasFor = (isToken: boolean, toCode: Hex): bigint =>
  isToken ? TOKEN_GAS : toCode === "0x" ? PLAIN_GAS : CODE_GAS;

/** The most that a transaction can cost its sender. */
export const costOf = (gas: bigint, maxFeePerGas: bigint): bigint => gas * maxFeePerGas + PUBLISHING_WEI;

/** The ETH that can be sent: what is there without the cost of sending it. */
export const sendableOf = (balance: bigint, cost: bigint): bigint => (balance > cost ? balance - cost : 0n);

const SYMBOL_MAX = 20;
const DECIMALS_MAX = 36;

/** What a token says of itself, in one short line; null if it says nothing that can be shown. */
export function symbolIn(result: CallResult): string | null {
  const text = decoded(result, (data) => decodeFunctionResult({ abi: TOKEN_ABI, functionName: "symbol", data }));
  if (text === null) return null;
  const symbol = firstCharacters(withoutInvisible(text).replace(/\s+/g, " ").trim(), SYMBOL_MAX);
  return symbol === "" ? null : symbol;
}

/** Null if the token does not say it, or says more than any amount needs. */
export function decimalsIn(result: CallResult): number | null {
  const places = decoded(result, (data) => decodeFunctionResult({ abi: TOKEN_ABI, functionName: "decimals", data }));
  return places !== null && places <= DECIMALS_MAX ? places : null;
}

/** Null if there is no token, or it does not answer. */
export const balanceIn = (result: CallResult): bigint | null =>
  decoded(result, (data) => decodeFunctionResult({ abi: TOKEN_ABI, functionName: "balanceOf", data }));

/** Whether a transfer that was only simulated would be accepted: some tokens answer nothing, some answer false. */
export function isAccepted(result: CallResult): boolean {
  if (!result.ok) return false;
  if (result.data === "0x") return true;
  return decoded(result, (data) => decodeFunctionResult({ abi: TOKEN_ABI, functionName: "transfer", data })) === true;
}

/** Null for an answer that has not the type of the function. */
function decoded<T>(result: CallResult, decode: (data: Hex) => T): T | null {
  if (!result.ok) return null;
  try {
    return decode(result.data);
  } catch {
    // Contracts answer anything.
    return null;
  }
}

/** An amount for people; atomic units of a token that does not say how many decimals it has. */
export const amountText = (amount: bigint, decimals: number | null): string => formatUnits(amount, decimals ?? 0);

/** The token's own balances before and in the block of the transaction; null where it did not answer. */
export type Change = { before: bigint | null; after: bigint | null };
export type Balances = Record<"from" | "to", Change>;
export type End = { state: "arrived" | "failed" | "unclear"; received: bigint | null };

const riseOf = ({ before, after }: Change): bigint | null =>
  before === null || after === null ? null : after - before;

/**
 * What a mined transaction did. A receipt proves that ETH moved. Of a token it proves only that the token did not object: what it
 * counts itself has to show that the wallet lost and the owner got something.
 */
export function outcomeOf(isSuccess: boolean, amount: bigint, balances: Balances | "ether"): End {
  if (!isSuccess) return { state: "failed", received: null };
  if (balances === "ether") return { state: "arrived", received: amount };
  const [lost, received] = [riseOf(balances.from), riseOf(balances.to)];
  return lost !== null && lost < 0n && received !== null && received > 0n
    ? { state: "arrived", received }
    : { state: "unclear", received: null };
}

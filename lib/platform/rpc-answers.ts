import {
  BaseError,
  decodeErrorResult,
  type Hex,
  HttpRequestError,
  parseAbi,
  RpcRequestError,
  TimeoutError,
} from "viem";
import { ChainUnavailable, type SendResult } from "./chain";

/** Matches a node's error message that is about executing the call rather than about the node. */
export const EXECUTION_FAILED = /revert|out of ?gas|invalid (opcode|jump)|stack (over|under)flow|EVM error/i;
const ERROR_ABI = parseAbi(["error Error(string)", "error Panic(uint256)"]);

/** What a mined transaction cost its sender. OP stack chains add the price of publishing it on Ethereum as `l1Fee`. */
export function feeOf(receipt: { gasUsed: Hex; effectiveGasPrice?: Hex; l1Fee?: Hex | null }): bigint {
  return BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice ?? 0) + BigInt(receipt.l1Fee ?? 0);
}

/**
 * How a call failed. `silent`: no response, or an error about the node rather than the call (overload, login). `slow`: no
 * response in time. `refused`: the node refused the call, with any error.
 */
export type CallFailure = "silent" | "slow" | "refused";

/** HTTP statuses with which nodes refuse a single call, for its size or its contents. */
const REFUSING_STATUS = new Set([400, 413, 414, 422, 500]);
const BUSY = /rate.?limit|too many requests|throughput|capacity|quota/i;

export function failureOf(error: unknown): CallFailure | null {
  if (!(error instanceof BaseError)) return null;
  if (error.walk((e) => e instanceof TimeoutError)) return "slow";
  const http = error.walk((e) => e instanceof HttpRequestError);
  if (http instanceof HttpRequestError) return REFUSING_STATUS.has(http.status ?? 0) ? "refused" : "silent";
  const rpc = error.walk((e) => e instanceof RpcRequestError);
  // -32005 is "limit exceeded" (EIP-1474): either of the requested range or of the request rate.
  const isBusy = rpc instanceof RpcRequestError && (rpc.code === 429 || BUSY.test(rpc.details ?? rpc.message));
  return isBusy ? "silent" : "refused";
}

const unavailable = (error: unknown) => new ChainUnavailable("the node did not answer", { cause: error });

/** Throws ChainUnavailable if the node did not respond; passes on an error that is the node's response. */
export async function foreign<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    throw isSilent(error) ? unavailable(error) : error;
  }
}

/** For calls that every working node serves: an error response also means that the node does not work. */
export async function answered<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    throw failureOf(error) ? unavailable(error) : error;
  }
}

const isSilent = (error: unknown) =>
  error instanceof BaseError &&
  error.walk(
    (e) =>
      e instanceof HttpRequestError ||
      e instanceof TimeoutError ||
      (e instanceof RpcRequestError && (e.code === -32005 || e.code === 429)),
  ) !== null;

const REFUSALS: [RegExp, SendResult][] = [
  [/already known|already imported|known transaction/i, "known"],
  [/nonce too low|nonce is too low|lower than the current nonce|OldNonce/i, "nonce_too_low"],
  [/insufficient funds/i, "unfunded"],
  [/underpriced|fee too low|max fee per gas less than block base fee/i, "underpriced"],
  [
    /oversized|too (large|big)|max_?tx_?size|size.{0,40}(exceed|limit)|exceeds.{0,20}(gas limit|configured cap|maximum|size)|intrinsic gas|floor data gas|gas limit.{0,20}(too high|exceed)|gas too (low|high)|transaction type/i,
    "impossible",
  ],
];

/** A node's refusal of a transaction; null when it did not respond. */
export function refusalOf(error: unknown): SendResult | null {
  if (failureOf(error) !== "refused" || !(error instanceof BaseError)) return null;
  return REFUSALS.find(([pattern]) => pattern.test(error.message))?.[1] ?? "rejected";
}

export function revertReason(data: Hex): string {
  try {
    const error = decodeErrorResult({ abi: ERROR_ABI, data });
    return String(error.args[0]);
  } catch {
    // A custom error or an empty revert: only its raw bytes are known.
    return data === "0x" ? "" : data;
  }
}

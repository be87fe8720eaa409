import {
  BaseError,
  decodeErrorResult,
  type Hex,
  HttpRequestError,
  parseAbi,
  RpcRequestError,
  TimeoutError,
} from "viem";
import { BrandedError, hasBrand } from "@/lib/core/brand";
import type { SendResult } from "./chain";

/** Nobody answered. `isOfCall`: a node did, but with nothing that this call could be judged by. */
export class ChainUnavailable extends BrandedError {
  static is = (thrown: unknown): thrown is ChainUnavailable => hasBrand(thrown, "ChainUnavailable");
  readonly isOfCall: boolean;

  constructor(message: string, { isOfCall = false, ...options }: ErrorOptions & { isOfCall?: boolean } = {}) {
    super("ChainUnavailable", message, options);
    this.isOfCall = isOfCall;
  }
}

const EXECUTION_FAILED = /revert|out of ?gas|invalid (opcode|jump)|stack (over|under)flow|EVM error/i;
const ERROR_ABI = parseAbi(["error Error(string)", "error Panic(uint256)"]);

/**
 * How a call failed: `silent`: no answer at all, or one about the node and not about the call (overload, login);
 * `slow`: none in time; `refused`: the node answered that it does not do this, in whatever words.
 */
export type Failure = "silent" | "slow" | "refused";

/** HTTP statuses with which nodes refuse one call, for its size or its contents. */
const REFUSING_STATUS = new Set([400, 413, 414, 422, 500]);
const BUSY = /rate.?limit|too many requests|throughput|capacity|quota/i;

export function failureOf(thrown: unknown): Failure | null {
  if (!(thrown instanceof BaseError)) return null;
  if (thrown.walk((e) => e instanceof TimeoutError)) return "slow";
  const http = thrown.walk((e) => e instanceof HttpRequestError);
  if (http instanceof HttpRequestError) return REFUSING_STATUS.has(http.status ?? 0) ? "refused" : "silent";
  const rpc = thrown.walk((e) => e instanceof RpcRequestError);
  // -32005 is "limit exceeded" (EIP-1474): of the range that was asked for, or of how often we may ask.
  const isBusy = rpc instanceof RpcRequestError && (rpc.code === 429 || BUSY.test(rpc.details ?? rpc.message));
  return isBusy ? "silent" : "refused";
}

const unavailable = (thrown: unknown) => new ChainUnavailable("the node did not answer", { cause: thrown });

/** Tells a node that did not answer, which throws ChainUnavailable, from one that answered no. */
export async function foreign<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (thrown) {
    throw isSilent(thrown) ? unavailable(thrown) : thrown;
  }
}

/** For what every working node answers: an answer of no, in whatever words, is a node that does not work. */
export async function answered<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (thrown) {
    throw failureOf(thrown) ? unavailable(thrown) : thrown;
  }
}

const isSilent = (thrown: unknown) =>
  thrown instanceof BaseError &&
  thrown.walk(
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
];

/** What a node that did not take a transaction said; null when it did not answer. */
export function refusalOf(thrown: unknown): SendResult | null {
  if (failureOf(thrown) !== "refused" || !(thrown instanceof BaseError)) return null;
  return REFUSALS.find(([pattern]) => pattern.test(thrown.message))?.[1] ?? "rejected";
}

/** Whether a message of a node is about running the call, and not about the node. */
export const isOfExecution = (message: string): boolean => EXECUTION_FAILED.test(message);

export function revertReason(data: Hex): string {
  try {
    const error = decodeErrorResult({ abi: ERROR_ABI, data });
    return String(error.args[0]);
  } catch {
    // A custom error or an empty revert: its raw bytes are the most that can be said.
    return data === "0x" ? "" : data;
  }
}

export function revertData(error: BaseError): Hex {
  const found = error.walk((e) => typeof e === "object" && e !== null && "data" in e && typeof e.data === "string");
  return found && "data" in found ? (found.data as Hex) : "0x";
}

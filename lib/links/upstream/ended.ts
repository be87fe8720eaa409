import type { Usdc } from "@/lib/core/money";
import { failureOf, type UpstreamFailure } from "./rules";

/** `cost`: what the upstream says that the call has cost; null if it does not. */
export type Costed = { cost: Usdc | null };
export type Head = { status: number; headers: Record<string, string> };
/** A whole response of an upstream that is delivered. */
export type UpstreamAnswer = Head & { bytes: Buffer };

/** `status`: what the upstream answered, if it did. `retryAfter`: when it wants to be asked again, if it says so. */
export type Failed = {
  type: "failed";
  failure: UpstreamFailure;
  status: number | null;
  retryAfter?: string | undefined;
};
export type Ended = ({ type: "answered"; answer: UpstreamAnswer } & Costed) | Failed;

export const failed = (failure: UpstreamFailure, status: number | null = null): Failed => ({
  type: "failed",
  failure,
  status,
});

/** The failure that the head of a response says, as `failureOf`. */
export function failedByHead(status: number, headers: Readonly<Record<string, string>>): Failed | null {
  const failure = failureOf(status, headers);
  if (!failure) return null;
  const isBusy = status === 429 || status === 503;
  return { ...failed(failure, status), ...(isBusy && { retryAfter: headers["retry-after"] }) };
}

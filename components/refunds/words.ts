import type { Failure } from "@/lib/http/client";

/** Replaces the API's messages, which address programs, with what a person can do. */
export const sentenceFor = (failure: Failure): string => SENTENCES[failure.code] ?? failure.message;

const UNKNOWN = "It is not known whether this was done. Its page shows what we know; a refund is paid once.";

const SENTENCES: Record<string, string> = {
  session_required: "Your session has ended. Sign in again.",
  refund_not_found: "This refund no longer exists, or it belongs to another account.",
  refund_approved: "It was approved before: its transfer is under way or made.",
  refund_cancelled: "It was rejected before. Nothing moved.",
  refund_expired: "It was not approved in time. Nothing moved.",
  insufficient_balance: "Your spending wallet holds too little. Nothing moved. Add money, then try again.",
  payment_not_final: "The payment can still be undone by the chain. Nothing moved. Try again in some minutes.",
  settlement_unknown: UNKNOWN,
  unavailable: UNKNOWN,
};

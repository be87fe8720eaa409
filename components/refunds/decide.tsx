"use client";

import { Decision } from "@/components/authorize/decision";
import { callApi, type Failure, isUnknown } from "@/lib/http/client";

export type DecideProps = {
  refundId: string;
  /** Formatted: "12.50 USDC". */
  sum: string;
  /** The wallet holds enough, or its balance is unknown. */
  canPay: boolean;
};

export const Decide = ({ refundId, sum, canPay }: DecideProps) => (
  <Decision
    refusal={{ verb: "reject", label: "Reject" }}
    approval={{ label: `Refund ${sum}`, isDisabled: !canPay }}
    send={(verb) => callApi("POST", `/api/refunds/${refundId}/${verb}`)}
    problemOf={(verb, failure) => ({ title: titleOf(verb, failure), text: failure.message })}
  />
);

function titleOf(verb: "approve" | "reject", failure: Failure): string {
  if (failure.code === "refund_approved" || failure.code === "refund_settled") return "It is already approved";
  if (isUnknown(failure)) return "The result is unknown. This page shows what we know; a refund is paid only once";
  return verb === "approve" ? "Nothing moved" : "Not rejected";
}

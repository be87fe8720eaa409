"use client";

import { Decision, type Problem } from "@/components/authorize/decision";
import { NOT_SIGNED, useConfirmed } from "@/components/confirmations/use-confirmed";
import { sentenceFor } from "@/components/mandates/words";
import type { Failure } from "@/lib/http/client";

export type DecideProps = {
  approvalId: string;
  /** Formatted: "12.50 USDC". */
  sum: string;
  /** False until the owner has compared an address that looks like a known one. */
  canPay: boolean;
};

/** Approves or rejects one payment of an agent. */
export function Decide({ approvalId, sum, canPay }: DecideProps) {
  const { post, dialog } = useConfirmed();
  return (
    <>
      <Decision
        refusal={{ verb: "deny", label: "Reject" }}
        approval={{ label: `Approve ${sum}`, isDisabled: !canPay }}
        send={(verb) => post(`/api/approvals/${approvalId}/${verb}`, {})}
        problemOf={problemOf}
      />
      {dialog}
    </>
  );
}

function problemOf(verb: "approve" | "deny", failure: Failure): Problem {
  if (failure.code === NOT_SIGNED) return { title: "Not approved", text: failure.message };
  const title = verb === "approve" ? "We could not confirm the approval" : "We could not confirm the rejection";
  return { title, text: sentenceFor(failure) };
}

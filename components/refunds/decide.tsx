"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Note } from "@/components/ui/note";
import { callApi } from "@/lib/http/client";

export type DecideProps = {
  refundId: string;
  /** As people read it: "12.50 USDC". */
  sum: string;
  /** The wallet holds enough. */
  canPay: boolean;
};

type Verb = "approve" | "reject";

/** Two buttons of the same weight. Asking twice pays once, so that a lost answer can be asked for again. */
export function Decide({ refundId, sum, canPay }: DecideProps) {
  const router = useRouter();
  const [busy, setBusy] = useState<Verb>();
  const [problem, setProblem] = useState<{ title: string; text: string }>();

  async function decide(verb: Verb) {
    setBusy(verb);
    setProblem(undefined);
    const answer = await callApi("POST", `/api/refunds/${refundId}/${verb}`);
    setBusy(undefined);
    if (!answer.ok) setProblem({ title: titleOf(verb, answer), text: answer.message });
    // The page shows the current state, whatever the response was.
    router.refresh();
  }

  return (
    <div className="grid gap-3">
      <div className="grid grid-cols-1 gap-2.5 sm:grid-cols-2">
        <Button wide busy={busy === "reject"} disabled={busy === "approve"} onClick={() => void decide("reject")}>
          Reject
        </Button>
        <Button
          variant="primary"
          wide
          busy={busy === "approve"}
          disabled={!canPay || busy === "reject"}
          onClick={() => void decide("approve")}
        >
          Refund {sum}
        </Button>
      </div>
      {problem !== undefined && (
        <Note tone="bad" live="assertive" title={problem.title}>
          {problem.text}
        </Note>
      )}
    </div>
  );
}

/** Above 499, and when nobody answered, it may have happened after all. */
function titleOf(verb: Verb, { status, code }: { status: number; code: string }): string {
  if (code === "refund_approved" || code === "refund_settled") return "It was approved before";
  if (status === 0 || status >= 500)
    return "We had no clear answer. This page shows what we know; a refund is paid once";
  return verb === "approve" ? "Nothing moved" : "It is not rejected";
}

"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { NOT_SIGNED, useConfirmed } from "@/components/confirmations/use-confirmed";
import { sentenceFor } from "@/components/mandates/words";
import { Button } from "@/components/ui/button";
import { Note } from "@/components/ui/note";

export type DecideProps = {
  approvalId: string;
  /** As people read it: "12.50 USDC". */
  sum: string;
  /** False while the person has yet to compare its address with a known one. */
  canPay: boolean;
};

type Verb = "approve" | "deny";

/** Two buttons of the same weight. Pressing twice is pressing once, so that a lost answer can be asked for again. */
export function Decide({ approvalId, sum, canPay }: DecideProps) {
  const router = useRouter();
  const [busy, setBusy] = useState<Verb>();
  const [problem, setProblem] = useState<{ title: string; text: string }>();
  const { post, dialog } = useConfirmed();

  async function decide(verb: Verb) {
    setBusy(verb);
    setProblem(undefined);
    const answer = await post(`/api/approvals/${approvalId}/${verb}`, {});
    setBusy(undefined);
    if (!answer.ok && answer.code === NOT_SIGNED) setProblem({ title: "It is not approved", text: answer.message });
    else if (!answer.ok) setProblem({ title: TITLES[verb], text: sentenceFor(answer) });
    // The page shows the current state, whatever the response was.
    router.refresh();
  }

  return (
    <div className="grid gap-3">
      <div className="grid grid-cols-1 gap-2.5 sm:grid-cols-2">
        <Button wide busy={busy === "deny"} disabled={busy === "approve"} onClick={() => void decide("deny")}>
          Reject
        </Button>
        <Button
          variant="primary"
          wide
          busy={busy === "approve"}
          disabled={busy === "deny" || !canPay}
          onClick={() => void decide("approve")}
        >
          Approve {sum}
        </Button>
      </div>
      {problem !== undefined && (
        <Note tone="bad" live="assertive" title={problem.title}>
          {problem.text}
        </Note>
      )}
      {dialog}
    </div>
  );
}

const TITLES = {
  approve: "We could not say that it is approved",
  deny: "We could not say that it is rejected",
} satisfies Record<Verb, string>;

"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { useConfirmed } from "@/components/confirmations/use-confirmed";
import { Button } from "@/components/ui/button";
import { CheckboxField } from "@/components/ui/field";
import { Note } from "@/components/ui/note";
import { isUnknown, sentenceFor, WRAPPED } from "./words";

export type DecideProps = {
  recordId: string;
  /** As people read it: "12.50 USDC". */
  sum: string;
  /** The wallet holds enough, as far as that is known. */
  canPay: boolean;
  /** So many of its addresses look like known ones: the person ticks that they have compared them. */
  lookalikes: number;
  /** Their own payout is taken back; an agent's is rejected. */
  isOwn: boolean;
};

type Verb = "approve" | "deny" | "cancel";

/** Two buttons of the same weight. Asking twice pays once, so that a lost answer can be asked for again. */
export function Decide({ recordId, sum, canPay, lookalikes, isOwn }: DecideProps) {
  const router = useRouter();
  const [busy, setBusy] = useState<Verb>();
  const [problem, setProblem] = useState<{ title: string; text: string }>();
  const [hasCompared, setCompared] = useState(false);
  const { post, dialog } = useConfirmed();
  const no = isOwn ? "cancel" : "deny";

  async function decide(verb: Verb) {
    if (busy) return;
    setBusy(verb);
    setProblem(undefined);
    const answer = await post(`/api/wallet/payouts/${recordId}/${verb}`, {});
    setBusy(undefined);
    if (!answer.ok) setProblem({ title: isUnknown(answer) ? UNKNOWN : TITLES[verb], text: sentenceFor(answer) });
    // The page shows the current state, whatever the response was.
    router.refresh();
  }

  return (
    <div className="grid gap-3">
      {lookalikes > 0 && (
        <CheckboxField
          label={
            lookalikes === 1
              ? "I have compared the two addresses letter by letter, and mean the one of this payout"
              : `I have compared all ${lookalikes} pairs of addresses letter by letter, and mean those of this payout`
          }
          checked={hasCompared}
          onChange={(event) => setCompared(event.target.checked)}
        />
      )}
      <div className="grid grid-cols-1 gap-2.5 sm:grid-cols-2">
        <Button wide busy={busy === no} disabled={busy === "approve"} onClick={() => void decide(no)}>
          {isOwn ? "Cancel payout" : "Reject"}
        </Button>
        <Button
          variant="primary"
          wide
          className={WRAPPED}
          busy={busy === "approve"}
          disabled={!canPay || busy === no || (lookalikes > 0 && !hasCompared)}
          onClick={() => void decide("approve")}
        >
          Pay {sum}
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

const UNKNOWN = "We had no clear answer. This page shows what we know; a payout is paid once";

const TITLES = {
  approve: "Nothing was paid",
  deny: "It is not rejected",
  cancel: "It is not cancelled",
} satisfies Record<Verb, string>;

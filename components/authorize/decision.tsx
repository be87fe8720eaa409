"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, useState } from "react";
import { ReportLink, reportUrlOf } from "@/components/attempts/report-link";
import { useConfirmed } from "@/components/confirmations/use-confirmed";
import { sentenceFor as mandateSentenceFor } from "@/components/mandates/words";
import { sentenceFor as payoutSentenceFor } from "@/components/payouts/words";
import { Button } from "@/components/ui/button";
import { CheckboxField } from "@/components/ui/field";
import { Note } from "@/components/ui/note";
import { type Answer, callApi, type Failure, isUnknown } from "@/lib/http/client";
import { ActionBar } from "./columns";

export type Problem = { title: string; text: string };

export type DecisionProps<Refusal extends string> = {
  /** The action of the API that refuses the request, and the button's label. */
  refusal: { verb: Refusal; label: string };
  /** The button that approves the request; the label includes the amount. */
  approval: { label: string; isDisabled: boolean };
  send: (verb: "approve" | Refusal) => Promise<Answer<unknown>>;
  problemOf: (verb: "approve" | Refusal, failure: Failure) => Problem;
  /** Shown above the buttons. */
  children?: ReactNode;
};

/**
 * Approve or refuse a request: two buttons of equal weight. Both calls are idempotent, so a person whose response was lost
 * can press again.
 */
export function Decision<Refusal extends string>(props: DecisionProps<Refusal>) {
  const { refusal, approval, send, problemOf, children } = props;
  const router = useRouter();
  const [busy, setBusy] = useState<"approve" | Refusal>();
  const [problem, setProblem] = useState<Problem & { reportUrl?: string | undefined }>();

  async function decide(verb: "approve" | Refusal) {
    if (busy !== undefined) return;
    setBusy(verb);
    setProblem(undefined);
    const response = await send(verb);
    setBusy(undefined);
    if (!response.ok) setProblem({ ...problemOf(verb, response), reportUrl: reportUrlOf(response) });
    // The page shows the current state, whatever the response was.
    router.refresh();
  }

  return (
    <>
      {children}
      <ActionBar className="grid-cols-2">
        <Button
          wide
          busy={busy === refusal.verb}
          disabled={busy === "approve"}
          onClick={() => void decide(refusal.verb)}
        >
          {refusal.label}
        </Button>
        <Button
          variant="primary"
          wide
          busy={busy === "approve"}
          disabled={busy === refusal.verb || approval.isDisabled}
          onClick={() => void decide("approve")}
        >
          {approval.label}
        </Button>
      </ActionBar>
      {problem !== undefined && (
        <Note
          tone="bad"
          live="assertive"
          title={problem.title}
          actions={problem.reportUrl === undefined ? undefined : <ReportLink url={problem.reportUrl} />}
        >
          {problem.text}
        </Note>
      )}
    </>
  );
}

type RefundDecisionProps = {
  refundId: string;
  /** Formatted: "12.50 USDC". */
  sum: string;
  /** The wallet holds enough, or its balance is unknown. */
  canPay: boolean;
};

export const RefundDecision = ({ refundId, sum, canPay }: RefundDecisionProps) => (
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

type PayoutDecisionProps = {
  recordId: string;
  /** Formatted: "12.50 USDC". */
  sum: string;
  /** The wallet holds enough, or its balance is unknown. */
  canPay: boolean;
  /** The number of addresses that resemble known ones. If above zero, the owner must tick a checkbox that they compared them. */
  lookalikes: number;
  /** True if the owner created the payout. Owners cancel their own payouts and reject those of agents. */
  isOwn: boolean;
};

export function PayoutDecision({ recordId, sum, canPay, lookalikes, isOwn }: PayoutDecisionProps) {
  const [hasCompared, setCompared] = useState(false);
  const { post, dialog } = useConfirmed();
  return (
    <>
      <Decision
        refusal={isOwn ? { verb: "cancel", label: "Cancel payout" } : { verb: "deny", label: "Reject" }}
        approval={{ label: `Pay ${sum}`, isDisabled: !canPay || (lookalikes > 0 && !hasCompared) }}
        send={(verb) => post(`/api/wallet/payouts/${recordId}/${verb}`, {})}
        problemOf={(verb, failure) => ({
          title: isUnknown(failure) ? UNKNOWN : TITLES[verb],
          text: payoutSentenceFor(failure),
        })}
      >
        {lookalikes > 0 && (
          <CheckboxField
            label={
              lookalikes === 1
                ? "I have compared both addresses letter by letter, and this payout's is the right one"
                : `I have compared all ${lookalikes} pairs of addresses letter by letter, and this payout's are the right ones`
            }
            checked={hasCompared}
            onChange={(event) => setCompared(event.target.checked)}
          />
        )}
      </Decision>
      {dialog}
    </>
  );
}

const UNKNOWN = "The result is unknown. This page shows what we know; a payout is paid only once";

const TITLES = { approve: "Nothing was paid", deny: "Not rejected", cancel: "Not cancelled" } as const;

type PayeeDecisionProps = {
  payeeId: string;
  /** True if the address resembles a known one. The owner must tick a checkbox that they compared the two. */
  isLookalike: boolean;
};

/** Confirms or refuses an address. The owner can change the decision later. */
export function PayeeDecision({ payeeId, isLookalike }: PayeeDecisionProps) {
  const [hasCompared, setCompared] = useState(false);
  const { post, dialog } = useConfirmed();
  return (
    <Decision
      refusal={{ verb: "refuse", label: "Refuse" }}
      approval={{ label: "Confirm this address", isDisabled: isLookalike && !hasCompared }}
      send={(verb) => post(`/api/payees/${payeeId}/${verb === "approve" ? "confirm" : "refuse"}`, {})}
      problemOf={(verb, failure) => ({
        title: verb === "approve" ? "We could not confirm the address" : "We could not refuse the address",
        text: mandateSentenceFor(failure),
      })}
    >
      {dialog}
      {isLookalike && (
        <CheckboxField
          label="I have compared both addresses letter by letter, and the one to pay is right"
          checked={hasCompared}
          onChange={(event) => setCompared(event.target.checked)}
        />
      )}
    </Decision>
  );
}

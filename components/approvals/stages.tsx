import { RejectButton } from "@/components/authorize/reject-button";
import { Outcome } from "@/components/authorize/stages";
import { TooLittle } from "@/components/authorize/too-little";
import { SignPanel } from "@/components/mandates/sign-panel";
import { Limits, RequestCard } from "@/components/mandates/terms";
import { payeesOf, type ShownMandate } from "@/components/mandates/words";
import { LiveRefresh } from "@/components/site/live-refresh";
import { Amount } from "@/components/ui/amount";
import type { BadgeTone } from "@/components/ui/badge";
import { ButtonLink } from "@/components/ui/button-link";
import { usdcText } from "@/components/ui/format";
import { Note } from "@/components/ui/note";
import { type HeadingLevel, PageHeader } from "@/components/ui/page-header";
import type { TypedDataPayload } from "@/components/wallet/typed-data";
import type { ApprovalView } from "@/lib/approvals/contract";
import type { PaymentView } from "@/lib/payments/responses";
import { NETWORKS } from "@/lib/x402/networks";
import { Choices } from "./choices";
import { PaymentCard, type PaymentCardProps, type Weighed } from "./payment-card";

/** `level`: the heading level. */
type AtLevel = { level?: HeadingLevel | undefined };

export type ReviewStageProps = PaymentCardProps &
  AtLevel & {
    weighed: Weighed;
    /** The mandate that was signed on this page. */
    signed: ShownMandate | null;
  };

export function ReviewStage({ approval, isDevnet, weighed, signed, level }: ReviewStageProps) {
  const missing = weighed.balance === null ? 0n : approval.amount - weighed.balance;
  return (
    <>
      <PageHeader
        level={level}
        eyebrow={<Asker approval={approval} />}
        title={<Question approval={approval} />}
        description="You approve only this payment, once. Nothing is signed before that."
      />
      {signed && (
        <Note tone="good" live="polite" title="Signed. The agent can pay this host from now on">
          Up to <Amount atomic={signed.limitAmount} /> in total. This payment is still waiting for you.
        </Note>
      )}
      <PaymentCard approval={approval} isDevnet={isDevnet} weighed={weighed} />
      <TooLittle thing="payment" network={approval.network} missing={missing}>
        If you approve it now, it fails unless the money is there when the agent pays.
      </TooLittle>
      <Choices
        approvalId={approval.approvalId}
        host={approval.host}
        amount={approval.amount}
        sum={usdcText(approval.amount)}
        isLookalike={weighed.looksLike !== null}
        isAllowed={signed !== null}
      />
      <LiveRefresh news="Waiting for your decision" />
    </>
  );
}

export type SignStageProps = AtLevel & {
  approval: ApprovalView;
  mandate: ShownMandate;
  owner: string;
  balance: bigint | null;
  typedData: TypedDataPayload;
};

/** The stage for signing the mandate that was prepared on this page. */
export function SignStage({ approval, mandate, owner, balance, typedData, level }: SignStageProps) {
  return (
    <>
      <PageHeader
        level={level}
        eyebrow={<bdi>{approval.agentName}</bdi>}
        title={
          <>
            Let it pay <bdi>{approval.host}</bdi> on its own, within these limits
          </>
        }
        description="After you sign, you decide on the waiting payment."
      />
      <RequestCard mandate={mandate} balance={balance} />
      <Limits mandate={mandate} />
      <SignPanel
        mandateId={mandate.mandateId}
        token={undefined}
        owner={owner}
        chainId={NETWORKS[mandate.network].chainId}
        limit={mandate.limitAmount}
        careful={undefined}
        payees={payeesOf(mandate)}
        shown={typedData}
        rejectLabel="Not now"
      />
    </>
  );
}

export type OverStageProps = PaymentCardProps &
  AtLevel & {
    payment: PaymentView | null;
    isOwner: boolean;
    /** The balance of the paying wallet while an approved payment has not been made; null if unknown. */
    balance: bigint | null;
  };

/** The payment was decided, or the approval has expired. */
export function OverStage({ payment, isOwner, balance, level, ...props }: OverStageProps) {
  const { approval } = props;
  const ending = endingOf(approval, payment);
  const missing = ending === "approved" && balance !== null ? approval.amount - balance : 0n;
  return (
    <Outcome
      level={level}
      asker={<Asker approval={approval} />}
      {...ENDINGS[ending]}
      {...(ending === "approved" && (balance === null || missing > 0n) && { title: unfundedTitle(missing) })}
      card={
        <>
          <TooLittle thing="payment" network={approval.network} missing={missing}>
            The payment fails if the money is not there when the agent repeats its request.
          </TooLittle>
          <PaymentCard {...props} />
          {isOwner && ending === "approved" && (
            <RejectButton
              path={`/api/approvals/${approval.approvalId}/deny`}
              token={undefined}
              label="Withdraw approval"
            />
          )}
        </>
      }
      isOwner={isOwner}
      isMoving={ending === "approved" || ending === "signed" || ending === "submitted"}
    >
      <ButtonLink href="/dashboard/payments">See all payments</ButtonLink>
    </Outcome>
  );
}

/** `missing`: zero while it is not known whether the wallet can pay. */
const unfundedTitle = (missing: bigint): string =>
  missing > 0n ? `Approved. Add ${usdcText(missing)}, or the payment fails` : "Approved";

type Ending = Exclude<ApprovalView["status"], "pending" | "used"> | PaymentView["status"] | "unused";

function endingOf({ status }: ApprovalView, payment: PaymentView | null): Ending {
  if (payment) return payment.status === "expired" ? "unused" : payment.status;
  return status === "pending" || status === "used" ? "expired" : status;
}

const ENDINGS = {
  approved: {
    title: "Approved. Your agent can pay now",
    said: "It has to repeat its request to receive the signed payment. You can close this page.",
    tone: "good",
    label: "Approved",
  },
  denied: {
    title: "Rejected. Nothing was signed",
    said: "Your agent sees the rejection. It can ask again only with a new request.",
    tone: "neutral",
    label: "Rejected",
  },
  expired: {
    title: "This request has expired",
    said: "It was not approved and used within ten minutes, so nothing was signed. Your agent can ask again.",
    tone: "neutral",
    label: "Expired",
  },
  signed: {
    title: "Signed. Your agent has the payment",
    said: "It has not reached the chain yet. If the agent does not use it in time, no money moves.",
    tone: "info",
    label: "Signed",
  },
  submitted: {
    title: "On its way",
    said: "The payment was sent to the chain. You can close this page: it continues without you.",
    tone: "info",
    label: "On its way",
  },
  settled: { title: "Paid", said: "The chain shows the transfer.", tone: "good", label: "Paid" },
  unused: {
    title: "Not used. No money moved",
    said: "Your agent received the signed payment and did not use it in time.",
    tone: "neutral",
    label: "Not used",
  },
  cancelled: {
    title: "Cancelled. No money moved",
    said: "The payment can no longer be used.",
    tone: "neutral",
    label: "Cancelled",
  },
} satisfies Record<Ending, { title: string; said: string; tone: BadgeTone; label: string }>;

/** The agent's name is untrusted text: isolated and quoted. */
export const Asker = ({ approval }: { approval: ApprovalView }) => (
  <>
    <bdi className="[overflow-wrap:anywhere]">{approval.agentName}</bdi>{" "}
    {approval.status === "pending" ? "asks" : "asked"} for a payment
  </>
);

export const Question = ({ approval }: { approval: ApprovalView }) => (
  <>
    Pay {usdcText(approval.amount)} to <bdi>{approval.host}</bdi>?
  </>
);

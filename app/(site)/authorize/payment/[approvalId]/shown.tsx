import { notFound } from "next/navigation";
import { Choices } from "@/components/approvals/choices";
import { ExceededNote } from "@/components/approvals/exceeded-note";
import { PaymentCard, type PaymentCardProps, type Weighed } from "@/components/approvals/payment-card";
import { Columns } from "@/components/authorize/columns";
import { RejectButton } from "@/components/authorize/reject-button";
import { Incomplete, Outcome } from "@/components/authorize/stages";
import { TooLittle } from "@/components/authorize/too-little";
import { PayeeSwitch } from "@/components/mandates/payee-switch";
import { SignPanel } from "@/components/mandates/sign-panel";
import { Limits, RequestCard } from "@/components/mandates/terms";
import { payeesOf, type ShownMandate } from "@/components/mandates/words";
import { LiveRefresh } from "@/components/site/live-refresh";
import { Amount } from "@/components/ui/amount";
import type { BadgeTone } from "@/components/ui/badge";
import { ButtonLink } from "@/components/ui/button-link";
import { Card } from "@/components/ui/card";
import { usdcText } from "@/components/ui/format";
import { Note } from "@/components/ui/note";
import { type HeadingLevel, PageHeader } from "@/components/ui/page-header";
import type { TypedDataPayload } from "@/components/wallet/typed-data";
import { type ApprovalView, approvalId, toApprovalView } from "@/lib/approvals/contract";
import * as approvals from "@/lib/approvals/service";
import { orNotFound } from "@/lib/http/found";
import type { ExceededCap } from "@/lib/mandates/caps/contract";
import { exceededBy } from "@/lib/mandates/caps/service";
import { type PaymentView, toPaymentView } from "@/lib/payments/responses";
import { balanceOn, weighAddresses } from "@/lib/payouts/address-book/service";
import { historyOf } from "@/lib/purchases/hosts/service";
import { NETWORKS, type NetworkName } from "@/lib/x402/networks";
import type { OwnerContext, PageContext } from "../../../context";
import { beforeDeciding, type Request, type Shown } from "../../frame";
import { reviewed } from "../../mandate/[mandateId]/page-state";

/** The page of one requested payment, in the state for this visitor. `level`: the heading level. */
export async function shownApproval(
  ctx: PageContext,
  idText: string,
  token: string | undefined,
  level?: HeadingLevel,
): Promise<Shown> {
  const id = approvalId.safeParse(idText);
  if (!id.success) notFound();
  const { actor } = ctx;
  // Without the token, a visitor must not learn whether the request exists.
  if (token === undefined && actor.type === "anonymous") {
    return { stage: "incomplete", said: "", content: <Incomplete thing="payment" />, isNarrow: true };
  }
  const page = await orNotFound(approvals.forDeciding(ctx, id.data, token));
  const { nextStep } = page;
  const approval = toApprovalView(page, ctx.config.baseUrl, ctx.now());
  const isDevnet = ctx.config.mode === "devnet";
  switch (nextStep) {
    case "sign_in":
    case "claim":
    case "linked_elsewhere": {
      const request: Request = {
        thing: "payment",
        asker: <Asker approval={approval} />,
        title: <Question approval={approval} />,
        agentName: approval.agentName,
        owner: page.ownerAddress,
        path: `/api/approvals/${approval.approvalId}`,
        card: <PaymentCard approval={approval} isDevnet={isDevnet} />,
      };
      return beforeDeciding(nextStep, request, token);
    }
    case "decide":
      // Always true here: the step "decide" is the owner's. The check narrows the type.
      if (actor.type === "owner") return deciding({ ...ctx, actor }, page, approval, level);
      break;
    case "nothing":
      break;
    default:
      return nextStep satisfies never;
  }
  const payment = page.payment && toPaymentView(page.payment);
  const isOwner = actor.type === "owner" && page.agentOwnerId === actor.ownerId;
  const isApproved = actor.type === "owner" && isOwner && page.status === "approved";
  const available = isApproved ? (await fundsOn({ ...ctx, actor }, approval.network, page.approval)).available : null;
  const { isPaidByMandate } = page.approval;
  const stageProps = { approval, isDevnet, payment, isPaidByMandate, isOwner, available };
  return { stage: payment?.status ?? page.status, said: "", content: <OverStage level={level} {...stageProps} /> };
}

/**
 * The wallet that pays on `network`, its balance, and what is left of it for a payment: null while the chain does not respond.
 * `until`: an approved payment, which those approved later leave alone.
 */
async function fundsOn(ctx: OwnerContext, network: NetworkName, until?: approvals.ApprovalPage["approval"]) {
  const { wallet, balance, ...promised } = await balanceOn(ctx, network);
  const approved = await approvals.sumApproved(ctx, wallet.id, until);
  const left = balance === null ? null : balance - promised.reserved - promised.pending - approved;
  return { wallet, balance, available: left !== null && left < 0n ? 0n : left };
}

async function deciding(
  ctx: OwnerContext,
  { approval }: approvals.ApprovalPage,
  view: ApprovalView,
  level: HeadingLevel | undefined,
): Promise<Shown> {
  const { network, resource } = approval;
  const [{ wallet, balance, available }, exceededCap, history, [payee], mandate] = await Promise.all([
    fundsOn(ctx, network),
    exceededBy(ctx, approval),
    historyOf(ctx, { ownerId: ctx.actor.ownerId, network, resource }),
    weighAddresses(ctx, [approval.payee]),
    approvals.preparedMandate(ctx, approval),
  ]);
  if (mandate?.status === "pending_signature") {
    const { typedData } = await reviewed(ctx, mandate);
    const sign = { approval: view, mandate, owner: ctx.actor.address, balance, typedData };
    return { stage: "sign", said: "Review the mandate and sign it", content: <SignStage level={level} {...sign} /> };
  }
  if (!payee) throw new Error("weighAddresses returned nothing for the payee");
  const { isFirst, bookName: name, looksLike } = payee;
  const weighed = { wallet: wallet.address, balance, available, isFirst, name, looksLike, history };
  const signed = mandate?.status === "signed" ? mandate : null;
  return {
    stage: "review",
    said: "Waiting for your decision",
    content: (
      <ReviewStage
        level={level}
        approval={view}
        isDevnet={ctx.config.mode === "devnet"}
        weighed={weighed}
        exceededCap={exceededCap}
        signed={signed}
      />
    ),
  };
}

/** `level`: the heading level. */
type AtLevel = { level?: HeadingLevel | undefined };

type ReviewStageProps = PaymentCardProps &
  AtLevel & {
    weighed: Weighed;
    exceededCap: ExceededCap | null;
    /** The mandate that was signed on this page. */
    signed: ShownMandate | null;
  };

function ReviewStage({ approval, isDevnet, weighed, exceededCap, signed, level }: ReviewStageProps) {
  const missing = weighed.available === null ? 0n : approval.amount - weighed.available;
  return (
    <>
      <PageHeader level={level} eyebrow={<Asker approval={approval} />} title={<Question approval={approval} />} />
      {signed && (
        <Note tone="good" live="polite" title="Signed. The agent can pay this host from now on">
          Up to <Amount atomic={signed.limitAmount} /> in total. This payment is still waiting for you.
        </Note>
      )}
      {exceededCap && <ExceededNote cap={exceededCap} thing="payment" />}
      <Columns
        decision={
          <>
            <p className="text-control text-ink-2">
              You approve only this payment, once. Nothing is signed before that.
            </p>
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
          </>
        }
      >
        <PaymentCard approval={approval} isDevnet={isDevnet} weighed={weighed} />
      </Columns>
      <LiveRefresh news="Waiting for your decision" />
    </>
  );
}

type SignStageProps = AtLevel & {
  approval: ApprovalView;
  mandate: ShownMandate;
  owner: string;
  balance: bigint | null;
  typedData: TypedDataPayload;
};

/** The stage for signing the mandate that was prepared on this page. */
function SignStage({ approval, mandate, owner, balance, typedData, level }: SignStageProps) {
  const payees = payeesOf(mandate);
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
      />
      <Columns
        decision={
          <>
            <p className="text-control text-ink-2">After you sign, you decide on the waiting payment.</p>
            <SignPanel
              mandateId={mandate.mandateId}
              token={undefined}
              owner={owner}
              chainId={NETWORKS[mandate.network].chainId}
              limit={mandate.limitAmount}
              careful={undefined}
              payees={payees}
              shown={typedData}
              rejectLabel="Not now"
            />
          </>
        }
      >
        <RequestCard mandate={mandate} balance={balance} />
        {payees && (
          <Card>
            <PayeeSwitch mandateId={mandate.mandateId} isOn={payees.isOn} />
          </Card>
        )}
        <Limits mandate={mandate} />
      </Columns>
    </>
  );
}

type OverStageProps = PaymentCardProps &
  AtLevel & {
    payment: PaymentView | null;
    isPaidByMandate: boolean;
    isOwner: boolean;
    /** What the paying wallet can still pay while an approved payment has not been made; null if unknown. */
    available: bigint | null;
  };

/** The payment was decided, or the approval has expired. */
function OverStage({ payment, isPaidByMandate, isOwner, available, level, ...props }: OverStageProps) {
  const { approval } = props;
  const ended = endingOf(approval, payment);
  const ending = ended === "expired" && isPaidByMandate ? "needless" : ended;
  const missing = ending === "approved" && available !== null ? approval.amount - available : 0n;
  return (
    <Outcome
      level={level}
      asker={<Asker approval={approval} />}
      {...ENDINGS[ending]}
      {...(ending === "approved" && (available === null || missing > 0n) && { title: unfundedTitle(missing) })}
      card={<PaymentCard {...props} />}
      decision={
        <>
          <TooLittle thing="payment" network={approval.network} missing={missing}>
            The payment fails if the money is not there when the agent repeats its request.
          </TooLittle>
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
  needless: {
    title: "Nothing left to approve",
    said: "The same payment was signed under a mandate since. Nothing was signed for this request.",
    tone: "neutral",
    label: "Not needed",
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
} satisfies Record<Ending | "needless", { title: string; said: string; tone: BadgeTone; label: string }>;

/** The agent's name is untrusted text: isolated and quoted. */
const Asker = ({ approval }: { approval: ApprovalView }) => (
  <>
    <bdi className="[overflow-wrap:anywhere]">{approval.agentName}</bdi>{" "}
    {approval.status === "pending" ? "asks" : "asked"} for a payment
  </>
);

const Question = ({ approval }: { approval: ApprovalView }) => (
  <>
    Pay {usdcText(approval.amount)} to <bdi>{approval.host}</bdi>?
  </>
);

import type { Metadata } from "next";
import { notFound } from "next/navigation";
import type { ReactNode } from "react";
import { Columns } from "@/components/authorize/columns";
import { RefundDecision } from "@/components/authorize/decision";
import { Actions, SignInPrompt } from "@/components/authorize/stages";
import { TooLittle } from "@/components/authorize/too-little";
import { soldTitle } from "@/components/links/words";
import { type RefundState, stateOf } from "@/components/refunds/state";
import { LiveRefresh } from "@/components/site/live-refresh";
import { AddressTag } from "@/components/ui/address-tag";
import { Amount } from "@/components/ui/amount";
import { Badge, type BadgeTone } from "@/components/ui/badge";
import { ButtonLink } from "@/components/ui/button-link";
import { Card } from "@/components/ui/card";
import { Fact, Facts } from "@/components/ui/facts";
import { usdcText } from "@/components/ui/format";
import { Link } from "@/components/ui/link";
import { PageHeader } from "@/components/ui/page-header";
import { Quote } from "@/components/ui/quote";
import { Time } from "@/components/ui/time";
import { orNotFound } from "@/lib/http/found";
import { soldWith } from "@/lib/links/received/service";
import { type RefundItem, refundId, toRefundItem } from "@/lib/refunds/contract";
import * as refunds from "@/lib/refunds/service";
import { pageContext } from "@/lib/wiring";
import { NETWORKS } from "@/lib/x402/networks";
import { AuthorizePage } from "../../frame";

export const metadata: Metadata = { title: "Refund", robots: { index: false } };
export const dynamic = "force-dynamic";

type Props = { params: Promise<{ refundId: string }> };

/** A refund, for the owner who decides on it. */
export default async function AuthorizeRefundPage({ params }: Props) {
  const { actor, ...app } = await pageContext();
  const id = refundId.safeParse((await params).refundId);
  if (!id.success) notFound();
  if (actor.type === "anonymous") {
    const content = (
      <SignInPrompt thing="refund">
        It is for the owner of the agent that was paid. Signing in moves no money.
      </SignInPrompt>
    );
    return <AuthorizePage ctx={{ ...app, actor }} shown={{ stage: "sign-in", said: "", content, isNarrow: true }} />;
  }
  const ctx = { ...app, actor };
  const view = await orNotFound(refunds.get(ctx, id.data));
  const [balance, refundedByOthers, sold, endsPass] = await Promise.all([
    refunds.readWalletBalance(ctx, view),
    refunds.refundedByOthers(ctx.db, view.refund),
    soldWith(ctx, view.paid.id),
    refunds.endsPass(ctx, view),
  ]);
  const refund = toRefundItem(view, ctx.config.baseUrl, ctx.now());
  const state = stateOf(refund);
  const announcement = SAID[state];
  const content = (
    <Refund
      refund={refund}
      sold={soldTitle({ title: sold?.title ?? null, quantity: sold?.quantity ?? 1, settlement: view.paid })}
      paidReceiptHref={`/receipt/${view.paid.id}`}
      paidAt={view.paid.createdAt}
      refundedByOthers={refundedByOthers}
      balance={balance}
      endsPass={endsPass}
    />
  );
  return (
    <AuthorizePage ctx={ctx} shown={{ stage: state, said: announcement, content }}>
      {(state === "waiting" || state === "underway") && (
        <LiveRefresh news={announcement} isExpecting={state === "underway"} />
      )}
    </AuthorizePage>
  );
}

const SAID = {
  waiting: "Waiting for your decision",
  underway: "On its way. Nothing more to do",
  settled: "Refunded",
  failed: "Refund failed. No money moved",
  expired: "Expired. Nothing moved",
  cancelled: "Nothing moved",
} as const;

type RefundPageProps = {
  refund: RefundItem;
  /** What was sold, if it has a name. */
  sold: string | null;
  /** The receipt of the refunded payment. */
  paidReceiptHref: string;
  paidAt: Date;
  /** The total of other settled refunds of the payment, in atomic units. */
  refundedByOthers: bigint;
  /** The balance of the wallet that pays; null while the chain does not respond. */
  balance: bigint | null;
  /** Whether the payment bought a pass. */
  endsPass: boolean;
};

/** The page on which the owner decides about a refund: the requester, the recipient and the outcome. */
function Refund(props: RefundPageProps) {
  const { refund, balance, endsPass } = props;
  const state = stateOf(refund);
  const { title, said: description, tone, label } = STATES[state](refund);
  return (
    <>
      <PageHeader eyebrow={<Asker refund={refund} />} title={title} actions={<Badge tone={tone}>{label}</Badge>} />
      <Columns
        decision={
          <>
            <p className="text-control text-ink-2">{description}</p>
            {state === "waiting" && <Deciding refund={refund} balance={balance} endsPass={endsPass} />}
            <Next state={state} refund={refund} />
          </>
        }
      >
        <Card lift aria-label="Refund">
          <p className="text-small text-ink-2">{state === "settled" ? "Refunded" : "To refund"}</p>
          <p>
            <Amount atomic={refund.amount} size="big" />
          </p>
          <p className="mt-1 text-small text-ink-2">
            {refund.refundType === "full" ? (
              "All of what was paid"
            ) : (
              <>
                of <Amount atomic={refund.originalAmount} /> paid
              </>
            )}
          </p>
          {refund.reason !== null && (
            <Quote by={refund.requestedBy === "owner" ? "Your note" : "The agent says"} className="mt-5">
              {refund.reason}
            </Quote>
          )}
          <hr className="my-5" />
          <RefundFacts {...props} />
        </Card>
      </Columns>
    </>
  );
}

/** The agent's name is untrusted text: isolated and quoted. */
const Asker = ({ refund }: { refund: RefundItem }) => (
  <>
    Refund of <bdi className="[overflow-wrap:anywhere]">{refund.agentName}</bdi>
  </>
);

function RefundFacts({ refund, sold, paidReceiptHref, paidAt, refundedByOthers, balance }: RefundPageProps) {
  return (
    <Facts>
      <Fact label="To the payer">
        <AddressTag address={refund.refundTo} />
      </Fact>
      <Fact label="From your wallet">
        <AddressTag address={refund.refundFrom} noun="wallet address" />
      </Fact>
      {stateOf(refund) === "waiting" && (
        <Fact label="It holds">{balance === null ? "not known right now" : <Amount atomic={balance} />}</Fact>
      )}
      <Fact label="Network">{NETWORKS[refund.network].label}</Fact>
      <Fact label="Sold">
        <bdi>{sold ?? "A payment to the agent"}</bdi>
      </Fact>
      <Fact label="Paid">
        <span className="inline-grid justify-items-end gap-0.5">
          <Time at={paidAt} />
          <Link href={paidReceiptHref} className="text-small underline underline-offset-4 max-sm:py-2.5">
            Receipt of the payment
          </Link>
        </span>
      </Fact>
      {refundedByOthers > 0n && (
        <Fact label="Other refunds">
          <Amount atomic={refundedByOthers} />
        </Fact>
      )}
      {refund.status === "pending" && !refund.isApproved && (
        <Fact label="Approve until">
          <Time at={refund.expiresAt} />
        </Fact>
      )}
    </Facts>
  );
}

function Deciding({ refund, balance, endsPass }: Pick<RefundPageProps, "refund" | "balance" | "endsPass">) {
  const missing = balance === null ? 0n : refund.amount - balance;
  return (
    <>
      <TooLittle thing="refund" network={refund.network} missing={missing} />
      <RefundDecision refundId={refund.refundId} sum={sumOf(refund)} canPay={missing <= 0n} />
      <p className="text-small text-ink-2">
        {endsPass && "Your approval ends the pass that was bought. "}The money goes to the address that paid and nowhere
        else. No gas: we pay the network for you. A refund cannot be reversed.
      </p>
    </>
  );
}

function Next({ state, refund }: { state: RefundState; refund: RefundItem }) {
  if (state === "waiting") return null;
  return (
    <Actions>
      {refund.settlementId !== null && state !== "failed" && (
        <ButtonLink variant="primary" href={`/receipt/${refund.settlementId}`}>
          See the receipt
        </ButtonLink>
      )}
      <ButtonLink href={`/dashboard/payments/${refund.paymentId}`}>Open the payment</ButtonLink>
    </Actions>
  );
}

const sumOf = (refund: RefundItem): string => usdcText(refund.amount);

type Shown = { title: string; said: ReactNode; tone: BadgeTone; label: string };

const STATES = {
  waiting: (refund) => ({
    title: `Refund ${sumOf(refund)}?`,
    said:
      refund.requestedBy === "owner"
        ? "You prepared this refund. Nothing moves before you approve it."
        : "Your agent asks you to refund a payment it received. Nothing moves before you approve it.",
    tone: "info",
    label: "Waiting for you",
  }),
  underway: (refund) =>
    refund.stillValidUntil !== null
      ? {
          title: `${sumOf(refund)} not refunded yet`,
          said: (
            <>
              {FAILURES[refund.failureCode ?? ""] ?? "The token refused the transfer."} We stopped submitting it, but it
              can still be made until <Time at={refund.stillValidUntil} form="short" />. Wait until then: this page
              shows the outcome.
            </>
          ),
          tone: "warn",
          label: "Not settled",
        }
      : {
          title: `${sumOf(refund)} on the way back`,
          said: "You approved it and the transfer was sent to the chain. You can close this page: it continues without you.",
          tone: "info",
          label: "On its way",
        },
  settled: (refund) => ({
    title: `${sumOf(refund)} refunded`,
    said: "The chain shows the transfer to the payer.",
    tone: "good",
    label: "Refunded",
  }),
  failed: (refund) => ({
    title: "Refund failed. No money moved",
    said: FAILURES[refund.failureCode ?? ""] ?? "The token refused the transfer. A new refund can be requested.",
    tone: "bad",
    label: "Failed",
  }),
  expired: () => ({
    title: "This request has expired",
    said: "It was not approved within 24 hours, so no money moved. You or your agent can request a new refund.",
    tone: "neutral",
    label: "Expired",
  }),
  cancelled: ({ cancelledBy }) => ({
    title: cancelledBy === "owner" ? "You rejected this refund" : "The agent cancelled this refund",
    said: "No money moved. A new refund can be requested.",
    tone: "neutral",
    label: cancelledBy === "owner" ? "Rejected" : "Cancelled",
  }),
} satisfies Record<RefundState, (refund: RefundItem) => Shown>;

const FAILURES: Record<string, string> = {
  INSUFFICIENT_FUNDS: "Your spending wallet had too little USDC when the refund was sent. Add money and refund again.",
  EXPIRED: "The chain did not accept the transfer in time. Refund again.",
  ACCOUNT_BLOCKED: "The issuer of USDC has blocked one of the two addresses.",
  TOKEN_PAUSED: "The issuer of USDC has paused all transfers. Refund again when that is over.",
};

import type { Metadata } from "next";
import {
  PaymentsTogether,
  PayoutsTogether,
  RefundsTogether,
  type WaitingPayment,
  type WaitingPayout,
  type WaitingRefund,
} from "@/components/approvals/together-lists";
import type { Balances } from "@/components/approvals/together-types";
import { KeepFresh } from "@/components/dashboard/keep-fresh";
import { Panes } from "@/components/dashboard/panes";
import { Section } from "@/components/dashboard/section";
import { MandateList } from "@/components/mandates/mandate-list";
import { WaitingPayees } from "@/components/payees/payee-list";
import { SessionOver } from "@/components/site/connection";
import { Stage } from "@/components/site/stage";
import { ButtonLink } from "@/components/ui/button-link";
import { EmptyState } from "@/components/ui/empty-state";
import { PageHeader } from "@/components/ui/page-header";
import { approvalId } from "@/lib/approvals/contract";
import * as approvals from "@/lib/approvals/service";
import { toCapView } from "@/lib/mandates/caps/contract";
import { listWithApproved } from "@/lib/mandates/caps/service";
import { listWatched } from "@/lib/mandates/lists";
import { toPayeeView } from "@/lib/payees/contract";
import * as payees from "@/lib/payees/service";
import * as book from "@/lib/payouts/address-book/service";
import * as payoutRequests from "@/lib/payouts/owner/service";
import * as refunds from "@/lib/refunds/service";
import { mapNetworks } from "@/lib/x402/networks";
import { shownApproval } from "../../authorize/payment/[approvalId]/shown";
import type { SearchParams } from "../query";
import { ownerContext } from "../viewer";

export const metadata: Metadata = { title: "Approvals" };

type Viewer = NonNullable<Awaited<ReturnType<typeof ownerContext>>>;

const MANDATES = 20;

/** Everything that waits for the owner. Payments, payouts and refunds can be approved together. */
export default async function ApprovalsPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await ownerContext();
  if (!ctx) return <SessionOver />;
  const show = approvalId
    .optional()
    .catch(undefined)
    .parse((await searchParams).show);
  const [payments, { waiting: mandates }, waitingPayees, payouts, waitingRefunds, balances, caps] = await Promise.all([
    waitingPayments(ctx),
    listWatched(ctx, MANDATES),
    payees.listWaiting(ctx),
    waitingPayouts(ctx),
    refunds.listWaiting(ctx),
    balancesOf(ctx),
    listWithApproved(ctx),
  ]);
  const left = { balances, caps: caps.map((cap) => toCapView(cap, ctx.now())) };
  const otherCount = mandates.length + waitingPayees.length + payouts.length + waitingRefunds.length;
  const isCut =
    payments.length >= approvals.WAITING_MAX ||
    mandates.length >= MANDATES ||
    waitingPayees.length >= payees.WAITING_MAX ||
    payouts.length >= payoutRequests.WAITING_MAX ||
    waitingRefunds.length >= refunds.WAITING_MAX;
  return (
    <Panes label="The chosen payment" detail={show === undefined ? null : <Chosen ctx={ctx} id={show} />}>
      <PageHeader title="Approvals" description="What your agents ask you for." />
      <PaymentsTogether payments={payments} {...left} />
      {payments.length + otherCount === 0 && (
        <EmptyState
          title="Nothing is waiting for you"
          action={<ButtonLink href="/dashboard/mandates">See your mandates</ButtonLink>}
        >
          When an agent asks for a payment outside its mandates, or for a new mandate, it appears here.
        </EmptyState>
      )}
      {mandates.length > 0 && (
        <Section id="mandates" title="Mandates" more={{ href: "/dashboard/mandates", label: "All mandates" }}>
          <MandateList label="Mandates waiting for you" mandates={mandates.map((mandate) => ({ mandate }))} />
        </Section>
      )}
      {waitingPayees.length > 0 && (
        <Section id="payees" title="Payees">
          <WaitingPayees
            label="Payees waiting for your confirmation"
            payees={waitingPayees.map(({ payee }) => toPayeeView(payee))}
          />
        </Section>
      )}
      <PayoutsTogether payouts={payouts} {...left} />
      <RefundsTogether refunds={waitingRefunds.map(toWaitingRefund)} balances={balances} />
      {isCut && (
        <p className="text-small text-ink-2">If there are more, they appear here when you have decided some.</p>
      )}
      <KeepFresh isActive />
    </Panes>
  );
}

async function Chosen({ ctx, id }: { ctx: Viewer; id: string }) {
  const { stage, said: announcement, content } = await shownApproval(ctx, id, undefined, 2);
  return (
    <Stage name={stage} said={announcement}>
      {content}
    </Stage>
  );
}

async function balancesOf(ctx: Viewer): Promise<Balances> {
  const lefts = await Promise.all(
    (await book.balances(ctx)).map(async ({ network, wallet, balance, reserved, pending }) => {
      const approved = await approvals.sumApproved(ctx, wallet.id);
      return { network, left: balance === null ? null : balance - reserved - pending - approved };
    }),
  );
  return mapNetworks((network) => lefts.find((each) => each.network === network)?.left ?? null);
}

async function waitingPayments(ctx: Viewer): Promise<WaitingPayment[]> {
  const waiting = await approvals.listWaiting(ctx, approvals.WAITING_MAX);
  const weighed = await book.weighAddresses(ctx, [...new Set(waiting.map(({ approval }) => approval.payee))]);
  const assessmentsByAddress = new Map(weighed.map((assessment) => [assessment.address, assessment]));
  return waiting.map(
    ({ approval: { id, amount, network, host, payee, description, agentId, expiresAt }, agentName }) => ({
      approvalId: id,
      amount,
      network,
      host,
      payTo: payee,
      description,
      agentId,
      agentName,
      expiresAt,
      isFirst: assessmentsByAddress.get(payee)?.isFirst ?? true,
      isLookalike: assessmentsByAddress.get(payee)?.looksLike != null,
    }),
  );
}

async function waitingPayouts(ctx: Viewer): Promise<WaitingPayout[]> {
  const waiting = await payoutRequests.listWaiting(ctx);
  const addresses = waiting.flatMap(({ legs }) => legs.map(({ leg }) => leg.toAddress));
  const assessmentsByAddress = new Map(
    (await book.weighAddresses(ctx, [...new Set(addresses)])).map((assessment) => [assessment.address, assessment]),
  );
  return waiting.map(({ payout: { id, amount, network, description, expiresAt, agentId }, agentName, legs }) => {
    const recipients = legs.map(({ leg }) => ({
      address: leg.toAddress,
      known: assessmentsByAddress.get(leg.toAddress),
    }));
    return {
      payoutRecordId: id,
      amount,
      network,
      description,
      expiresAt,
      agent: agentId === null ? null : { id: agentId, name: agentName ?? "A deleted agent" },
      recipients: recipients.map(({ address, known: assessment }) => ({ address, name: assessment?.bookName ?? null })),
      isFirst: recipients.some(({ known: assessment }) => assessment?.isFirst ?? true),
      isLookalike: recipients.some(({ known: assessment }) => assessment?.looksLike != null),
    };
  });
}

const toWaitingRefund = ({ refund, paid: settlement, sale: { agentName } }: refunds.RefundView): WaitingRefund => ({
  refundId: refund.refundId,
  amount: refund.amount,
  network: settlement.network,
  agentName,
  reason: refund.reason,
  originalAmount: settlement.amount,
  refundTo: settlement.payer,
  expiresAt: refund.expiresAt,
});

import type { Metadata } from "next";
import { Together, type WaitingPayment } from "@/components/approvals/together";
import { KeepFresh } from "@/components/dashboard/keep-fresh";
import { Section } from "@/components/dashboard/section";
import { MandateList } from "@/components/mandates/mandate-list";
import { WaitingPayees } from "@/components/payees/payee-list";
import { PayoutList } from "@/components/payouts/payout-list";
import { RefundList } from "@/components/refunds/refund-list";
import { ButtonLink } from "@/components/ui/button-link";
import { EmptyState } from "@/components/ui/empty-state";
import { PageHeader } from "@/components/ui/page-header";
import * as approvals from "@/lib/approvals/service";
import { listWatched } from "@/lib/mandates/lists";
import { toPayeeView } from "@/lib/payees/contract";
import * as payees from "@/lib/payees/service";
import { weighAddresses } from "@/lib/payouts/address-book/service";
import { listWaiting } from "@/lib/payouts/owner/service";
import { toPayoutItem } from "@/lib/payouts/responses";
import { toRefundItem } from "@/lib/refunds/contract";
import * as refunds from "@/lib/refunds/service";
import { namesOf } from "../payouts/names";
import { ownerContext } from "../viewer";

export const metadata: Metadata = { title: "Approvals" };

type Viewer = NonNullable<Awaited<ReturnType<typeof ownerContext>>>;

const MANDATES = 20;

/** Everything that waits for the owner. Payments can be approved together. */
export default async function ApprovalsPage() {
  const ctx = await ownerContext();
  if (!ctx) return null;
  const [payments, { waiting: mandates }, waitingPayees, payouts, waitingRefunds, names] = await Promise.all([
    waitingPayments(ctx),
    listWatched(ctx, MANDATES),
    payees.listWaiting(ctx),
    listWaiting(ctx),
    refunds.listWaiting(ctx),
    namesOf(ctx),
  ]);
  const { baseUrl } = ctx.config;
  const now = ctx.now();
  const others = mandates.length + waitingPayees.length + payouts.length + waitingRefunds.length;
  return (
    <>
      <PageHeader
        title="Approvals"
        description="What your agents ask you for. Payments can be approved together, with one confirmation."
      />
      <Together payments={payments} />
      {payments.length + others === 0 && (
        <EmptyState
          title="Nothing waits for you"
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
            label="Payees that wait for your confirmation"
            payees={waitingPayees.map(({ payee }) => toPayeeView(payee))}
          />
        </Section>
      )}
      {payouts.length > 0 && (
        <Section id="payouts" title="Payouts" more={{ href: "/dashboard/payouts", label: "All payouts" }}>
          <PayoutList
            label="Payouts that wait for your approval"
            payouts={payouts.map((view) => toPayoutItem(view, baseUrl, now))}
            names={names}
          />
        </Section>
      )}
      {waitingRefunds.length > 0 && (
        <Section id="refunds" title="Refunds">
          <RefundList
            label="Refunds that wait for your approval"
            refunds={waitingRefunds.map((view) => toRefundItem(view, baseUrl, now))}
          />
        </Section>
      )}
      <KeepFresh isActive />
    </>
  );
}

async function waitingPayments(ctx: Viewer): Promise<WaitingPayment[]> {
  const waiting = await approvals.listWaiting(ctx, approvals.WAITING_MAX);
  const weighed = await weighAddresses(ctx, [...new Set(waiting.map(({ approval }) => approval.payee))]);
  const known = new Map(weighed.map((each) => [each.address, each]));
  return waiting.map(({ approval: { id, amount, network, host, payee, expiresAt }, agentName }) => ({
    ...{ approvalId: id, amount, network, host, payTo: payee, agentName, expiresAt },
    isFirst: known.get(payee)?.isFirst ?? true,
    isLookalike: known.get(payee)?.looksLike != null,
  }));
}

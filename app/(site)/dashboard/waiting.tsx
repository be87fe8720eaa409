import { KeepFresh } from "@/components/dashboard/keep-fresh";
import { Section } from "@/components/dashboard/section";
import { WaitingPayees } from "@/components/payees/payee-list";
import { PayoutList } from "@/components/payouts/payout-list";
import { RefundList } from "@/components/refunds/refund-list";
import { Amount } from "@/components/ui/amount";
import { Badge } from "@/components/ui/badge";
import { Link } from "@/components/ui/link";
import { Time } from "@/components/ui/time";
import { type ApprovalView, toApprovalView } from "@/lib/approvals/contract";
import * as approvals from "@/lib/approvals/service";
import { toPayeeView } from "@/lib/payees/contract";
import * as payees from "@/lib/payees/service";
import { listWaiting } from "@/lib/payouts/owner/service";
import { toPayoutItem } from "@/lib/payouts/responses";
import { toRefundItem } from "@/lib/refunds/contract";
import * as refunds from "@/lib/refunds/service";
import { namesOf } from "./payouts/names";
import type { ownerContext } from "./viewer";

type Viewer = NonNullable<Awaited<ReturnType<typeof ownerContext>>>;

/** Payments, payees, payouts and refunds that wait for the owner's decision. Mandates are listed separately. */
export const WaitingRequests = ({ ctx }: { ctx: Viewer }) => (
  <>
    <WaitingPayments ctx={ctx} />
    <WaitingPayeeSection ctx={ctx} />
    <WaitingPayouts ctx={ctx} />
    <Waiting ctx={ctx} />
  </>
);

/** Payments without a mandate. Each expires within minutes, so the page refreshes. */
async function WaitingPayments({ ctx }: { ctx: Viewer }) {
  const waiting = await approvals.listWaiting(ctx);
  if (waiting.length === 0) return null;
  return (
    <Section
      id="approvals"
      title="Payments waiting for you"
      more={{ href: "/dashboard/approvals", label: "Approve several" }}
    >
      <ApprovalList
        label="Payments waiting for your approval"
        approvals={waiting.map((approval) => toApprovalView(approval, ctx.config.baseUrl, ctx.now()))}
      />
      <KeepFresh isActive />
    </Section>
  );
}

/** Addresses that hosts did not confirm. */
async function WaitingPayeeSection({ ctx }: { ctx: Viewer }) {
  const waiting = await payees.listWaiting(ctx);
  if (waiting.length === 0) return null;
  return (
    <Section id="payees" title="Payees waiting for you">
      <WaitingPayees
        label="Payees waiting for your confirmation"
        payees={waiting.map(({ payee }) => toPayeeView(payee))}
      />
      <KeepFresh isActive />
    </Section>
  );
}

async function WaitingPayouts({ ctx }: { ctx: Viewer }) {
  const waiting = await listWaiting(ctx);
  if (waiting.length === 0) return null;
  return (
    <Section id="payouts" title="Payouts waiting for you" more={{ href: "/dashboard/payouts", label: "All payouts" }}>
      <PayoutList
        label="Payouts waiting for your approval"
        payouts={waiting.map((view) => toPayoutItem(view, ctx.config.baseUrl, ctx.now()))}
        names={await namesOf(ctx)}
      />
      <KeepFresh isActive />
    </Section>
  );
}

/** Refunds that agents requested, or that the owner prepared and did not approve yet. */
async function Waiting({ ctx }: { ctx: Viewer }) {
  const waiting = await refunds.listWaiting(ctx);
  if (waiting.length === 0) return null;
  return (
    <Section id="waiting" title="Refunds waiting for you">
      <RefundList
        label="Refunds waiting for your approval"
        refunds={waiting.map((view) => toRefundItem(view, ctx.config.baseUrl, ctx.now()))}
      />
    </Section>
  );
}

function ApprovalList({ label, approvals }: { label: string; approvals: readonly ApprovalView[] }) {
  return (
    <ul aria-label={label} className="grid divide-y rounded-card border bg-card">
      {approvals.map((approval) => (
        <li key={approval.approvalId} data-row={approval.approvalId}>
          <Link
            href={`/authorize/payment/${approval.approvalId}`}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-5 py-3.5 text-control no-underline hover:bg-sunk"
          >
            <span className="grid min-w-0 gap-0.5">
              <span className="font-medium [overflow-wrap:anywhere]">
                <Amount atomic={approval.amount} /> to <bdi>{approval.host}</bdi>
              </span>
              <span className="text-small text-ink-2 [overflow-wrap:anywhere]">
                <bdi>{approval.agentName}</bdi>, until <Time at={approval.expiresAt} form="short" />
              </span>
            </span>
            <Badge tone="warn">Waiting for you</Badge>
          </Link>
        </li>
      ))}
    </ul>
  );
}

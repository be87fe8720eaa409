import { KeepFresh } from "@/components/dashboard/keep-fresh";
import { Section } from "@/components/dashboard/section";
import { MandateList, type MandateListProps } from "@/components/mandates/mandate-list";
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

type WaitingRequestsProps = {
  ctx: Viewer;
  /** Mandates that wait for a signature, and those that end soon. */
  mandates: MandateListProps["mandates"];
};

/** Rows of each kind. The balance below is the page's figure, and "All approvals" has the others. */
const SHOWN_MAX = 3;

/** What waits for the owner, in one section. */
export async function WaitingRequests({ ctx, mandates }: WaitingRequestsProps) {
  const [payments, waitingPayees, payouts, waitingRefunds] = await Promise.all([
    approvals.listWaiting(ctx),
    payees.listWaiting(ctx),
    listWaiting(ctx),
    refunds.listWaiting(ctx),
  ]);
  const requestCount = payments.length + waitingPayees.length + payouts.length + waitingRefunds.length;
  if (requestCount + mandates.length === 0) return null;
  return (
    <Section id="waiting" title="Waiting for you" more={{ href: "/dashboard/approvals", label: "All approvals" }}>
      <div className="grid gap-2">
        {payments.length > 0 && (
          <ApprovalList
            label="Payments waiting for your approval"
            approvals={payments
              .slice(0, SHOWN_MAX)
              .map((approval) => toApprovalView(approval, ctx.config.baseUrl, ctx.now()))}
          />
        )}
        {waitingPayees.length > 0 && (
          <WaitingPayees
            label="Payees waiting for your confirmation"
            payees={waitingPayees.slice(0, SHOWN_MAX).map(({ payee }) => toPayeeView(payee))}
          />
        )}
        {payouts.length > 0 && (
          <PayoutList
            label="Payouts waiting for your approval"
            payouts={payouts.slice(0, SHOWN_MAX).map((view) => toPayoutItem(view, ctx.config.baseUrl, ctx.now()))}
            names={await namesOf(ctx)}
          />
        )}
        {waitingRefunds.length > 0 && (
          <RefundList
            label="Refunds waiting for your approval"
            refunds={waitingRefunds
              .slice(0, SHOWN_MAX)
              .map((view) => toRefundItem(view, ctx.config.baseUrl, ctx.now()))}
          />
        )}
        {mandates.length > 0 && <MandateList label="Mandates waiting for you" mandates={mandates} />}
      </div>
      {/* A payment without a mandate expires within minutes. */}
      <KeepFresh isActive={requestCount > 0} />
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
                Pay <Amount atomic={approval.amount} /> to <bdi>{approval.host}</bdi>
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

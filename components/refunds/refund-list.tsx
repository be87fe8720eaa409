import { Amount } from "@/components/ui/amount";
import { Badge, type BadgeTone } from "@/components/ui/badge";
import { Link } from "@/components/ui/link";
import { Time } from "@/components/ui/time";
import type { RefundItem } from "@/lib/refunds/contract";
import { type RefundState, stateOf } from "./state";

export type RefundListProps = { label: string; refunds: readonly RefundItem[] };

/** Refunds, each linked to its page. */
export function RefundList({ label, refunds }: RefundListProps) {
  return (
    <ul aria-label={label} className="grid divide-y rounded-card border bg-card">
      {refunds.map((refund) => (
        <li key={refund.refundId} data-row={refund.refundId}>
          <Link
            href={`/authorize/refund/${refund.refundId}`}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-5 py-3.5 text-control no-underline hover:bg-sunk"
          >
            <span className="grid min-w-0 gap-0.5">
              <span className="font-medium">
                Refund <Amount atomic={refund.amount} />
              </span>
              <span className="text-small text-ink-2 [overflow-wrap:anywhere]">
                <bdi>{refund.agentName}</bdi>, <Time at={refund.createdAt} form="short" show="absolute" />
              </span>
            </span>
            <Badge tone={BADGES[stateOf(refund)].tone}>{BADGES[stateOf(refund)].label}</Badge>
          </Link>
        </li>
      ))}
    </ul>
  );
}

const BADGES = {
  waiting: { tone: "warn", label: "Waiting for you" },
  underway: { tone: "info", label: "On its way" },
  settled: { tone: "good", label: "Refunded" },
  failed: { tone: "bad", label: "Failed" },
  expired: { tone: "neutral", label: "Expired" },
  cancelled: { tone: "neutral", label: "Cancelled" },
} satisfies Record<RefundState, { tone: BadgeTone; label: string }>;

import { Amount } from "@/components/ui/amount";
import { Badge } from "@/components/ui/badge";
import { Link } from "@/components/ui/link";
import { Time } from "@/components/ui/time";
import type { ApprovalView } from "@/lib/approvals/contract";

export function ApprovalList({ label, approvals }: { label: string; approvals: readonly ApprovalView[] }) {
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

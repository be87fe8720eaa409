import { Amount } from "@/components/ui/amount";
import { Badge } from "@/components/ui/badge";
import { ButtonLink } from "@/components/ui/button-link";
import { Link } from "@/components/ui/link";
import { Time } from "@/components/ui/time";
import type { PayoutItem } from "@/lib/payouts/responses";
import { DenyButton } from "./deny-button";
import { Recipients } from "./payout-table";
import { decideHref } from "./words";

export type PayoutListProps = { label: string; payouts: readonly PayoutItem[]; names: ReadonlyMap<string, string> };

/** Pending payouts, each with a link to the page for its approval. */
export function PayoutList({ label, payouts, names }: PayoutListProps) {
  return (
    <ul aria-label={label} className="grid divide-y rounded-card border bg-card">
      {payouts.map((payout) => (
        <li key={payout.payoutRecordId} data-row={payout.payoutRecordId}>
          <Link
            href={decideHref(payout.payoutRecordId)}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-5 py-3.5 text-control no-underline hover:bg-sunk"
          >
            <What payout={payout} names={names} />
            <Badge tone="warn">Waiting for you</Badge>
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** Pending payouts with a reject button each. Approving requires the payout's page, which shows full addresses. */
export function DecidablePayouts({ label, payouts, names }: PayoutListProps) {
  return (
    <ul aria-label={label} className="grid divide-y rounded-card border bg-card">
      {payouts.map((payout) => (
        <li
          key={payout.payoutRecordId}
          className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 px-5 py-3.5 text-control"
        >
          <What payout={payout} names={names} />
          <span className="flex flex-wrap gap-2">
            <DenyButton recordId={payout.payoutRecordId} isOwn={payout.agentId === null} size="small" />
            <ButtonLink size="small" variant="primary" href={decideHref(payout.payoutRecordId)}>
              Review and pay
            </ButtonLink>
          </span>
        </li>
      ))}
    </ul>
  );
}

const What = ({ payout, names }: { payout: PayoutItem; names: ReadonlyMap<string, string> }) => (
  <span className="grid min-w-0 gap-0.5">
    <span className="font-medium [overflow-wrap:anywhere]">
      Pay out <Amount atomic={payout.amount} wraps /> to <Recipients payout={payout} names={names} />
    </span>
    <span className="text-small text-ink-2 [overflow-wrap:anywhere]">
      {payout.agentId === null ? "You created it" : <bdi>{payout.agentName ?? "A deleted agent"}</bdi>}, until{" "}
      <Time at={new Date(payout.expiresAt * 1000)} form="short" />
    </span>
  </span>
);

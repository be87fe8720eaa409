import { Amount } from "@/components/ui/amount";
import { Badge } from "@/components/ui/badge";
import { Link } from "@/components/ui/link";
import { shorten } from "@/components/ui/shorten";
import { type Column, Table } from "@/components/ui/table";
import { Time } from "@/components/ui/time";
import type { PayoutItem } from "@/lib/payouts/responses";
import { NETWORKS } from "@/lib/x402/networks";
import { payoutHref, STATUS_WORDS } from "./words";

export type PayoutTableProps = {
  /** Describes the rows for screen readers; not shown. */
  caption: string;
  payouts: readonly PayoutItem[];
  /** The owner's names by address. */
  names: ReadonlyMap<string, string>;
};

export function PayoutTable({ caption, payouts, names }: PayoutTableProps) {
  const columns: readonly Column<PayoutItem>[] = [
    { key: "whom", header: "To", cell: (payout) => <Whom payout={payout} names={names} /> },
    { key: "status", header: "Status", from: "md", cell: (payout) => <Status payout={payout} /> },
    {
      key: "time",
      header: "Time",
      from: "lg",
      cell: ({ createdAt }) => (
        <span className="grid whitespace-nowrap">
          <Time at={createdAt} form="short" show="absolute" />
          <Time at={createdAt} form="short" show="relative" className="text-tiny text-ink-2" />
        </span>
      ),
    },
    {
      key: "amount",
      header: "USDC",
      align: "end",
      cell: ({ amount, network }) => (
        <span className="grid justify-items-end gap-0.5">
          <Amount atomic={amount} unit={null} className="font-medium" />
          {NETWORKS[network].isTestnet && <span className="text-tiny text-ink-2">{NETWORKS[network].label}</span>}
        </span>
      ),
    },
  ];
  return <Table caption={caption} columns={columns} rows={payouts} rowKey={(payout) => payout.payoutRecordId} />;
}

function Whom({ payout, names }: { payout: PayoutItem; names: ReadonlyMap<string, string> }) {
  return (
    <div className="grid min-w-0 gap-0.5">
      <Link
        href={payoutHref(payout.payoutRecordId)}
        className="font-medium underline decoration-line-2 underline-offset-4 [overflow-wrap:anywhere] hover:decoration-current max-sm:-my-3 max-sm:py-3"
      >
        <Recipients payout={payout} names={names} />
      </Link>
      <span className="line-clamp-2 text-small text-ink-2 [overflow-wrap:anywhere]">
        {payout.agentId === null ? "You" : <bdi>{payout.agentName ?? "A deleted agent"}</bdi>}
        {payout.description !== "" && (
          <>
            : <bdi>{payout.description}</bdi>
          </>
        )}
      </span>
      <span className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-small text-ink-2 lg:hidden">
        <span className="md:hidden">
          <Status payout={payout} />
        </span>
        <Time at={payout.createdAt} form="short" show="absolute" />
      </span>
    </div>
  );
}

/** The name or address of a single recipient, or the number of recipients. */
export function Recipients({ payout, names }: { payout: PayoutItem; names: ReadonlyMap<string, string> }) {
  if (payout.toAddress === null) return <>{payout.legs.length} recipients</>;
  const name = names.get(payout.toAddress);
  return name === undefined ? <span className="mono">{shorten(payout.toAddress)}</span> : <bdi>{name}</bdi>;
}

const Status = ({ payout: { status } }: { payout: PayoutItem }) => (
  <Badge tone={STATUS_WORDS[status].tone} className="whitespace-nowrap">
    {STATUS_WORDS[status].label}
  </Badge>
);

import { Amount } from "@/components/ui/amount";
import { Badge } from "@/components/ui/badge";
import { Link } from "@/components/ui/link";
import { type Column, Table } from "@/components/ui/table";
import { formatUsdc } from "@/lib/core/usdc";
import type { InvoiceItemOut } from "@/lib/invoices/views";
import { NETWORKS } from "@/lib/x402/networks";
import { badgeOf, dayText, dueText } from "./words";

export type InvoiceTableRow = { item: InvoiceItemOut; agentName: string };

export const InvoiceTable = ({ rows }: { rows: readonly InvoiceTableRow[] }) => (
  <Table caption="Invoices" columns={COLUMNS} rows={rows} rowKey={({ item }) => item.invoiceId} />
);

const COLUMNS: readonly Column<InvoiceTableRow>[] = [
  { key: "number", header: "Invoice", cell: (row) => <Name row={row} /> },
  { key: "total", header: "USDC", align: "end", cell: ({ item }) => <Total item={item} /> },
  { key: "due", header: "Due", from: "md", cell: ({ item }) => <Due item={item} /> },
  { key: "state", header: "Status", from: "sm", cell: ({ item }) => <State item={item} /> },
];

function Name({ row: { item, agentName } }: { row: InvoiceTableRow }) {
  return (
    <div className="grid min-w-30 gap-0.5">
      <Link
        href={`/dashboard/invoices/${item.invoiceId}`}
        className="font-medium [overflow-wrap:anywhere] decoration-line-2 underline-offset-4 hover:underline"
      >
        {item.number}
      </Link>
      <span className="flex flex-wrap gap-x-2 text-small text-ink-2">
        <bdi className="line-clamp-1 [overflow-wrap:anywhere]">{item.buyerName}</bdi>
        <span className="max-sm:hidden">
          by <bdi className="[overflow-wrap:anywhere]">{agentName}</bdi>
        </span>
      </span>
      <span className="mt-1 flex flex-wrap items-center gap-x-2.5 gap-y-1 sm:hidden">
        <State item={item} />
      </span>
    </div>
  );
}

type Of = { item: InvoiceItemOut };

function State({ item }: Of) {
  const { label, tone } = badgeOf(item);
  return <Badge tone={tone}>{label}</Badge>;
}

const Total = ({ item: { total, network } }: Of) => (
  <span className="grid justify-items-end gap-0.5">
    <Amount value={formatUsdc(total)} unit={null} className="whitespace-normal! [overflow-wrap:anywhere]" />
    {NETWORKS[network].isTestnet && (
      <span className="text-tiny whitespace-nowrap text-ink-2">{NETWORKS[network].label}</span>
    )}
  </span>
);

const Due = ({ item }: Of) => (
  <span className="grid gap-0.5 text-small whitespace-nowrap">
    {dayText(item.dueDate)}
    {item.canBePaid && <span className="text-ink-2">{dueText(item)}</span>}
  </span>
);

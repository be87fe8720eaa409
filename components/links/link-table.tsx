import { ArrowDown, ArrowUp } from "lucide-react";
import { type Chosen, opens } from "@/components/dashboard/opens";
import { Amount } from "@/components/ui/amount";
import { formatCount } from "@/components/ui/format";
import { Link } from "@/components/ui/link";
import { shorten } from "@/components/ui/shorten";
import { type Column, Table } from "@/components/ui/table";
import { Time } from "@/components/ui/time";
import { formatUsdc, type Usdc } from "@/lib/core/usdc";
import type { LinkState } from "@/lib/links/contract";
import { NETWORKS, type NetworkName } from "@/lib/x402/networks";
import { LinkActions } from "./link-actions";
import { Thumbnail } from "./link-image";
import { SelectAll, type SelectableLink, SelectLink } from "./link-selection";
import { StateBadge } from "./link-state";
import { titleOf } from "./words";

export type LinkRow = {
  linkId: string;
  agentId: string;
  agentName: string;
  url: string;
  title: string | null;
  description: string;
  /** Null without an image. */
  imageUrl: string | null;
  amount: Usdc;
  network: NetworkName;
  maxUses: number | null;
  settled: number;
  /** Pending payments. */
  open: number;
  state: LinkState;
  isOn: boolean;
  createdAt: Date;
};

/** The link that sorts by a column, and the current direction if any. */
export type Sorting = { href: string; direction: "ascending" | "descending" | undefined };
export type LinkTableProps = {
  rows: readonly LinkRow[];
  sorting: Record<"name" | "price" | "paid" | "created", Sorting>;
  /** The selection of the list in Panes. */
  panes: Chosen;
};

export function LinkTable({ rows, sorting, panes }: LinkTableProps) {
  const sorted = (column: keyof typeof sorting, label: string) => ({
    header: <SortLink label={label} {...sorting[column]} />,
    sort: sorting[column].direction,
  });
  const created: Column<LinkRow> = {
    key: "created",
    ...sorted("created", "Created"),
    from: "lg",
    cell: ({ createdAt }) => (
      <Time at={createdAt} form="short" show="absolute" className="text-small whitespace-nowrap text-ink-2" />
    ),
  };
  const columns: readonly Column<LinkRow>[] = [
    {
      key: "select",
      header: <SelectAll />,
      from: "sm",
      cell: (row) => <SelectLink linkId={row.linkId} title={nameOf(row)} />,
    },
    { key: "name", ...sorted("name", "Link"), isRowHeader: true, cell: (row) => <Name row={row} panes={panes} /> },
    { key: "price", ...sorted("price", "USDC"), align: "end", cell: (row) => <Price row={row} /> },
    { key: "paid", ...sorted("paid", "Paid"), align: "end", from: "sm", cell: (row) => <Paid row={row} /> },
    { key: "state", header: "Status", from: "sm", cell: ({ state }) => <StateBadge state={state} /> },
    // While details are open beside the list, they show this column's value.
    ...(panes.shown === undefined ? [created] : []),
    {
      key: "actions",
      header: <span className="sr-only">Actions</span>,
      align: "end",
      cell: (row) => (
        <LinkActions agentId={row.agentId} linkId={row.linkId} url={row.url} title={nameOf(row)} isOn={row.isOn} />
      ),
    },
  ];
  return <Table caption="Payment links" columns={columns} rows={rows} rowKey={({ linkId }) => linkId} />;
}

/** Links to the page of the link. The title is untrusted text: isolated, at most two lines. */
function Name({ row, panes }: { row: LinkRow; panes: Chosen }) {
  const title = titleOf(row);
  const href = `/dashboard/links/${row.linkId}`;
  return (
    <div className="flex items-start gap-3 sm:min-w-30">
      {row.imageUrl !== null && <Thumbnail url={row.imageUrl} />}
      <div className="grid min-w-0 gap-0.5">
        <Link
          href={href}
          {...opens(href, panes)}
          className="decoration-line-2 underline-offset-4 hover:underline max-sm:-my-3 max-sm:py-3"
        >
          <span className="line-clamp-2 font-medium [overflow-wrap:anywhere]">
            {title === null ? <span className="text-ink-2">No title</span> : <bdi>{title}</bdi>}
          </span>
        </Link>
        <span className="flex flex-wrap gap-x-2 text-small text-ink-2">
          <bdi className="line-clamp-1 [overflow-wrap:anywhere]">{row.agentName}</bdi>
          <span className="mono text-tiny leading-normal max-sm:hidden" title={row.linkId}>
            {shorten(row.linkId)}
          </span>
        </span>
        <span className="mt-1 flex flex-wrap items-center gap-x-2.5 gap-y-1 sm:hidden">
          <StateBadge state={row.state} />
          <span className="text-small text-ink-2 num">{timesPaid(row)} paid</span>
        </span>
      </div>
    </div>
  );
}

function Price({ row: { amount, network } }: { row: LinkRow }) {
  return (
    <span className="grid justify-items-end gap-0.5">
      {/* A long amount must wrap. */}
      <span className="min-w-14 sm:min-w-24">
        <Amount value={formatUsdc(amount)} unit={null} className="whitespace-normal! [overflow-wrap:anywhere]" />
      </span>
      {NETWORKS[network].isTestnet && (
        <span className="text-tiny whitespace-nowrap text-ink-2">{NETWORKS[network].label}</span>
      )}
    </span>
  );
}

function Paid({ row }: { row: LinkRow }) {
  return (
    <span className="grid justify-items-end gap-0.5 whitespace-nowrap">
      <span>{timesPaid(row)}</span>
      {row.open > 0 && <span className="text-tiny text-ink-2">{formatCount(row.open)} under way</span>}
    </span>
  );
}

function SortLink({ label, href, direction }: { label: string } & Sorting) {
  const Arrow = direction === "ascending" ? ArrowUp : ArrowDown;
  return (
    <Link
      href={href}
      scroll={false}
      className="inline-flex min-h-8 items-center gap-1 no-underline hover:text-ink max-sm:min-h-11"
    >
      {label}
      {direction !== undefined && <Arrow aria-hidden className="size-3" />}
    </Link>
  );
}

const timesPaid = ({ settled, maxUses }: LinkRow) =>
  maxUses === null ? formatCount(settled) : `${formatCount(settled)} of ${formatCount(maxUses)}`;

export const selectableOf = (row: LinkRow): SelectableLink => ({
  linkId: row.linkId,
  agentId: row.agentId,
  title: nameOf(row),
});

/** A short name for the accessible names of controls. */
const nameOf = (row: LinkRow) => cut(titleOf(row) ?? shorten(row.linkId));

const cut = (title: string) => {
  const letters = [...title];
  return letters.length > TITLE_MAX ? `${letters.slice(0, TITLE_MAX - 1).join("")}…` : title;
};

const TITLE_MAX = 60;

import { Plus } from "lucide-react";
import type { Metadata } from "next";
import { z } from "zod";
import { FilterLinks } from "@/components/dashboard/filter-links";
import { Pager } from "@/components/dashboard/pager";
import { badgeOf, dayText, dueText } from "@/components/invoices/words";
import { SessionOver } from "@/components/site/connection";
import { Amount } from "@/components/ui/amount";
import { Badge } from "@/components/ui/badge";
import { ButtonLink } from "@/components/ui/button-link";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";
import { PageHeader } from "@/components/ui/page-header";
import { type Column, Table } from "@/components/ui/table";
import { listOwned } from "@/lib/agents/service";
import { COUNTED_MAX } from "@/lib/core/page";
import { formatUsdc } from "@/lib/core/usdc";
import * as invoices from "@/lib/invoices/service";
import { type InvoiceItemOut, toInvoiceItem } from "@/lib/invoices/views";
import { NETWORKS } from "@/lib/x402/networks";
import { NoAgents } from "../links/no-agents";
import { pagerOf, readPaging } from "../paging";
import { href, oneOf, type SearchParams } from "../query";
import { ownerContext } from "../viewer";

export const metadata: Metadata = { title: "Invoices" };

const PATH = "/dashboard/invoices";

const query = z.object({
  state: oneOf(invoices.INVOICE_FILTERS),
  before: z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number)
    .optional()
    .catch(undefined),
});

export default async function InvoicesPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await ownerContext();
  if (!ctx) return <SessionOver />;
  const params = await searchParams;
  const { state, before: cursor } = query.parse(params);
  const paging = readPaging(params, cursor === undefined);
  const [agents, total, { items, next }] = await Promise.all([
    listOwned(ctx),
    state === undefined ? invoices.countForOwner(ctx) : undefined,
    invoices.listForOwner(ctx, { filter: state, before: cursor, limit: paging.size }),
  ]);
  const rows = items.map((item) => ({
    item: toInvoiceItem(item, ctx.config.baseUrl, ctx.now()),
    agentName: item.agentName ?? "",
  }));
  const isFirst = rows.length === 0 && state === undefined && cursor === undefined;
  const buildHref = (change: { state?: string | undefined }) => href(PATH, change);
  return (
    <>
      <PageHeader
        title="Invoices"
        description="For one named buyer, with lines and a due date. Each has a page to print and a link that is paid once."
        actions={
          !isFirst && (
            <ButtonLink href={`${PATH}/new`} variant="primary">
              <Plus aria-hidden />
              New invoice
            </ButtonLink>
          )
        }
      />
      {isFirst && agents.length === 0 && <NoAgents next="/dashboard/invoices/new" />}
      {isFirst && agents.length > 0 && (
        <EmptyState
          title="No invoice yet"
          action={
            <ButtonLink href={`${PATH}/new`} variant="primary">
              Create your first invoice
            </ButtonLink>
          }
        >
          Name the buyer and what they pay for. You get an address to send them, where they read, print and pay it.
        </EmptyState>
      )}
      {!isFirst && (
        <>
          <FilterLinks
            label="Filter by status"
            options={[undefined, ...invoices.INVOICE_FILTERS].map((value) => ({
              label: value === undefined ? "All" : LABELS[value],
              href: buildHref({ state: value }),
              isCurrent: state === value,
            }))}
          />
          {rows.length > 0 ? (
            <InvoiceTable rows={rows} />
          ) : (
            <EmptyState title="No results">No invoice has this status.</EmptyState>
          )}
          <Pager
            {...pagerOf(
              paging,
              {
                cursor: cursor === undefined ? undefined : String(cursor),
                next: next === null ? null : String(next),
                shown: rows.length,
                total,
                totalMax: COUNTED_MAX,
              },
              ({ cursor: before, ...page }) => href(PATH, { state, before, ...page }),
            )}
          />
        </>
      )}
    </>
  );
}

const LABELS = { unpaid: "Unpaid", paid: "Paid", cancelled: "Cancelled" } satisfies Record<
  invoices.InvoiceFilter,
  string
>;

type InvoiceTableRow = { item: InvoiceItemOut; agentName: string };

const InvoiceTable = ({ rows }: { rows: readonly InvoiceTableRow[] }) => (
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

import { Download } from "lucide-react";
import { Suspense } from "react";
import { z } from "zod";
import { chipsOf, FilterChips } from "@/components/dashboard/filter-chips";
import { IgnoredFilters } from "@/components/dashboard/ignored-filters";
import { KeepFresh } from "@/components/dashboard/keep-fresh";
import { Pager } from "@/components/dashboard/pager";
import { Panes } from "@/components/dashboard/panes";
import { isOpen, saleRow } from "@/components/payments/money-row";
import { MoneyTable } from "@/components/payments/money-table";
import { FILTER_LABELS, SaleFilters, SOURCE_LABELS, STATUS_LABELS } from "@/components/sales/sale-filters";
import { SALES_PATH } from "@/components/site/sections";
import { Amount } from "@/components/ui/amount";
import { buttonClass } from "@/components/ui/button";
import { ButtonLink } from "@/components/ui/button-link";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { formatCount } from "@/components/ui/format";
import { PageHeader } from "@/components/ui/page-header";
import { shorten } from "@/components/ui/shorten";
import { Skeleton } from "@/components/ui/skeleton";
import type { KnownAgent } from "@/lib/agents/service";
import { COUNTED_MAX } from "@/lib/core/page";
import { downloadSales, type SaleQuery, saleFilter } from "@/lib/links/sales/contract";
import * as sales from "@/lib/links/sales/service";
import * as refunds from "@/lib/refunds/service";
import { NETWORKS } from "@/lib/x402/networks";
import { type ReadFilter, readFilter } from "../filter";
import { pagerOf, readPaging } from "../paging";
import { href, type SearchParams } from "../query";
import type { ownerContext } from "../viewer";
import { detailOf, shownPayment } from "./shown";

type Filter = ReadFilter<typeof saleFilter>;
type FilterName = keyof SaleQuery;
type ReceivedProps = { ctx: NonNullable<Awaited<ReturnType<typeof ownerContext>>>; params: Awaited<SearchParams> };

/** The cursor: the id of the payment before which the page begins. */
const place = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(Number)
  .optional()
  .catch(undefined);

/** Payments to the owner's agents. */
export async function Received({ ctx, params }: ReceivedProps) {
  const filter = readFilter(saleFilter, params);
  const cursor = place.parse(params.before);
  const paging = readPaging(params, cursor === undefined);
  const show = shownPayment.parse(params.show);
  // A filter that few sales match would read all of them to count.
  const isWhole = Object.keys(filter.given).length === 0;
  const [agents, total, { rows: saleRecords, next }] = await Promise.all([
    sales.sellers(ctx),
    isWhole ? sales.countAll(ctx) : undefined,
    sales.list(ctx, { filter: await refunds.filterOf(ctx, filter.values), before: cursor, limit: paging.size }),
  ]);
  const rows = (await refunds.toSaleViews(ctx, saleRecords)).map(saleRow);
  const buildHref = (change: Partial<Record<FilterName, string | undefined>> = {}) =>
    href("/dashboard/payments", { side: "received", ...filter.given, ...change });
  const chips = chipsOf(shownOf(filter, agents), FILTER_LABELS, (name) => buildHref({ [name]: undefined }));
  const typed = Object.fromEntries(filter.ignored.map(({ name, said: text }) => [name, text]));
  return (
    <Panes label="The chosen payment" detail={detailOf(ctx, show)}>
      <PageHeader
        title="Sales"
        description="What others paid at your links, invoices and addresses."
        actions={
          // Not a Link: Link would prefetch the whole file.
          <a href={href(downloadSales.path, filter.given)} download className={buttonClass({})}>
            <Download aria-hidden />
            Download CSV
          </a>
        }
      />
      {isWhole && cursor === undefined && rows.length > 0 && (
        <Suspense fallback={<Skeleton className="h-34" />}>
          <Recently ctx={ctx} />
        </Suspense>
      )}
      <SaleFilters agents={agents} values={{ ...filter.given, ...typed }} isOpen={filter.ignored.length > 0} />
      <IgnoredFilters ignored={filter.ignored} labels={FILTER_LABELS} />
      <FilterChips chips={chips} clear={SALES_PATH} />
      <p role="status" className="sr-only">
        {rows.length} {rows.length === 1 ? "payment" : "payments"} on this page
      </p>
      {rows.length === 0 ? (
        <NoPayments isFiltered={chips.length > 0 || cursor !== undefined} />
      ) : (
        <MoneyTable
          caption={"Received, newest first"}
          rows={rows}
          isDevnet={ctx.config.mode === "devnet"}
          panes={{ shown: show }}
        />
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
          ({ cursor: before, ...page }) =>
            href("/dashboard/payments", { side: "received", ...filter.given, before, ...page }),
        )}
      />
      <KeepFresh isActive={rows.some(isOpen)} />
    </Panes>
  );
}

/** What came in lately. Has the height of its skeleton. */
async function Recently({ ctx }: Pick<ReceivedProps, "ctx">) {
  const { network, current } = await sales.overview(ctx, { period: "30d", network: undefined });
  return (
    <Card aria-label="The last 30 days" className="h-34">
      <p className="text-small text-ink-2">Settled in the last 30 days, before refunds</p>
      <p>
        <Amount atomic={current.volume} size="big" />
      </p>
      <p className="text-small text-ink-2">
        {formatCount(current.settled)} {current.settled === 1 ? "payment" : "payments"} on {NETWORKS[network].label}
      </p>
    </Card>
  );
}

/** The label of each active filter. */
function shownOf(
  { values, given: rawValues }: Filter,
  agents: readonly KnownAgent[],
): Record<FilterName, string | undefined> {
  const { status, source, agent, link, payer, tx } = values;
  return {
    status: status && STATUS_LABELS[status],
    agent: agent && (agents.find(({ id }) => id === agent)?.name ?? "unknown agent"),
    source: source && SOURCE_LABELS[source],
    link: link && shorten(link),
    payer: payer && shorten(payer),
    tx: tx && shorten(tx),
    from: rawValues.from,
    to: rawValues.to,
  };
}

function NoPayments({ isFiltered }: { isFiltered: boolean }) {
  return isFiltered ? (
    <EmptyState title="No results" action={<ButtonLink href={SALES_PATH}>Show all</ButtonLink>}>
      No received payment matches.
    </EmptyState>
  ) : (
    <EmptyState
      title="No sales yet"
      action={<ButtonLink href="/dashboard/links/new">Create a payment link</ButtonLink>}
    >
      Payments at your links, invoices and agents’ addresses appear here.
    </EmptyState>
  );
}

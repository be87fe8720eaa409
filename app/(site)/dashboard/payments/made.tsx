import { Download } from "lucide-react";
import { chipsOf, FilterChips } from "@/components/dashboard/filter-chips";
import { AgentFilter, type FilterAgent, FilterForm, FilterText } from "@/components/dashboard/filter-form";
import { FilterLinks } from "@/components/dashboard/filter-links";
import { IgnoredFilters } from "@/components/dashboard/ignored-filters";
import { KeepFresh } from "@/components/dashboard/keep-fresh";
import { Pager } from "@/components/dashboard/pager";
import { Panes } from "@/components/dashboard/panes";
import { isOpen, madeRow } from "@/components/payments/money-row";
import { MoneyTable } from "@/components/payments/money-table";
import { buttonClass } from "@/components/ui/button";
import { ButtonLink } from "@/components/ui/button-link";
import { EmptyState } from "@/components/ui/empty-state";
import { PageHeader } from "@/components/ui/page-header";
import { shorten } from "@/components/ui/shorten";
import { type KnownAgent, listEverOwned } from "@/lib/agents/service";
import {
  downloadMade,
  filterOf,
  MADE_STATUSES,
  type MadeQuery,
  type MadeStatus,
  madeFilter,
} from "@/lib/payments/made/contract";
import { toPaymentView } from "@/lib/payments/responses";
import { listAgentPayments } from "@/lib/payments/service";
import { type ReadFilter, readFilter } from "../filter";
import { pagerOf, readPaging } from "../paging";
import { beginning, href, type SearchParams } from "../query";
import type { ownerContext } from "../viewer";
import { detailOf, shownPayment } from "./shown";

type Filter = ReadFilter<typeof madeFilter>;
type MadeProps = { ctx: NonNullable<Awaited<ReturnType<typeof ownerContext>>>; params: Awaited<SearchParams> };

const PATH = "/dashboard/payments";

export async function Made({ ctx, params }: MadeProps) {
  const filter = readFilter(madeFilter, params);
  const { status } = filter.values;
  const cutoff = beginning.parse(params.before);
  const paging = readPaging(params, cutoff === undefined);
  const show = shownPayment.parse(params.show);
  const [{ rows: agentPayments, next }, agents] = await Promise.all([
    listAgentPayments(ctx, { ...filterOf(filter.values), before: cutoff, limit: paging.size }),
    listEverOwned(ctx),
  ]);
  const rows = agentPayments.map((row) => madeRow(toPaymentView(row.payment), row));
  const buildHref = (change: Partial<Record<MadeFilterName | "status" | "before", string | undefined>> = {}) =>
    href(PATH, { ...filter.given, ...change });
  const chips = chipsOf(shownOf(filter, agents), FILTER_LABELS, (name) => buildHref({ [name]: undefined }));
  const typed = Object.fromEntries(filter.ignored.map(({ name, said: text }) => [name, text]));
  return (
    <Panes label="The chosen payment" detail={detailOf(ctx, show)}>
      <PageHeader
        title="Payments"
        description="What your agents paid under the mandates you signed."
        actions={
          // Not a Link: Link would prefetch the whole file.
          <a href={href(downloadMade.path, filter.given)} download className={buttonClass({})}>
            <Download aria-hidden />
            Download CSV
          </a>
        }
      />
      <FilterLinks
        label="Filter by status"
        options={[
          { label: "All", href: buildHref({ status: undefined }), isCurrent: status === undefined },
          ...MADE_STATUSES.map((value) => ({
            label: LABELS[value],
            href: buildHref({ status: value }),
            isCurrent: status === value,
          })),
        ]}
      />
      <MadeFilters agents={agents} values={{ ...filter.given, ...typed }} isOpen={filter.ignored.length > 0} />
      <IgnoredFilters ignored={filter.ignored} labels={{ ...FILTER_LABELS, status: "Status" }} />
      <FilterChips chips={chips} clear={href(PATH, { status })} />
      <p role="status" className="sr-only">
        {rows.length} {rows.length === 1 ? "payment" : "payments"} on this page
      </p>
      {rows.length === 0 ? (
        <NoPayments isFiltered={status !== undefined || chips.length > 0 || cutoff !== undefined} />
      ) : (
        <MoneyTable
          caption={"Made by your agents, newest first"}
          rows={rows}
          isDevnet={ctx.config.mode === "devnet"}
          panes={{ shown: show }}
        />
      )}
      <Pager
        {...pagerOf(
          paging,
          { cursor: cutoff && String(cutoff.getTime()), next: next && String(next.getTime()), shown: rows.length },
          ({ cursor, ...page }) => href(PATH, { ...filter.given, before: cursor, ...page }),
        )}
      />
      <KeepFresh isActive={rows.some(isOpen)} />
    </Panes>
  );
}

/** The label of each active filter. */
function shownOf(
  { values, given: rawValues }: Filter,
  agents: readonly KnownAgent[],
): Record<MadeFilterName, string | undefined> {
  const { agent, mandate, host } = values;
  return {
    agent: agent && (agents.find(({ id }) => id === agent)?.name ?? "unknown agent"),
    mandate: mandate && shorten(mandate),
    host,
    from: rawValues.from,
    to: rawValues.to,
  };
}

function NoPayments({ isFiltered }: { isFiltered: boolean }) {
  return isFiltered ? (
    <EmptyState title="No results" action={<ButtonLink href={PATH}>Show all</ButtonLink>}>
      There are no such payments.
    </EmptyState>
  ) : (
    <EmptyState
      title="Your agents have paid nothing yet"
      action={<ButtonLink href="/dashboard/mandates">See your mandates</ButtonLink>}
    >
      Once an agent pays under a mandate, each payment appears here with its payee and result.
    </EmptyState>
  );
}

const LABELS = { open: "Not finished", settled: "Settled", ended: "Not used" } satisfies Record<MadeStatus, string>;

/** The status has filter links of its own. */
type MadeFilterName = Exclude<keyof MadeQuery, "status">;

type MadeFiltersProps = {
  agents: readonly FilterAgent[];
  /** Field values, including rejected ones. */
  values: Partial<Record<keyof MadeQuery, string>>;
  isOpen: boolean;
};

const FILTER_LABELS: Record<MadeFilterName, string> = {
  agent: "Agent",
  mandate: "Mandate",
  host: "Host",
  from: "From",
  to: "To",
};

function MadeFilters({ agents, values, isOpen }: MadeFiltersProps) {
  return (
    <FilterForm action="/dashboard/payments" values={values} isOpen={isOpen} columns={3}>
      {values.status !== undefined && <input type="hidden" name="status" value={values.status} />}
      <AgentFilter agents={agents} value={values.agent} />
      <FilterText label={FILTER_LABELS.mandate} name="mandate" value={values.mandate} placeholder="mand_…" />
      <FilterText label={FILTER_LABELS.host} name="host" value={values.host} placeholder="api.example.com" />
    </FilterForm>
  );
}

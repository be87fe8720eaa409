import { Download } from "lucide-react";
import type { Metadata } from "next";
import { z } from "zod";
import { chipsOf, FilterChips } from "@/components/dashboard/filter-chips";
import {
  AgentFilter,
  type FilterAgent,
  FilterForm,
  FilterSelect,
  FilterText,
  NetworkFilter,
} from "@/components/dashboard/filter-form";
import { FilterLinks } from "@/components/dashboard/filter-links";
import { IgnoredFilters } from "@/components/dashboard/ignored-filters";
import { Pager } from "@/components/dashboard/pager";
import { Panes } from "@/components/dashboard/panes";
import { MandateList } from "@/components/mandates/mandate-list";
import { type AgentMandate, nearEnd } from "@/components/mandates/mandate-watch";
import { SessionOver } from "@/components/site/connection";
import { Amount } from "@/components/ui/amount";
import { buttonClass } from "@/components/ui/button";
import { ButtonLink } from "@/components/ui/button-link";
import { EmptyState } from "@/components/ui/empty-state";
import { formatCount } from "@/components/ui/format";
import { PageHeader } from "@/components/ui/page-header";
import { type KnownAgent, listEverOwned } from "@/lib/agents/service";
import type { MandateId } from "@/lib/core/ids";
import { COUNTED_MAX } from "@/lib/core/page";
import { decodeMandateCursor, encodeMandateCursor } from "@/lib/mandates/cursor";
import { countForOwner, leftToSpend, listForOwner } from "@/lib/mandates/lists";
import { downloadMandates, filterOf, type MandateQuery, ownersFilter } from "@/lib/mandates/owner/contract";
import { mandateId } from "@/lib/mandates/responses";
import { DEFAULT_NETWORK, NETWORKS } from "@/lib/x402/networks";
import type { OwnerContext } from "../../context";
import { MandateDetails } from "../../mandates/[mandateId]/details";
import { readMandate } from "../../mandates/[mandateId]/reading";
import { Chosen } from "../chosen";
import { type ReadFilter, readFilter } from "../filter";
import { pagerOf, readPaging } from "../paging";
import { href, type SearchParams } from "../query";
import { ownerContext } from "../viewer";

export const metadata: Metadata = { title: "Mandates" };

const STATUSES = ["active", "waiting", "paused", "ended"] as const;
type Status = (typeof STATUSES)[number];
type Filter = ReadFilter<typeof ownersFilter>;

const PATH = "/dashboard/mandates";

const cursor = z
  .string()
  .transform((text) => decodeMandateCursor(text) ?? undefined)
  .optional()
  .catch(undefined);

export default async function MandatesPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await ownerContext();
  if (!ctx) return <SessionOver />;
  const params = await searchParams;
  const filter = readFilter(ownersFilter, params);
  const { status } = filter.values;
  const requestedCursor = cursor.parse(params.after);
  // A cursor belongs to one status. The status was chosen later, so it wins.
  const pageCursor =
    requestedCursor && (status === undefined || status === requestedCursor.group) ? requestedCursor : undefined;
  const paging = readPaging(params, pageCursor === undefined);
  const { group: _, ...scope } = filterOf(filter.values);
  const show = mandateId.optional().catch(undefined).parse(params.show);
  const [page, counts, agents, left] = await Promise.all([
    listForOwner(ctx, filterOf(filter.values), { after: pageCursor, limit: paging.size }),
    countForOwner(ctx, scope),
    listEverOwned(ctx),
    leftToSpend(ctx),
  ]);
  const deleted = new Set(agents.filter((agent) => agent.isDeleted).map((agent) => agent.id));
  const whyOf = (mandate: AgentMandate) =>
    deleted.has(mandate.agentId) ? "Its agent is deleted and can no longer pay" : nearEnd(mandate, ctx.now());
  const buildHref = (change: Partial<Record<MandateFilterName | "status", string | undefined>> = {}) =>
    href(PATH, { ...filter.given, ...change });
  const chips = chipsOf(shownOf(filter, agents), FILTER_LABELS, (name) => buildHref({ [name]: undefined }));
  const typed = Object.fromEntries(filter.ignored.map(({ name, said: text }) => [name, text]));
  const isFiltered = chips.length > 0 || status !== undefined;
  return (
    <Panes label="The chosen mandate" detail={show === undefined ? null : <ChosenMandate ctx={ctx} id={show} />}>
      <PageHeader
        title="Mandates"
        description="Budgets you gave your agents. None of them can spend more than its mandate says."
        actions={
          // Not a Link: Link would prefetch the whole file.
          <a href={href(downloadMandates.path, filter.given)} download className={buttonClass({})}>
            <Download aria-hidden />
            Download CSV
          </a>
        }
      />
      <Left left={left} />
      <FilterLinks
        label="Filter by status"
        options={[
          { label: "All", href: buildHref({ status: undefined }), isCurrent: status === undefined },
          ...STATUSES.map((value) => ({
            label: `${LABELS[value]} ${formatCappedCount(counts[value])}`,
            href: buildHref({ status: value }),
            isCurrent: status === value,
          })),
        ]}
      />
      <MandateFilters agents={agents} values={{ ...filter.given, ...typed }} isOpen={filter.ignored.length > 0} />
      <IgnoredFilters ignored={filter.ignored} labels={{ ...FILTER_LABELS, status: "Status" }} />
      <FilterChips chips={chips} clear={href(PATH, { status })} />
      <p role="status" className="sr-only">
        {page.rows.length} {page.rows.length === 1 ? "mandate" : "mandates"} on this page
      </p>
      {page.rows.length === 0 ? (
        <NoMandates isFiltered={isFiltered} />
      ) : (
        <MandateList
          label="Mandates"
          mandates={page.rows.map((mandate) => ({ mandate, why: whyOf(mandate) }))}
          panes={{ shown: show }}
        />
      )}
      <Pager
        {...pagerOf(
          paging,
          {
            cursor: pageCursor && encodeMandateCursor(pageCursor),
            next: page.next && encodeMandateCursor(page.next),
            shown: page.rows.length,
            total: status === undefined ? sumOf(counts) : counts[status],
            totalMax: COUNTED_MAX,
          },
          ({ cursor: after, ...pageParams }) => href(PATH, { ...filter.given, after, ...pageParams }),
        )}
      />
    </Panes>
  );
}

type LeftProps = { left: Awaited<ReturnType<typeof leftToSpend>> };

/** The page's figure, whatever is filtered. Other networks are listed below it: test money is never added to real money. */
function Left({ left }: LeftProps) {
  if (left.length === 0) return null;
  const main = left.find(({ network }) => network === DEFAULT_NETWORK);
  return (
    <section aria-label="Left to spend" className="grid gap-1">
      <p className="text-small text-ink-2">
        Left to spend{main && ` under ${mandatesText(main.count)}`} on {NETWORKS[DEFAULT_NETWORK].label}
      </p>
      <p className="text-title">
        <Amount atomic={main?.left ?? 0n} size="big" />
      </p>
      {left
        .filter(({ network }) => network !== DEFAULT_NETWORK)
        .map(({ network, left: amount, count }) => (
          <p key={network} className="text-small text-ink-2">
            <Amount atomic={amount} /> under {mandatesText(count)} on {NETWORKS[network].label}
          </p>
        ))}
    </section>
  );
}

const mandatesText = (count: number): string =>
  count === 1 ? "1 active mandate" : `${formatCount(count)} active mandates`;

type ChosenMandateProps = { ctx: OwnerContext; id: MandateId };

const ChosenMandate = ({ ctx, id }: ChosenMandateProps) => (
  <Chosen ctx={ctx} path={`/mandates/${id}`}>
    <ShownMandate ctx={ctx} id={id} />
  </Chosen>
);

async function ShownMandate({ ctx, id }: ChosenMandateProps) {
  const details = await readMandate(ctx, id, {});
  return <MandateDetails {...details} owner={ctx.actor.address} isDevnet={ctx.config.mode === "devnet"} isPane />;
}

/** The label of each active filter. */
function shownOf(
  { values, given: rawValues }: Filter,
  agents: readonly KnownAgent[],
): Record<MandateFilterName, string | undefined> {
  const { agent, network, mode } = values;
  return {
    agent: agent && (agents.find(({ id }) => id === agent)?.name ?? "unknown agent"),
    network: network && NETWORKS[network].label,
    mode: mode && MODE_LABELS[mode],
    text: rawValues.text,
    from: rawValues.from,
    to: rawValues.to,
  };
}

const sumOf = (counts: Record<Status, number>): number =>
  Math.min(
    COUNTED_MAX,
    STATUSES.reduce((sum, status) => sum + counts[status], 0),
  );

/** Counting stops at COUNTED_MAX: a count that reaches it is shown as a minimum. */
const formatCappedCount = (count: number): string => (count < COUNTED_MAX ? String(count) : `${COUNTED_MAX - 1}+`);

function NoMandates({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) {
    return (
      <EmptyState title="No results" action={<ButtonLink href="/dashboard/mandates">Show all</ButtonLink>}>
        No mandate matches.
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No mandates yet" action={<ButtonLink href="/dashboard/agents#link">Link an agent</ButtonLink>}>
      A mandate is a budget: how much an agent may spend, where and until when. Your agent asks for one, and it counts
      only once you have signed it.
    </EmptyState>
  );
}

const LABELS = { waiting: "Waiting", active: "Active", paused: "Paused", ended: "Ended" } satisfies Record<
  Status,
  string
>;

/** The status has filter links of its own. */
type MandateFilterName = Exclude<keyof MandateQuery, "status">;

type MandateFiltersProps = {
  agents: readonly FilterAgent[];
  /** Field values, including rejected ones. */
  values: Partial<Record<MandateFilterName | "status", string>>;
  isOpen: boolean;
};

const FILTER_LABELS: Record<MandateFilterName, string> = {
  agent: "Agent",
  network: "Network",
  mode: "Pays from",
  text: "Text",
  from: "From",
  to: "To",
};

const MODE_LABELS = { wallet: "Spending wallet", vault: "Vault" } as const;

function MandateFilters({ agents, values, isOpen }: MandateFiltersProps) {
  return (
    <FilterForm action="/dashboard/mandates" values={values} isOpen={isOpen} columns={3}>
      {values.status !== undefined && <input type="hidden" name="status" value={values.status} />}
      <AgentFilter agents={agents} value={values.agent} />
      <NetworkFilter value={values.network} />
      <FilterSelect
        label={FILTER_LABELS.mode}
        name="mode"
        value={values.mode}
        options={[
          { value: "wallet", label: MODE_LABELS.wallet },
          { value: "vault", label: MODE_LABELS.vault },
        ]}
      />
      <FilterText
        label={FILTER_LABELS.text}
        name="text"
        dir="auto"
        value={values.text}
        placeholder="Purpose, category or host"
      />
    </FilterForm>
  );
}

import { BookUser, Download, FileUp, Plus } from "lucide-react";
import type { Metadata } from "next";
import { Suspense } from "react";
import { chipsOf, FilterChips } from "@/components/dashboard/filter-chips";
import {
  agentOptions,
  type FilterAgent,
  FilterForm,
  FilterSelect,
  NetworkFilter,
} from "@/components/dashboard/filter-form";
import { IgnoredFilters } from "@/components/dashboard/ignored-filters";
import { KeepFresh } from "@/components/dashboard/keep-fresh";
import { Pager } from "@/components/dashboard/pager";
import { Section } from "@/components/dashboard/section";
import { PayoutBalanceCard } from "@/components/payouts/balances";
import { DecidablePayouts } from "@/components/payouts/payout-list";
import { PayoutTable } from "@/components/payouts/payout-table";
import { isMoving, type PayoutStatus, STATUS_WORDS } from "@/components/payouts/words";
import { SessionOver } from "@/components/site/connection";
import { buttonClass } from "@/components/ui/button";
import { ButtonLink } from "@/components/ui/button-link";
import { EmptyState } from "@/components/ui/empty-state";
import { TextField } from "@/components/ui/field";
import { PageHeader } from "@/components/ui/page-header";
import { CardSkeleton } from "@/components/ui/skeleton";
import { type KnownAgent, listEverOwned } from "@/lib/agents/service";
import { cursorText, encodeCursor } from "@/lib/core/page";
import * as book from "@/lib/payouts/address-book/service";
import { downloadPayouts, filterOf, ownersFilter, type PayoutQuery } from "@/lib/payouts/owner/contract";
import { list, listWaiting } from "@/lib/payouts/owner/service";
import { type PayoutItem, toPayoutItem } from "@/lib/payouts/responses";
import { NETWORKS } from "@/lib/x402/networks";
import { type ReadFilter, readFilter } from "../filter";
import { pagerOf, readPaging } from "../paging";
import { href, type SearchParams } from "../query";
import { ownerContext } from "../viewer";
import { namesOf } from "./names";

export const metadata: Metadata = { title: "Payouts" };

type Viewer = NonNullable<Awaited<ReturnType<typeof ownerContext>>>;
type Filter = ReadFilter<typeof ownersFilter>;

const PATH = "/dashboard/payouts";

const cursor = cursorText.optional().catch(undefined);

export default async function PayoutsPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await ownerContext();
  if (!ctx) return <SessionOver />;
  const params = await searchParams;
  const filter = readFilter(ownersFilter, params);
  const pageCursor = cursor.parse(params.after);
  const paging = readPaging(params, pageCursor === undefined);
  const [agents, names, { rows, next }] = await Promise.all([
    listEverOwned(ctx),
    namesOf(ctx),
    list(ctx, filterOf(filter.values), { after: pageCursor, limit: paging.size }),
  ]);
  const payouts = rows.map((view) => toPayoutItem(view, ctx.config.baseUrl, ctx.now()));
  const buildHref = (change: Partial<Record<PayoutFilterName, string | undefined>> = {}) =>
    href(PATH, { ...filter.given, ...change });
  const chips = chipsOf(shownOf(filter, agents), FILTER_LABELS, (name) => buildHref({ [name]: undefined }));
  const typed = Object.fromEntries(filter.ignored.map(({ name, said: text }) => [name, text]));
  const isFiltered = chips.length > 0 || pageCursor !== undefined;
  return (
    <>
      <PageHeader
        title="Payouts"
        description="Money out of your spending wallet to addresses: what you pay, and what your agents ask you to pay."
        actions={<Actions csv={href(downloadPayouts.path, filter.given)} />}
      />
      <Suspense
        fallback={
          <div className="grid gap-3 lg:grid-cols-2">
            <CardSkeleton />
            <CardSkeleton />
          </div>
        }
      >
        <Balances ctx={ctx} />
      </Suspense>
      <Waiting ctx={ctx} names={names} />
      <Section id="payouts" title="All payouts">
        {(payouts.length > 0 || isFiltered || filter.ignored.length > 0) && (
          <PayoutFilters agents={agents} values={{ ...filter.given, ...typed }} isOpen={filter.ignored.length > 0} />
        )}
        <IgnoredFilters ignored={filter.ignored} labels={FILTER_LABELS} />
        <FilterChips chips={chips} clear={PATH} />
        <p role="status" className="sr-only">
          {payouts.length} {payouts.length === 1 ? "payout" : "payouts"} on this page
        </p>
        <List payouts={payouts} names={names} isFiltered={isFiltered} />
      </Section>
      <Pager
        {...pagerOf(
          paging,
          {
            cursor: pageCursor && encodeCursor(pageCursor),
            next: next && encodeCursor(next),
            shown: payouts.length,
          },
          ({ cursor: after, ...page }) => href(PATH, { ...filter.given, after, ...page }),
        )}
      />
      <KeepFresh isActive={payouts.some(({ status }) => isMoving(status) || status === "pending_authorization")} />
    </>
  );
}

const Actions = ({ csv }: { csv: string }) => (
  <>
    <ButtonLink href={`${PATH}/addresses`}>
      <BookUser aria-hidden />
      Address book
    </ButtonLink>
    {/* Not a Link: Link would prefetch the whole file. */}
    <a href={csv} download className={buttonClass({})}>
      <Download aria-hidden />
      Download CSV
    </a>
    <ButtonLink href={`${PATH}/batch`}>
      <FileUp aria-hidden />
      Pay a file
    </ButtonLink>
    <ButtonLink href={`${PATH}/new`} variant="primary">
      <Plus aria-hidden />
      New payout
    </ButtonLink>
  </>
);

/** Streamed separately, because it waits for the chain. */
async function Balances({ ctx }: { ctx: Viewer }) {
  const balances = await book.balances(ctx);
  return (
    <div className="grid gap-3 lg:grid-cols-2">
      {balances.map(({ network, balance, available, reserved, pending }) => (
        <PayoutBalanceCard key={network} {...{ network, balance, available, reserved, pending }} />
      ))}
    </div>
  );
}

async function Waiting({ ctx, names }: { ctx: Viewer; names: ReadonlyMap<string, string> }) {
  const waiting = await listWaiting(ctx);
  if (waiting.length === 0) return null;
  return (
    <Section id="waiting" title="Waiting for your approval">
      <DecidablePayouts
        label="Payouts waiting for your approval"
        payouts={waiting.map((view) => toPayoutItem(view, ctx.config.baseUrl, ctx.now()))}
        names={names}
      />
    </Section>
  );
}

type ListProps = { payouts: readonly PayoutItem[]; names: ReadonlyMap<string, string>; isFiltered: boolean };

function List({ payouts, names, isFiltered }: ListProps) {
  if (payouts.length > 0) return <PayoutTable caption="Payouts, newest first" payouts={payouts} names={names} />;
  return isFiltered ? (
    <EmptyState title="No results" action={<ButtonLink href={PATH}>Show all</ButtonLink>}>
      No payout matches.
    </EmptyState>
  ) : (
    <EmptyState
      title="No payouts yet"
      action={
        <>
          <ButtonLink href={`${PATH}/new`} variant="primary">
            Create a payout
          </ButtonLink>
          <ButtonLink href={`${PATH}/batch`}>Pay a file</ButtonLink>
        </>
      }
    >
      Pay one address, split a sum among several, or pay a whole file. What your agents ask you to pay out appears here
      too.
    </EmptyState>
  );
}

/** The label of each active filter. */
function shownOf(
  { values, given: rawValues }: Filter,
  agents: readonly KnownAgent[],
): Record<PayoutFilterName, string | undefined> {
  const { status, network, agent } = values;
  const agentName = agents.find(({ id }) => id === agent)?.name ?? "unknown agent";
  return {
    status: status && STATUS_WORDS[status].label,
    network: network && NETWORKS[network].label,
    agent: agent && (agent === "me" ? OWN_LABEL : agentName),
    text: rawValues.text,
    bizId: rawValues.bizId,
    from: rawValues.from,
    to: rawValues.to,
  };
}

type PayoutFilterName = keyof PayoutQuery;

type PayoutFiltersProps = {
  agents: readonly FilterAgent[];
  /** Field values, including rejected ones. */
  values: Partial<Record<PayoutFilterName, string>>;
  isOpen: boolean;
};

const FILTER_LABELS: Record<PayoutFilterName, string> = {
  status: "Status",
  network: "Network",
  agent: "Created by",
  text: "Text",
  bizId: "Reference",
  from: "From",
  to: "To",
};

const OWN_LABEL = "You";

// Object.keys returns string[].
const STATUSES = Object.keys(STATUS_WORDS) as PayoutStatus[];

function PayoutFilters({ agents, values, isOpen }: PayoutFiltersProps) {
  return (
    <FilterForm action="/dashboard/payouts" values={values} isOpen={isOpen} columns={3}>
      {values.bizId !== undefined && <input type="hidden" name="bizId" value={values.bizId} />}
      <FilterSelect
        label={FILTER_LABELS.status}
        name="status"
        value={values.status}
        options={STATUSES.map((value) => ({ value, label: STATUS_WORDS[value].label }))}
      />
      <NetworkFilter value={values.network} />
      <FilterSelect
        label={FILTER_LABELS.agent}
        name="agent"
        value={values.agent}
        any="You and all agents"
        options={[{ value: "me", label: OWN_LABEL }, ...agentOptions(agents)]}
      />
      <TextField
        label={FILTER_LABELS.text}
        name="text"
        dir="auto"
        defaultValue={values.text}
        placeholder="Name, reference, description, 0x…"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
      />
    </FilterForm>
  );
}

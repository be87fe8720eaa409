import type { Metadata } from "next";
import { Fragment, Suspense } from "react";
import { z } from "zod";
import { FirstQuestion, FirstSteps, GOALS, type Goal, SellerSteps } from "@/components/dashboard/first-steps";
import { KeepFresh } from "@/components/dashboard/keep-fresh";
import { Section } from "@/components/dashboard/section";
import { MandateList, type MandateListProps } from "@/components/mandates/mandate-list";
import { nearEnd } from "@/components/mandates/mandate-watch";
import { vaultsText } from "@/components/mandates/vaults/words";
import { isOpen, madeRow, saleRow } from "@/components/payments/money-row";
import { MoneyTable } from "@/components/payments/money-table";
import { SessionOver } from "@/components/site/connection";
import { Amount } from "@/components/ui/amount";
import { ButtonLink } from "@/components/ui/button-link";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { PageHeader } from "@/components/ui/page-header";
import { Skeleton } from "@/components/ui/skeleton";
import { listEverOwned, listOwned } from "@/lib/agents/service";
import { PERIODS } from "@/lib/links/sales/periods";
import * as sales from "@/lib/links/sales/service";
import { hasLinks } from "@/lib/links/service";
import { hasSigned, listForOwner, listWatched } from "@/lib/mandates/lists";
import { vaultTotals } from "@/lib/mandates/service";
import { toPaymentView } from "@/lib/payments/responses";
import { listAgentPayments, pendingOn, type Spent, spent } from "@/lib/payments/service";
import * as refunds from "@/lib/refunds/service";
import { overview } from "@/lib/wallets/service";
import { DEFAULT_NETWORK, NETWORK_NAMES, NETWORKS, type NetworkName, TEST_NETWORK_NAMES } from "@/lib/x402/networks";
import { oneOf, type SearchParams } from "./query";
import { Sales, SalesSkeleton } from "./sales";
import { ownerContext } from "./viewer";
import { WaitingRequests } from "./waiting";

export const metadata: Metadata = { title: "Overview" };

type Viewer = NonNullable<Awaited<ReturnType<typeof ownerContext>>>;

const query = z.object({ period: oneOf(PERIODS), network: oneOf(NETWORK_NAMES), start: oneOf(GOALS) });

export default async function OverviewPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await ownerContext();
  if (!ctx) return <SessionOver />;
  const filter = query.parse(await searchParams);
  const [agents, everOwned, hasMandate, watched, totals, pending, hasLink] = await Promise.all([
    listOwned(ctx),
    listEverOwned(ctx),
    hasSigned(ctx),
    listWatched(ctx, WATCHED_MAX),
    spent(ctx),
    pendingOn(ctx, DEFAULT_NETWORK),
    hasLinks(ctx),
  ]);
  const hasSold = agents.some(({ agent }) => agent.soldAt !== null);
  const sells = hasLink || hasSold;
  const hasHistory = hasMandate || everOwned.length > 0;
  const steps = {
    ctx,
    hasAgent: agents.length > 0,
    hasMandate,
    isAsked: watched.waiting.length > 0,
    hasLink,
    hasSold,
    goal: filter.start,
  };
  const salesPart = (
    <Suspense key={`${filter.period} ${filter.network}`} fallback={<SalesSkeleton />}>
      <Sales ctx={ctx} period={filter.period} network={filter.network} />
    </Suspense>
  );
  return (
    <>
      <PageHeader
        title="Overview"
        description={hasHistory ? "What your agents can spend, spent and earned." : undefined}
        actions={hasHistory && <ButtonLink href="/dashboard/wallet">Add money</ButtonLink>}
      />
      {/* Not streamed: it is empty or tall, and would move what the reader already sees. */}
      <WaitingRequests ctx={ctx} mandates={shownMandates(watched, ctx.now())} />
      {/* It waits for the chain. */}
      <Suspense fallback={null}>
        <Steps {...steps} />
      </Suspense>
      <Card aria-label="Balance" className="flex flex-wrap items-start justify-between gap-x-12 gap-y-5">
        <Suspense fallback={<Skeleton className="h-20 w-56" />}>
          <Balances ctx={ctx} />
        </Suspense>
        {hasMandate && <SpentFigures totals={totals} pending={pending} />}
      </Card>
      {hasMandate && <Budgets ctx={ctx} />}
      {sells && salesPart}
      {hasHistory && <Latest ctx={ctx} />}
    </>
  );
}

const BUDGETS = 3;

/** The mandates that agents can pay with now. */
async function Budgets({ ctx }: { ctx: Viewer }) {
  const { rows } = await listForOwner(ctx, { group: "active" }, { limit: BUDGETS });
  if (rows.length === 0) return null;
  return (
    <Section id="budgets" title="Budgets" more={{ href: "/dashboard/mandates", label: "All mandates" }}>
      <MandateList label="Budgets of your agents" mandates={rows.map((mandate) => ({ mandate }))} />
    </Section>
  );
}

type StepsProps = {
  ctx: Viewer;
  hasAgent: boolean;
  hasMandate: boolean;
  /** True if an agent waits for the owner to sign its mandate. */
  isAsked: boolean;
  hasLink: boolean;
  hasSold: boolean;
  /** What the owner chose; undefined until then. */
  goal: Goal | undefined;
};

/** The question of a new owner, then one list of steps until each is done. */
async function Steps({ ctx, hasAgent, hasMandate, isAsked, hasLink, hasSold, goal }: StepsProps) {
  const isNew = !hasMandate && !hasLink && !hasSold;
  if (isNew && !hasAgent && !isAsked && goal === undefined) return <FirstQuestion />;
  const isSelling = isNew ? (goal ?? (isAsked ? "pay" : "sell")) === "sell" : !hasMandate;
  if (isSelling) {
    if (hasAgent && hasLink && hasSold) return null;
    return <SellerSteps hasAgent={hasAgent || hasSold} hasLink={hasLink || hasSold} hasSold={hasSold} isNew={isNew} />;
  }
  const [balances, vaults] = await Promise.all([overview(ctx), vaultTotals(ctx)]);
  const hasMoney =
    balances.some(({ balance }) => balance === null || balance > 0n) ||
    NETWORK_NAMES.some((name) => vaults[name].balance > 0n);
  if (hasAgent && hasMandate && hasMoney) return null;
  return (
    <FirstSteps
      baseUrl={ctx.config.baseUrl}
      hasMoney={hasMoney}
      hasAgent={hasAgent || hasMandate}
      hasMandate={hasMandate}
      isNew={isNew}
    />
  );
}

/** The balance on the default network is the page's figure. Others are listed below it: test money is never added to real money. */
async function Balances({ ctx }: { ctx: Viewer }) {
  const [balances, vaults] = await Promise.all([overview(ctx), vaultTotals(ctx)]);
  return (
    <div className="grid gap-1">
      {balances.map(({ wallet: { network }, balance }) => {
        const isMain = network === DEFAULT_NETWORK;
        const { balance: vaultBalance, count } = vaults[network];
        const amount =
          balance === null ? (
            <span className="text-ink-2">Not known</span>
          ) : (
            <Amount atomic={balance + vaultBalance} size={isMain ? "big" : "inline"} />
          );
        return (
          <Fragment key={network}>
            {isMain ? (
              <>
                <p className="text-small text-ink-2">Balance on {NETWORKS[network].label}</p>
                <p className="text-title">{amount}</p>
              </>
            ) : (
              <p className="text-small text-ink-2">
                {amount} on {NETWORKS[network].label}
              </p>
            )}
            {balance === null && (
              <p className="text-small text-ink-2">The network is not responding. Your money is not affected.</p>
            )}
            {balance !== null && count > 0 && (
              <p className="text-small text-ink-2">
                <Amount atomic={vaultBalance} /> of it in {vaultsText(count)}
              </p>
            )}
          </Fragment>
        );
      })}
    </div>
  );
}

function SpentFigures({ totals, pending }: { totals: readonly Spent[]; pending: bigint }) {
  return (
    <dl className="grid grid-cols-2 gap-x-10 gap-y-1 text-small">
      <div>
        <dt className="text-ink-2">Spent in 24 hours</dt>
        <dd>
          <Amount atomic={spentOn(DEFAULT_NETWORK, totals, "lastDay")} size="mid" />
          <p className="text-tiny text-ink-2">
            <Amount atomic={pending} /> pending now
          </p>
          <Elsewhere totals={totals} period="lastDay" />
        </dd>
      </div>
      <div>
        <dt className="text-ink-2">Spent in 30 days</dt>
        <dd>
          <Amount atomic={spentOn(DEFAULT_NETWORK, totals, "lastMonth")} size="mid" />
          <Elsewhere totals={totals} period="lastMonth" />
        </dd>
      </div>
    </dl>
  );
}

type Period = "lastDay" | "lastMonth";

const spentOn = (network: NetworkName, totals: readonly Spent[], period: Period): bigint =>
  totals.find((total) => total.network === network)?.[period] ?? 0n;

/** Spending on test networks, listed separately if above zero: test money is never added to real money. */
function Elsewhere({ totals, period }: { totals: readonly Spent[]; period: Period }) {
  return TEST_NETWORK_NAMES.map((network) => ({ network, spent: spentOn(network, totals, period) }))
    .filter(({ spent }) => spent > 0n)
    .map(({ network, spent }) => (
      <p key={network} className="text-tiny text-ink-2">
        and <Amount atomic={spent} /> on {NETWORKS[network].label}
      </p>
    ));
}

const WATCHED_MAX = 3;
/** Rows reserved for mandates that end soon. Without them, an agent could crowd these out with mandate requests. */
const ENDING_KEPT = 1;

type Watched = Awaited<ReturnType<typeof listWatched>>;

/** Mandates that wait for a signature, and mandates that end soon. */
function shownMandates({ waiting, ending }: Watched, now: Date): MandateListProps["mandates"] {
  const waitingMandates = waiting.slice(0, WATCHED_MAX - Math.min(ENDING_KEPT, ending.length));
  return [
    ...waitingMandates.map((mandate) => ({ mandate })),
    ...ending.map((mandate) => ({ mandate, why: nearEnd(mandate, now) })),
  ].slice(0, WATCHED_MAX);
}

const LATEST = 6;

async function Latest({ ctx }: { ctx: Viewer }) {
  const slice = { limit: LATEST };
  const [agentPayments, received] = await Promise.all([
    listAgentPayments(ctx, slice),
    sales.list(ctx, { filter: {}, ...slice }),
  ]);
  const rows = [
    ...agentPayments.rows.map((row) => madeRow(toPaymentView(row.payment), row)),
    ...(await refunds.toSaleViews(ctx, received.rows)).map(saleRow),
  ]
    .sort((a, b) => b.at.getTime() - a.at.getTime())
    .slice(0, LATEST);
  return (
    <Section id="latest" title="Latest payments" more={{ href: "/dashboard/payments", label: "All payments" }}>
      {rows.length === 0 ? (
        <EmptyState title="No payments yet">What your agents pay and receive appears here.</EmptyState>
      ) : (
        <MoneyTable
          caption="Payments of your agents, newest first"
          rows={rows}
          isDevnet={ctx.config.mode === "devnet"}
        />
      )}
      <KeepFresh isActive={rows.some(isOpen)} />
    </Section>
  );
}

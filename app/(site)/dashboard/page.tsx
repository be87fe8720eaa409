import type { Metadata } from "next";
import { Fragment, Suspense } from "react";
import { z } from "zod";
import { FirstSteps, SellerSteps } from "@/components/dashboard/first-steps";
import { KeepFresh } from "@/components/dashboard/keep-fresh";
import { Section } from "@/components/dashboard/section";
import { MandateList } from "@/components/mandates/mandate-list";
import { nearEnd } from "@/components/mandates/mandate-watch";
import { vaultsText } from "@/components/mandates/vaults/words";
import { isOpen, madeRow, saleRow } from "@/components/payments/money-row";
import { MoneyTable } from "@/components/payments/money-table";
import { Amount } from "@/components/ui/amount";
import { ButtonLink } from "@/components/ui/button-link";
import { Stat } from "@/components/ui/card";
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

const query = z.object({ period: oneOf(PERIODS), network: oneOf(NETWORK_NAMES) });

export default async function OverviewPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await ownerContext();
  if (!ctx) return null;
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
  const steps = { ctx, hasAgent: agents.length > 0, hasMandate, hasLink, hasSold, sells };
  const salesPart = (
    <Suspense key={`${filter.period} ${filter.network}`} fallback={<SalesSkeleton />}>
      <Sales ctx={ctx} period={filter.period} network={filter.network} />
    </Suspense>
  );
  return (
    <>
      <PageHeader
        title="Overview"
        description="What your agents may spend, what they have spent and what they were paid, from our records."
        actions={<ButtonLink href="/dashboard/wallet">Add money</ButtonLink>}
      />
      {hasMandate && (
        <Suspense fallback={null}>
          <Budgets ctx={ctx} />
        </Suspense>
      )}
      {sells && !hasMandate && salesPart}
      <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        <Suspense
          fallback={NETWORK_NAMES.map((name) => (
            <Stat key={name} label={`To spend on ${NETWORKS[name].label}`}>
              <Skeleton className="mt-1 h-7 w-28" />
            </Stat>
          ))}
        >
          <Spendable ctx={ctx} />
        </Suspense>
        <SpentStats totals={totals} pending={pending} />
      </div>
      <Suspense fallback={null}>
        <Steps {...steps} />
      </Suspense>
      <Watched {...watched} now={ctx.now()} />
      <Suspense fallback={null}>
        <WaitingRequests ctx={ctx} />
      </Suspense>
      {hasHistory && !(sells && !hasMandate) && salesPart}
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
  hasLink: boolean;
  hasSold: boolean;
  sells: boolean;
};

/** The first steps for buying and for selling, each until it is done. An owner who only sells sees no steps for paying. */
async function Steps({ ctx, hasAgent, hasMandate, hasLink, hasSold, sells }: StepsProps) {
  const [balances, vaults] = await Promise.all([overview(ctx), vaultTotals(ctx)]);
  const hasMoney =
    balances.some(({ balance }) => balance !== null && balance > 0n) ||
    NETWORK_NAMES.some((name) => vaults[name].balance > 0n);
  const isUnknown = balances.some(({ balance }) => balance === null);
  const pays = hasMandate || !sells;
  const isPayerDone = hasAgent && hasMandate && (hasMoney || isUnknown);
  return (
    <>
      {pays && !isPayerDone && (
        <FirstSteps
          baseUrl={ctx.config.baseUrl}
          hasMoney={hasMoney}
          hasAgent={hasAgent || hasMandate}
          hasMandate={hasMandate}
        />
      )}
      {(sells || !hasMandate) && !(hasAgent && hasLink && hasSold) && (
        <SellerSteps hasAgent={hasAgent} hasLink={hasLink || hasSold} hasSold={hasSold} />
      )}
    </>
  );
}

async function Spendable({ ctx }: { ctx: Viewer }) {
  const [balances, vaults] = await Promise.all([overview(ctx), vaultTotals(ctx)]);
  return balances.map(({ wallet: { network }, balance }) => (
    <Stat
      key={network}
      label={`To spend on ${NETWORKS[network].label}`}
      note={
        balance === null ? (
          "The network is not responding. Your money is not affected."
        ) : vaults[network].count > 0 ? (
          <>
            <Amount atomic={vaults[network].balance} /> of it in {vaultsText(vaults[network].count)}
          </>
        ) : undefined
      }
    >
      {balance === null ? (
        <span className="text-ink-2">Not known</span>
      ) : (
        <Amount atomic={balance + vaults[network].balance} size="mid" />
      )}
    </Stat>
  ));
}

function SpentStats({ totals, pending }: { totals: readonly Spent[]; pending: bigint }) {
  return (
    <>
      <Stat label="Spent in 24 hours" note={<Elsewhere totals={totals} period="lastDay" />}>
        <Amount atomic={spentOn(DEFAULT_NETWORK, totals, "lastDay")} size="mid" />
        <PendingNow pending={pending} />
      </Stat>
      <Stat label="Spent in 30 days" note={<Elsewhere totals={totals} period="lastMonth" />}>
        <Amount atomic={spentOn(DEFAULT_NETWORK, totals, "lastMonth")} size="mid" />
      </Stat>
    </>
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
      <Fragment key={network}>
        and <Amount atomic={spent} /> on {NETWORKS[network].label}
      </Fragment>
    ));
}

/** Signed but not settled yet; not included in the spent amount. */
function PendingNow({ pending }: { pending: bigint }) {
  return (
    <p className="mt-1 text-tiny font-normal tracking-normal text-ink-2">
      <Amount atomic={pending} /> pending now
    </p>
  );
}

const WATCHED_MAX = 5;
/** Rows reserved for mandates that end soon. Without them, an agent could crowd these out with mandate requests. */
const ENDING_KEPT = 2;

type WatchedProps = Awaited<ReturnType<typeof listWatched>> & { now: Date };

/** Mandates that wait for a signature, and mandates that end soon. */
function Watched({ waiting, ending, now }: WatchedProps) {
  const waitingMandates = waiting.slice(0, WATCHED_MAX - Math.min(ENDING_KEPT, ending.length));
  const watched = [
    ...waitingMandates.map((mandate) => ({ mandate })),
    ...ending.map((mandate) => ({ mandate, why: nearEnd(mandate, now) })),
  ];
  if (watched.length === 0) return null;
  return (
    <Section id="watched" title="Waiting for you" more={{ href: "/dashboard/mandates", label: "All mandates" }}>
      <MandateList label="Mandates waiting for you" mandates={watched.slice(0, WATCHED_MAX)} />
    </Section>
  );
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

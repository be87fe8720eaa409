import type { Metadata } from "next";
import { Suspense } from "react";
import { z } from "zod";
import { ApprovalList } from "@/components/approvals/approval-list";
import { FirstSteps } from "@/components/dashboard/first-steps";
import { KeepFresh } from "@/components/dashboard/keep-fresh";
import { Section } from "@/components/dashboard/section";
import { MandateList } from "@/components/mandates/mandate-list";
import { nearEnd } from "@/components/mandates/mandate-watch";
import { vaultsText } from "@/components/mandates/vaults/words";
import { WaitingPayees } from "@/components/payees/payee-list";
import { isOpen, madeRow, saleRow } from "@/components/payments/money-row";
import { MoneyTable } from "@/components/payments/money-table";
import { PayoutList } from "@/components/payouts/payout-list";
import { RefundList } from "@/components/refunds/refund-list";
import { Amount } from "@/components/ui/amount";
import { ButtonLink } from "@/components/ui/button-link";
import { Stat } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { PageHeader } from "@/components/ui/page-header";
import { Skeleton } from "@/components/ui/skeleton";
import { listEverOwned, listOwned } from "@/lib/agents/service";
import { toApprovalView } from "@/lib/approvals/contract";
import * as approvals from "@/lib/approvals/service";
import { PERIODS } from "@/lib/links/sales/periods";
import * as sales from "@/lib/links/sales/service";
import { hasSigned, listWatched } from "@/lib/mandates/lists";
import { vaultTotals } from "@/lib/mandates/service";
import { toPayeeView } from "@/lib/payees/contract";
import * as payees from "@/lib/payees/service";
import { toPaymentView } from "@/lib/payments/responses";
import { listAgentPayments, pendingOn, type Spent, spent } from "@/lib/payments/service";
import { listWaiting } from "@/lib/payouts/owner/service";
import { toPayoutItem } from "@/lib/payouts/responses";
import { toRefundItem } from "@/lib/refunds/contract";
import * as refunds from "@/lib/refunds/service";
import { overview } from "@/lib/wallets/service";
import { NETWORK_NAMES, NETWORKS, type NetworkName } from "@/lib/x402/networks";
import { titlePrefix } from "../live";
import { namesOf } from "./payouts/names";
import { oneOf, type SearchParams } from "./query";
import { Sales, SalesSkeleton } from "./sales";
import { ownerContext } from "./viewer";

// The layout's template does not apply to the page beside it.
export const generateMetadata = async (): Promise<Metadata> => ({ title: `${await titlePrefix()}Overview` });

type Viewer = NonNullable<Awaited<ReturnType<typeof ownerContext>>>;

const query = z.object({ period: oneOf(PERIODS), network: oneOf(NETWORK_NAMES) });

export default async function OverviewPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await ownerContext();
  if (!ctx) return null;
  const filter = query.parse(await searchParams);
  const [agents, everOwned, hasMandate, watched, totals, pending] = await Promise.all([
    listOwned(ctx),
    listEverOwned(ctx),
    hasSigned(ctx),
    listWatched(ctx, WATCHED_MAX),
    spent(ctx),
    pendingOn(ctx, "base"),
  ]);
  return (
    <>
      <PageHeader
        title="Overview"
        description="What your agents may spend, what they have spent and what they were paid, from our records."
        actions={<ButtonLink href="/dashboard/wallet">Add money</ButtonLink>}
      />
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
      {!hasMandate && (
        <Suspense fallback={null}>
          <Beginning ctx={ctx} hasAgent={agents.length > 0} />
        </Suspense>
      )}
      <Watched {...watched} now={ctx.now()} />
      <Suspense fallback={null}>
        <WaitingPayments ctx={ctx} />
        <WaitingPayeeSection ctx={ctx} />
        <WaitingPayouts ctx={ctx} />
        <Waiting ctx={ctx} />
      </Suspense>
      {(hasMandate || everOwned.length > 0) && (
        <>
          <Suspense key={`${filter.period} ${filter.network}`} fallback={<SalesSkeleton />}>
            <Sales ctx={ctx} period={filter.period} network={filter.network} />
          </Suspense>
          <Latest ctx={ctx} />
        </>
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
          "The network does not answer. Your money is where it was."
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
        <Amount atomic={spentOn("base", totals, "lastDay")} size="mid" />
        <PendingNow pending={pending} />
      </Stat>
      <Stat label="Spent in 30 days" note={<Elsewhere totals={totals} period="lastMonth" />}>
        <Amount atomic={spentOn("base", totals, "lastMonth")} size="mid" />
      </Stat>
    </>
  );
}

type Period = "lastDay" | "lastMonth";

const spentOn = (network: NetworkName, totals: readonly Spent[], period: Period): bigint =>
  totals.find((total) => total.network === network)?.[period] ?? 0n;

/** Test money is never added to money: it has its own line, when there is any. */
function Elsewhere({ totals, period }: { totals: readonly Spent[]; period: Period }) {
  const test = spentOn("base-sepolia", totals, period);
  return test > 0n ? (
    <>
      and <Amount atomic={test} /> on Base Sepolia
    </>
  ) : null;
}

/** Signed for and not moved yet; not included in the spent amount. */
function PendingNow({ pending }: { pending: bigint }) {
  return (
    <p className="mt-1 text-tiny font-normal tracking-normal text-ink-2">
      <Amount atomic={pending} /> pending now
    </p>
  );
}

async function Beginning({ ctx, hasAgent }: { ctx: Viewer; hasAgent: boolean }) {
  const hasMoney = (await overview(ctx)).some(({ balance }) => balance !== null && balance > 0n);
  return <FirstSteps baseUrl={ctx.config.baseUrl} hasMoney={hasMoney} hasAgent={hasAgent} hasMandate={false} />;
}

const WATCHED_MAX = 5;
/** Places reserved for mandates that end soon, because an agent can create any number of requests. */
const ENDING_KEPT = 2;

type WatchedProps = Awaited<ReturnType<typeof listWatched>> & { now: Date };

/** Mandates that wait for a signature, and mandates that end soon. */
function Watched({ waiting, ending, now }: WatchedProps) {
  const shown = waiting.slice(0, WATCHED_MAX - Math.min(ENDING_KEPT, ending.length));
  const watched = [
    ...shown.map((mandate) => ({ mandate })),
    ...ending.map((mandate) => ({ mandate, why: nearEnd(mandate, now) })),
  ];
  if (watched.length === 0) return null;
  return (
    <Section id="watched" title="Waiting for you" more={{ href: "/dashboard/mandates", label: "All mandates" }}>
      <MandateList label="Mandates waiting for you" mandates={watched.slice(0, WATCHED_MAX)} />
    </Section>
  );
}

/** Payments without a mandate. Each expires within minutes, so the page refreshes. */
async function WaitingPayments({ ctx }: { ctx: Viewer }) {
  const waiting = await approvals.listWaiting(ctx);
  if (waiting.length === 0) return null;
  return (
    <Section id="approvals" title="Payments that wait for you">
      <ApprovalList
        label="Payments that wait for your approval"
        approvals={waiting.map((approval) => toApprovalView(approval, ctx.config.baseUrl, ctx.now()))}
      />
      <KeepFresh isActive />
    </Section>
  );
}

/** Addresses that hosts did not confirm. */
async function WaitingPayeeSection({ ctx }: { ctx: Viewer }) {
  const waiting = await payees.listWaiting(ctx);
  if (waiting.length === 0) return null;
  return (
    <Section id="payees" title="Payees that wait for you">
      <WaitingPayees
        label="Payees that wait for your confirmation"
        payees={waiting.map(({ payee }) => toPayeeView(payee))}
      />
      <KeepFresh isActive />
    </Section>
  );
}

async function WaitingPayouts({ ctx }: { ctx: Viewer }) {
  const waiting = await listWaiting(ctx);
  if (waiting.length === 0) return null;
  return (
    <Section id="payouts" title="Payouts that wait for you" more={{ href: "/dashboard/payouts", label: "All payouts" }}>
      <PayoutList
        label="Payouts that wait for your approval"
        payouts={waiting.map((view) => toPayoutItem(view, ctx.config.baseUrl, ctx.now()))}
        names={await namesOf(ctx)}
      />
      <KeepFresh isActive />
    </Section>
  );
}

/** Refunds that agents requested, or that the owner prepared and did not approve yet. */
async function Waiting({ ctx }: { ctx: Viewer }) {
  const waiting = await refunds.listWaiting(ctx);
  if (waiting.length === 0) return null;
  return (
    <Section id="waiting" title="Refunds that wait for you">
      <RefundList
        label="Refunds that wait for your approval"
        refunds={waiting.map((view) => toRefundItem(view, ctx.config.baseUrl, ctx.now()))}
      />
    </Section>
  );
}

const LATEST = 6;

async function Latest({ ctx }: { ctx: Viewer }) {
  const slice = { limit: LATEST };
  const [made, received] = await Promise.all([
    listAgentPayments(ctx, slice),
    sales.list(ctx, { filter: {}, ...slice }),
  ]);
  const rows = [
    ...made.rows.map((row) => madeRow(toPaymentView(row.payment), row)),
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

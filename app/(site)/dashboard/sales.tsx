import type { ReactNode } from "react";
import { FilterLinks } from "@/components/dashboard/filter-links";
import { Section } from "@/components/dashboard/section";
import { SalesChart } from "@/components/sales/sales-chart";
import { changeWords, PERIOD_LABELS, wentThrough } from "@/components/sales/sales-words";
import { SALES_PATH } from "@/components/site/sections";
import { Amount } from "@/components/ui/amount";
import { ButtonLink } from "@/components/ui/button-link";
import { Stat } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { formatCount, roundAverage } from "@/components/ui/format";
import { Skeleton } from "@/components/ui/skeleton";
import type { Usdc } from "@/lib/core/usdc";
import { PERIODS, type SalesPeriod } from "@/lib/links/sales/periods";
import { overview } from "@/lib/links/sales/service";
import { NETWORKS, type NetworkName } from "@/lib/x402/networks";
import { href } from "./query";
import type { ownerContext } from "./viewer";

type Viewer = NonNullable<Awaited<ReturnType<typeof ownerContext>>>;
export type SalesProps = { ctx: Viewer; period: SalesPeriod | undefined; network: NetworkName | undefined };

const PERIOD: SalesPeriod = "30d";

/** Payments to the owner's agents, compared with the previous period. */
export async function Sales({ ctx, period = PERIOD, network: requestedNetwork }: SalesProps) {
  const { network, networks, current, previous, span, steps, hasSold } = await overview(ctx, {
    period,
    network: requestedNetwork,
  });
  if (!hasSold) return <NoSales />;
  const buildHref = (change: { period?: SalesPeriod; network?: NetworkName }) => {
    const to = { period, network: requestedNetwork, ...change };
    return href("/dashboard", { ...to, period: to.period === PERIOD ? undefined : to.period });
  };
  // The selected network may have no sales in this period.
  const networkOptions = networks.includes(network) ? networks : [...networks, network];
  return (
    <Frame>
      <div className="flex flex-wrap justify-between gap-x-8 gap-y-3">
        <FilterLinks
          label="Period"
          options={PERIODS.map((value) => ({
            label: PERIOD_LABELS[value],
            href: buildHref({ period: value }),
            isCurrent: value === period,
          }))}
        />
        {networkOptions.length > 1 && (
          <FilterLinks
            label="Network"
            options={networkOptions.map((name) => ({
              label: NETWORKS[name].label,
              href: buildHref({ network: name }),
              isCurrent: name === network,
            }))}
          />
        )}
      </div>
      {NETWORKS[network].isTestnet && (
        <p className="text-small text-ink-2">{NETWORKS[network].label} is a test network: this is no real money.</p>
      )}
      <SalesFigures current={current} previous={previous} />
      <SalesChart period={period} span={span} steps={steps} />
    </Frame>
  );
}

export function SalesSkeleton() {
  return (
    <Frame>
      <Skeleton className="h-8.5 w-72" />
      <Skeleton className="h-24" />
      <Skeleton className="h-56" />
    </Frame>
  );
}

const Frame = ({ children }: { children: React.ReactNode }) => (
  <Section id="sales" title="Sales" more={{ href: SALES_PATH, label: "All sales" }}>
    {children}
  </Section>
);

const NoSales = () => (
  <Frame>
    <EmptyState
      title="No sales yet"
      action={<ButtonLink href="/dashboard/links/new">Create a payment link</ButtonLink>}
    >
      Once somebody pays one of your agents, you see here how much came in, from how many payers, how many payments went
      through, and how that compares with the time before.
    </EmptyState>
  </Frame>
);

type Figures = {
  volume: Usdc;
  settled: number;
  failed: number;
  pending: number;
  payers: number;
  average: Usdc | null;
};
type SalesFiguresProps = { current: Figures; previous: Figures };

/** The figures of a period, compared with those of the previous period. */
function SalesFigures({ current, previous }: SalesFiguresProps) {
  const ended = current.settled + current.failed;
  return (
    <div className="grid grid-cols-2 gap-3 lg:grid-cols-5">
      <Stat
        label="Volume, before refunds"
        className="max-lg:col-span-2"
        note={
          <Change now={current.volume} before={previous.volume}>
            <Amount atomic={previous.volume} />
          </Change>
        }
      >
        <Amount atomic={current.volume} size="mid" />
      </Stat>
      <Stat
        label="Payments"
        note={
          <Change now={BigInt(current.settled)} before={BigInt(previous.settled)}>
            {formatCount(previous.settled)}
          </Change>
        }
      >
        {formatCount(current.settled)}
      </Stat>
      <Stat
        label="Success rate"
        note={
          <>
            {ended === 0 ? "Nothing completed yet" : `${formatCount(current.settled)} of ${formatCount(ended)}`}
            {current.pending > 0 && `, ${formatCount(current.pending)} on their way`}
            {previous.settled + previous.failed > 0 && <span className="block">{wentThrough(previous)} before</span>}
          </>
        }
      >
        {wentThrough(current) ?? <None />}
      </Stat>
      <Stat
        label="Payers"
        note={
          <Change now={BigInt(current.payers)} before={BigInt(previous.payers)}>
            {formatCount(previous.payers)}
          </Change>
        }
      >
        {formatCount(current.payers)}
      </Stat>
      <Stat
        label="Average"
        note={
          <Change now={current.average ?? 0n} before={previous.average ?? 0n}>
            <Amount atomic={roundAverage(previous.average ?? 0n)} />
          </Change>
        }
      >
        {current.average === null ? <None /> : <Amount atomic={roundAverage(current.average)} size="mid" />}
      </Stat>
    </div>
  );
}

/** `children` is the previous value. */
function Change({
  now: currentFigure,
  before: previousFigure,
  children,
}: {
  now: bigint;
  before: bigint;
  children: ReactNode;
}) {
  const changeText = changeWords(currentFigure, previousFigure);
  return changeText === null ? (
    "None before"
  ) : (
    <>
      {changeText} {children}
    </>
  );
}

const None = () => <span className="text-ink-2">None</span>;

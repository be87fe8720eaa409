import { FilterLinks } from "@/components/dashboard/filter-links";
import { Section } from "@/components/dashboard/section";
import { SalesChart } from "@/components/sales/sales-chart";
import { SalesFigures } from "@/components/sales/sales-figures";
import { PERIOD_LABELS } from "@/components/sales/sales-words";
import { ButtonLink } from "@/components/ui/button-link";
import { EmptyState } from "@/components/ui/empty-state";
import { Skeleton } from "@/components/ui/skeleton";
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
  <Section id="sales" title="Sales" more={{ href: "/dashboard/payments?side=received", label: "All sales" }}>
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

import { Section } from "@/components/dashboard/section";
import { SalesChart, type SalesChartProps } from "@/components/sales/sales-chart";
import { Amount } from "@/components/ui/amount";
import { Stat } from "@/components/ui/card";
import { formatCount } from "@/components/ui/format";
import type { Usdc } from "@/lib/core/usdc";

export type LinkRevenueProps = {
  /** Settled payments and their sum, before refunds. */
  payments: number;
  volume: Usdc;
  refunded: Usdc;
  refunds: number;
  net: Usdc;
  /** The URL of the list of payments. */
  listHref: string;
} & Pick<SalesChartProps, "span" | "steps">;

/** The revenue of a link since its creation, and per day for the last 30 days. */
export function LinkRevenue({ payments, volume, refunded, refunds, net, listHref, span, steps }: LinkRevenueProps) {
  return (
    <Section id="revenue" title="Revenue" more={payments > 0 ? { href: listHref, label: "All payments" } : undefined}>
      {payments === 0 ? (
        <p className="rounded-card border bg-card p-5 text-control text-ink-2">
          No payment has settled yet. The link’s revenue appears here.
        </p>
      ) : (
        <>
          <div className="@container">
            <div className="grid grid-cols-2 gap-3 @xl:grid-cols-4">
              <Stat label="Payments settled">{formatCount(payments)}</Stat>
              <Stat label="Settled">
                <Amount atomic={volume} size="mid" />
              </Stat>
              <Stat
                label="Refunded"
                note={refunds === 0 ? undefined : `${formatCount(refunds)} ${refunds === 1 ? "refund" : "refunds"}`}
              >
                <Amount atomic={refunded} size="mid" />
              </Stat>
              <Stat label="Net">
                <Amount atomic={net} size="mid" />
              </Stat>
            </div>
          </div>
          <SalesChart period="30d" span={span} steps={steps} />
        </>
      )}
    </Section>
  );
}

import { Disclosure } from "@/components/ui/disclosure";
import { formatAmount, usdcText } from "@/components/ui/format";
import { Table } from "@/components/ui/table";
import { formatUsdc, type Usdc } from "@/lib/core/usdc";
import type { SalesPeriod, TimeSpan } from "@/lib/links/sales/periods";
import { STEP_WORDS, spanLabel, stepLabel } from "./sales-words";

type Step = TimeSpan & { volume: Usdc; payments: number };
export type SalesChartProps = { period: SalesPeriod; span: TimeSpan; steps: readonly Step[] };

/** Settled volume per day, week or month, as bars and as a table. */
export function SalesChart({ period, span, steps }: SalesChartProps) {
  const most = steps.reduce<Step | undefined>(
    (best, step) => (best && best.volume >= step.volume ? best : step),
    undefined,
  );
  const [first, last] = [steps[0], steps.at(-1)];
  if (!most || !first || !last) return null;
  const unit = STEP_WORDS[period];
  const isEmpty = most.volume === 0n;
  const summary = isEmpty
    ? `Settled per ${unit}: nothing in this time.`
    : `Settled per ${unit}. Most in ${stepLabel(period, most)}: ${usdcText(most.volume)}. The table below has each ${unit}.`;
  return (
    <div className="grid gap-3">
      <figure className="rounded-card border bg-card p-4 sm:p-5">
        <figcaption className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 text-small text-ink-2">
          <span>Settled per {unit}, USDC</span>
          <span className="num">{spanLabel(span)} · days in UTC</span>
        </figcaption>
        <div className="relative mt-4 border-b border-line-2">
          {isEmpty ? (
            <p className="absolute inset-x-0 top-1/2 -translate-y-1/2 text-center text-control text-ink-2">
              Nothing settled in this period.
            </p>
          ) : (
            <p className="absolute top-0 left-0 text-tiny text-ink-2 num" aria-hidden>
              {formatAmount(formatUsdc(most.volume))}
            </p>
          )}
          <svg
            role="img"
            aria-label={summary}
            viewBox={`0 0 ${steps.length * BAR} ${TALL}`}
            preserveAspectRatio="none"
            className="block h-40 w-full fill-brand"
          >
            {!isEmpty && (
              <line
                x2={steps.length * BAR}
                y1={TALL - Number(HIGHEST)}
                y2={TALL - Number(HIGHEST)}
                vectorEffect="non-scaling-stroke"
                strokeDasharray="3 3"
                className="stroke-line-2"
              />
            )}
            {steps.map((step, index) => (
              <rect
                key={step.from.getTime()}
                x={index * BAR + GAP / 2}
                y={TALL - heightOf(step.volume, most.volume)}
                width={BAR - GAP}
                height={heightOf(step.volume, most.volume)}
              >
                <title>{`${stepLabel(period, step)}: ${usdcText(step.volume)} in ${counted(step.payments)}`}</title>
              </rect>
            ))}
          </svg>
        </div>
        <p aria-hidden className="mt-2 flex justify-between gap-4 text-tiny text-ink-2 num">
          <span>{stepLabel(period, first)}</span>
          <span>{stepLabel(period, last)}</span>
        </p>
      </figure>
      <Disclosure summary="As a table">
        <Table
          caption={`Settled per ${unit}, oldest first`}
          rows={steps}
          rowKey={(step) => String(step.from.getTime())}
          columns={[
            {
              key: "step",
              header: capital(unit),
              cell: (step) => <span className="num">{stepLabel(period, step)}</span>,
            },
            { key: "payments", header: "Payments", align: "end", cell: (step) => step.payments },
            { key: "volume", header: "USDC", align: "end", cell: (step) => formatAmount(formatUsdc(step.volume)) },
          ]}
        />
      </Disclosure>
    </div>
  );
}

const BAR = 10;
const GAP = 3;
/** Leaves room for the figure above the highest bar. */
const TALL = 120;
const HIGHEST = 98n;

/** The height of a bar; an amount above zero is always visible. */
function heightOf(volume: bigint, most: bigint): number {
  if (volume === 0n) return 0;
  // Scaled to hundredths as a bigint first, so that the double is exact.
  return Math.max(1.5, Number((volume * HIGHEST * 100n) / most) / 100);
}
const counted = (payments: number) => (payments === 1 ? "1 payment" : `${payments} payments`);
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

import { formatPercent } from "@/components/ui/format";
import type { SalesPeriod, TimeSpan } from "@/lib/links/sales/periods";

export const PERIOD_LABELS: Record<SalesPeriod, string> = {
  "7d": "7 days",
  "30d": "30 days",
  "90d": "90 days",
  "12m": "12 months",
};

/** The time that one bar covers. */
export const STEP_WORDS: Record<SalesPeriod, string> = { "7d": "day", "30d": "day", "90d": "week", "12m": "month" };

const DAY_MS = 86_400_000;
const createDateFormat = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", ...options });
const DAY = createDateFormat({ day: "numeric", month: "short" });
const DATE = createDateFormat({ day: "numeric", month: "short", year: "numeric" });
const MONTH = createDateFormat({ month: "short", year: "numeric" });

/** The days of a span; `to` is exclusive. */
export function stepLabel(period: SalesPeriod, { from, to }: TimeSpan): string {
  if (period === "12m") return MONTH.format(from);
  const last = new Date(to.getTime() - DAY_MS);
  return last <= from ? DAY.format(from) : DAY.formatRange(from, last);
}

export const spanLabel = ({ from, to }: TimeSpan): string => DATE.formatRange(from, to);

/** The change in whole per cent, rounded down; null when `previousFigure` is zero. */
export function changeWords(currentFigure: bigint, previousFigure: bigint): string | null {
  if (previousFigure === 0n) return null;
  if (currentFigure === previousFigure) return "The same as";
  const up = currentFigure > previousFigure;
  return `${up ? "Up" : "Down"} ${formatPercent(up ? currentFigure - previousFigure : previousFigure - currentFigure, previousFigure)} from`;
}

/** The share of completed payments that settled, to a tenth of a per cent, rounded down; null if none has completed. */
export function wentThrough({ settled, failed }: { settled: number; failed: number }): string | null {
  const ended = settled + failed;
  return ended === 0 ? null : formatPercent(BigInt(settled), BigInt(ended), 1);
}

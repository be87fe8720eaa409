import { formatPercent } from "@/components/ui/format";
import type { Period, Span } from "@/lib/links/sales/periods";

export const PERIOD_LABELS: Record<Period, string> = {
  "7d": "7 days",
  "30d": "30 days",
  "90d": "90 days",
  "12m": "12 months",
};

/** The time that one bar covers. */
export const STEP_WORDS: Record<Period, string> = { "7d": "day", "30d": "day", "90d": "week", "12m": "month" };

const DAY_MS = 86_400_000;
const words = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", ...options });
const DAY = words({ day: "numeric", month: "short" });
const DATE = words({ day: "numeric", month: "short", year: "numeric" });
const MONTH = words({ month: "short", year: "numeric" });

/** The days of a span; `to` is exclusive. */
export function stepLabel(period: Period, { from, to }: Span): string {
  if (period === "12m") return MONTH.format(from);
  const last = new Date(to.getTime() - DAY_MS);
  return last <= from ? DAY.format(from) : DAY.formatRange(from, last);
}

export const spanLabel = ({ from, to }: Span): string => DATE.formatRange(from, to);

/** The change in whole per cent, rounded down; null when `before` is zero. */
export function changeWords(now: bigint, before: bigint): string | null {
  if (before === 0n) return null;
  if (now === before) return "The same as";
  const up = now > before;
  return `${up ? "Up" : "Down"} ${formatPercent(up ? now - before : before - now, before)} from`;
}

/** Settled payments of all completed ones, to a tenth of a per cent, rounded down; null when none has completed. */
export function wentThrough({ settled, failed }: { settled: number; failed: number }): string | null {
  const ended = settled + failed;
  return ended === 0 ? null : formatPercent(BigInt(settled), BigInt(ended), 1);
}

export const PERIODS = ["7d", "30d", "90d", "12m"] as const;
export type SalesPeriod = (typeof PERIODS)[number];

/** A half-open interval: `from` inclusive, `to` exclusive. */
export type TimeSpan = { from: Date; to: Date };

/** A period up to `now`, the equally long period before it, and the whole days, weeks or months (UTC) it consists of. */
export type Window = { current: TimeSpan; previous: TimeSpan; steps: TimeSpan[] };

const LENGTHS = {
  "7d": { days: 7, step: 1 },
  "30d": { days: 30, step: 1 },
  "90d": { days: 90, step: 7 },
} as const;
const MONTHS = 12;

/**
 * The last 7, 30 or 90 days or the last 12 months in UTC, including the current one. An unfinished day or month is compared
 * with the same part of the previous period: half a day with half a day.
 */
export function windowOf(period: SalesPeriod, now: Date): Window {
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  if (period === "12m") {
    const monthAt = (back: number) => new Date(Date.UTC(year, month - back, 1));
    return {
      current: { from: monthAt(MONTHS - 1), to: now },
      previous: { from: monthAt(2 * MONTHS - 1), to: yearBefore(now) },
      steps: countDown(MONTHS).map((back) => ({ from: monthAt(back), to: monthAt(back - 1) })),
    };
  }
  const { days, step } = LENGTHS[period];
  const dayAt = (back: number) => new Date(Date.UTC(year, month, day - back));
  const first = days - 1;
  return {
    current: { from: dayAt(first), to: now },
    previous: { from: dayAt(first + days), to: new Date(now.getTime() - days * DAY_MS) },
    // Counted back from today, so that the incomplete week is the oldest.
    steps: countDown(Math.ceil(days / step)).map((back) => ({
      from: dayAt(Math.min(first, back * step + step - 1)),
      to: dayAt(back * step - 1),
    })),
  };
}

const DAY_MS = 86_400_000;

/** `count - 1` down to 0. */
const countDown = (count: number): number[] => Array.from({ length: count }, (_, index) => count - 1 - index);

/** One year earlier; 29 February becomes 28 February. */
function yearBefore(time: Date): Date {
  const earlierDate = new Date(time);
  earlierDate.setUTCFullYear(time.getUTCFullYear() - 1);
  if (earlierDate.getUTCMonth() !== time.getUTCMonth()) earlierDate.setUTCDate(0);
  return earlierDate;
}

export const PERIODS = ["7d", "30d", "90d", "12m"] as const;
export type Period = (typeof PERIODS)[number];

/** From `from` until before `to`. */
export type Span = { from: Date; to: Date };

/** A period up to `now`, the same stretch of time before it, and the whole days, weeks or months it is made of. UTC. */
export type Window = { current: Span; previous: Span; steps: Span[] };

const LENGTHS = {
  "7d": { days: 7, step: 1 },
  "30d": { days: 30, step: 1 },
  "90d": { days: 90, step: 7 },
} as const;
const MONTHS = 12;

/**
 * The last whole days of UTC, or the last twelve months, today and this month included. What is not over yet is compared with
 * as much of the period before: half a day with half a day.
 */
export function windowOf(period: Period, now: Date): Window {
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
    // Counted from today, so that the week that is cut short is the oldest.
    steps: countDown(Math.ceil(days / step)).map((back) => ({
      from: dayAt(Math.min(first, back * step + step - 1)),
      to: dayAt(back * step - 1),
    })),
  };
}

const DAY_MS = 86_400_000;

/** `count - 1` down to 0. */
const countDown = (count: number): number[] => Array.from({ length: count }, (_, at) => count - 1 - at);

/** The 29th of February has the 28th before it. */
function yearBefore(at: Date): Date {
  const before = new Date(at);
  before.setUTCFullYear(at.getUTCFullYear() - 1);
  if (before.getUTCMonth() !== at.getUTCMonth()) before.setUTCDate(0);
  return before;
}

import { formatUsdc, toUsdc, type Usdc, ZERO } from "@/lib/core/money";
import { addSeconds } from "@/lib/core/time";
import type { ExceededCap } from "@/lib/platform/summary";
import type { spendingCaps } from "../tables";

/**
 * Caps over everything that an owner's agents spend. A window counts whole hours or days, its oldest one in full, so that no 24 hours
 * and no 30 days ever hold more than the cap.
 */
export type SpendingCap = typeof spendingCaps.$inferSelect;

export const WINDOWS = ["24_hours", "30_days"] as const;
export type Window = (typeof WINDOWS)[number];

const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 86_400;
const DAY_HOURS = 24;
/** Clocks of processes that are up to this far apart shorten no window. */
const SKEW_SECONDS = 300;
const WINDOW_HOURS = 24;
const WINDOW_DAYS = 30;
/** The hours and days that a row tells apart: the newest, those of a window before it, and one more for a clock that is behind. */
export const HOURS = WINDOW_HOURS + 2;
export const DAYS = WINDOW_DAYS + 2;
export const WAITING_MAX = 20;

export const hourOf = (time: Date): number => Math.floor(time.getTime() / 1000 / HOUR_SECONDS);
const dayOfHour = (hour: number): number => Math.floor(hour / DAY_HOURS);

/** The oldest hour and the oldest day that the windows of `now` count. */
export function oldestOf(now: Date): { hour: number; day: number } {
  const hour = hourOf(addSeconds(now, -SKEW_SECONDS));
  return { hour: hour - WINDOW_HOURS, day: dayOfHour(hour) - WINDOW_DAYS };
}

type Counters = Pick<SpendingCap, "hour" | "total" | "hours" | "days">;

export const noCounters = (hour: number): Counters => ({
  hour,
  total: ZERO,
  hours: new Array<Usdc>(HOURS).fill(ZERO),
  days: new Array<Usdc>(DAYS).fill(ZERO),
});

/** The counters once `hour` has begun. They never go back. */
export function advanced<C extends Counters>(counters: C, hour: number): C {
  if (hour <= counters.hour) return counters;
  const shift = (starts: readonly Usdc[], by: number) => {
    const kept = starts.slice(Math.min(by, starts.length));
    return [...kept, ...new Array<Usdc>(starts.length - kept.length).fill(counters.total)];
  };
  return {
    ...counters,
    hour,
    hours: shift(counters.hours, hour - counters.hour),
    days: shift(counters.days, dayOfHour(hour) - dayOfHour(counters.hour)),
  };
}

/** The counters after adding `change` to `hour`, which is not after theirs. What has left them is not counted any more. */
export function counted<C extends Counters>(counters: C, hour: number, change: bigint): C {
  const daysAgo = dayOfHour(counters.hour) - dayOfHour(hour);
  if (daysAgo >= DAYS) return counters;
  const addAfter = (starts: readonly Usdc[], age: number) =>
    starts.map((start, index) => (index > starts.length - 1 - age ? toUsdc(start + change) : start));
  return {
    ...counters,
    total: toUsdc(counters.total + change),
    hours: addAfter(counters.hours, counters.hour - hour),
    days: addAfter(counters.days, daysAgo),
  };
}

/** What a window of `now` has used. `remainingAmount` is at least zero. */
export type WindowUse = { window: Window; cap: Usdc; usedAmount: Usdc; remainingAmount: Usdc };

export function windowUse(row: SpendingCap, window: Window, now: Date): WindowUse | null {
  const cap = window === "24_hours" ? row.maxAmountPer24Hours : row.maxAmountPer30Days;
  if (cap === null) return null;
  const { starts, count } = windowOf(row, window, now);
  const usedAmount = toUsdc(row.total - (starts[starts.length - count] ?? row.total));
  return { window, cap, usedAmount, remainingAmount: usedAmount < cap ? toUsdc(cap - usedAmount) : ZERO };
}

const WINDOW_SECONDS = { "24_hours": DAY_SECONDS, "30_days": WINDOW_DAYS * DAY_SECONDS } as const satisfies Record<
  Window,
  number
>;

/** Names a cap's window of `now`, to say once that it is nearly used: one name for each length of the window since 1970. */
export const nameOfWindow = (capId: number, window: Window, now: Date): string =>
  `cap ${capId} ${window} ${Math.floor(now.getTime() / 1000 / WINDOW_SECONDS[window])}`;

/** Whether 80 % is used. */
export const isNearlyUsed = ({ cap, usedAmount }: WindowUse): boolean =>
  usedAmount > ZERO && usedAmount * 5n >= cap * 4n;

/** The totals at the starts of a row's hours or days, how many of them a window of `now` counts, and when the one at an index leaves it. */
function windowOf(
  row: Counters,
  window: Window,
  now: Date,
): { starts: readonly Usdc[]; count: number; leavesAt: (index: number) => Date } {
  const oldest = oldestOf(now);
  const [starts, newest, first, seconds, length] =
    window === "24_hours"
      ? [row.hours, row.hour, oldest.hour, HOUR_SECONDS, WINDOW_HOURS]
      : [row.days, dayOfHour(row.hour), oldest.day, DAY_SECONDS, WINDOW_DAYS];
  const leavesAt = (index: number) =>
    new Date(((newest - (starts.length - 1 - index) + length + 1) * seconds + SKEW_SECONDS) * 1000);
  return { starts, count: Math.max(0, Math.min(starts.length, newest - first + 1)), leavesAt };
}

/** A cap that does not cover an amount now. `availableAt`: when it will; null if it never does. */
export type Lack = WindowUse & { row: SpendingCap; availableAt: Date | null };

/** The cap that an amount would have to wait for the longest; null if all cover it. */
export function lackingCap(rows: readonly SpendingCap[], amount: Usdc, now: Date): Lack | null {
  const lacks = rows.flatMap((row) =>
    WINDOWS.flatMap((window): Lack[] => {
      const use = windowUse(row, window, now);
      if (use === null || amount <= use.remainingAmount) return [];
      return [{ ...use, row, availableAt: availableAt(row, window, { cap: use.cap, amount }, now) }];
    }),
  );
  const waitOf = ({ availableAt }: Lack) => availableAt?.getTime() ?? Number.POSITIVE_INFINITY;
  return lacks.reduce<Lack | null>((last, lack) => (last === null || waitOf(lack) > waitOf(last) ? lack : last), null);
}

function availableAt(
  row: SpendingCap,
  window: Window,
  { cap, amount }: { cap: Usdc; amount: Usdc },
  now: Date,
): Date | null {
  const { starts, count, leavesAt } = windowOf(row, window, now);
  for (let index = starts.length - count; index < starts.length; index++) {
    const used = row.total - (starts[index + 1] ?? row.total);
    if (used + amount <= cap) return leavesAt(index);
  }
  return null;
}

/** What an owner and their agents see of a cap that `amount` exceeds; null if all cover it. */
export function exceededCapOf(rows: readonly SpendingCap[], amount: Usdc, now: Date): ExceededCap | null {
  // What no approval helps is said first.
  const strict = lackingCap(
    rows.filter(({ waitingMax }) => waitingMax === 0),
    amount,
    now,
  );
  const lack = strict ?? lackingCap(rows, amount, now);
  if (lack === null) return null;
  const { row, window, cap: maxAmount, remainingAmount, availableAt } = lack;
  const limitOf = row.agentId === null ? "owner" : "agent";
  return { limitOf, window, maxAmount, remainingAmount, availableAt, canAsk: strict === null };
}

/** How many payments above their caps may wait for a person; zero if one of the caps refuses them. */
export function waitingMaxOf(rows: readonly SpendingCap[], amount: Usdc, now: Date): number {
  const lacking = rows.filter((row) => lackingCap([row], amount, now) !== null);
  return lacking.length === 0 ? 0 : Math.min(...lacking.map(({ waitingMax }) => waitingMax));
}

export type CapTerms = Pick<SpendingCap, "maxAmountPer24Hours" | "maxAmountPer30Days" | "waitingMax">;
export const NO_CAPS: CapTerms = { maxAmountPer24Hours: null, maxAmountPer30Days: null, waitingMax: 0 };

export const hasCap = ({ maxAmountPer24Hours, maxAmountPer30Days }: CapTerms): boolean =>
  maxAmountPer24Hours !== null || maxAmountPer30Days !== null;

/** Whether `next` allows anything that `current` does not. */
export function widens(current: CapTerms, next: CapTerms): boolean {
  const isRaised = (from: Usdc | null, to: Usdc | null) => from !== null && (to === null || to > from);
  return (
    isRaised(current.maxAmountPer24Hours, next.maxAmountPer24Hours) ||
    isRaised(current.maxAmountPer30Days, next.maxAmountPer30Days) ||
    (hasCap(current) && next.waitingMax > current.waitingMax)
  );
}

/** Error details of a payment that does not fit under a cap. */
export function explainLack({ row, window, cap, remainingAmount, availableAt }: Lack, amount: Usdc, now: Date) {
  const whose = row.agentId === null ? "for all spending" : "for this agent";
  const period = window === "24_hours" ? "24 hours" : "30 days";
  return {
    message:
      availableAt === null
        ? `The owner allows ${formatUsdc(cap)} USDC in ${period} ${whose}, so this payment of ${formatUsdc(amount)} never fits. Ask them to raise the limit`
        : `The owner allows ${formatUsdc(cap)} USDC in ${period} ${whose}. ${formatUsdc(remainingAmount)} is left and this payment needs ${formatUsdc(amount)}`,
    limitOf: row.agentId === null ? "owner" : "agent",
    window,
    maxAmount: cap.toString(),
    remainingAmount: remainingAmount.toString(),
    availableAt: availableAt?.toISOString() ?? null,
    ...(availableAt !== null && {
      retryAfterSeconds: Math.max(1, Math.ceil((availableAt.getTime() - now.getTime()) / 1000)),
    }),
  };
}

import { toUsdc, type Usdc, ZERO } from "@/lib/core/money";
import type { Mandate } from "./store";

/** Budgets of calendar days and months, in UTC. */

export type PeriodName = "day" | "month";
/** A UTC day as YYYY-MM-DD: text order is date order. */
export type Day = string;

/**
 * The caps, and the sums reserved or paid in the newest day and its month. `chargedOn` never goes back: a process whose clock is
 * behind charges the day that another process has begun.
 */
export type Periods = Pick<
  Mandate,
  "maxAmountPerDay" | "maxAmountPerMonth" | "chargedOn" | "dayAmount" | "monthAmount"
>;

// Why: docs/decisions.md, 180.
export const dayOf = (time: Date): Day => time.toISOString().slice(0, 10);
export const monthOf = (day: Day): string => day.slice(0, 7);

export const hasPeriods = (m: Pick<Periods, "maxAmountPerDay" | "maxAmountPerMonth">): boolean =>
  m.maxAmountPerDay !== null || m.maxAmountPerMonth !== null;

/** A budget of the day or month of `now`. `remainingAmount` is at least zero. `resetsAt`: when the next period begins. */
export type PeriodBudget = { cap: Usdc; usedAmount: Usdc; remainingAmount: Usdc; resetsAt: Date };

export function periodOf(m: Periods, name: PeriodName, now: Date): PeriodBudget | null {
  const cap = name === "day" ? m.maxAmountPerDay : m.maxAmountPerMonth;
  if (cap === null) return null;
  const today = dayOf(now);
  const { chargedOn } = m;
  const day = chargedOn !== null && chargedOn > today ? chargedOn : today;
  const usedToday = chargedOn === day ? m.dayAmount : ZERO;
  const usedThisMonth = chargedOn !== null && monthOf(chargedOn) === monthOf(day) ? m.monthAmount : ZERO;
  const usedAmount = name === "day" ? usedToday : usedThisMonth;
  const start = new Date(day);
  const [year, month, date] = [start.getUTCFullYear(), start.getUTCMonth(), start.getUTCDate()];
  return {
    cap,
    usedAmount,
    remainingAmount: usedAmount < cap ? toUsdc(cap - usedAmount) : ZERO,
    resetsAt: new Date(name === "day" ? Date.UTC(year, month, date + 1) : Date.UTC(year, month + 1, 1)),
  };
}

/** The longer first: an amount that fits neither has to wait for the month. */
export const PERIOD_NAMES: readonly PeriodName[] = ["month", "day"];

/** The period whose budget does not cover `amount` now, though a later one would; null if all do. */
export function lackingPeriod(m: Periods, amount: Usdc, now: Date): (PeriodBudget & { name: PeriodName }) | null {
  for (const name of PERIOD_NAMES) {
    const period = periodOf(m, name, now);
    if (period && amount > period.remainingAmount) return { name, ...period };
  }
  return null;
}

/** The most that one payment can cost under every cap; null without caps. */
export function largestPayment(m: Periods & Pick<Mandate, "maxAmountPerPayment">): Usdc | null {
  const caps = [m.maxAmountPerPayment, m.maxAmountPerDay, m.maxAmountPerMonth].filter((cap) => cap !== null);
  return caps.reduce<Usdc | null>((least, cap) => (least === null || cap < least ? cap : least), null);
}

/** The counters after adding `change` on `day`, which is not after `chargedOn`. */
export function counted<P extends Periods>(m: P, day: Day, change: bigint): P {
  const { chargedOn, dayAmount, monthAmount } = m;
  if (chargedOn === null) return m;
  return {
    ...m,
    dayAmount: chargedOn === day ? toUsdc(dayAmount + change) : dayAmount,
    monthAmount: monthOf(chargedOn) === monthOf(day) ? toUsdc(monthAmount + change) : monthAmount,
  };
}

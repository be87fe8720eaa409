import { describe, expect, test } from "vitest";
import type { AgentId } from "@/lib/core/ids";
import { toUsdc } from "@/lib/core/money";
import {
  advanced,
  counted,
  DAYS,
  exceededCapOf,
  explainLack,
  HOURS,
  hourOf,
  lackingCap,
  NO_CAPS,
  nameOfWindow,
  noCounters,
  type SpendingCap,
  waitingMaxOf,
  widens,
  windowUse,
} from "./rules";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NOON = Date.UTC(2026, 10, 2, 12);
const at = (ms: number) => new Date(NOON + ms);
const usdc = (amount: number) => toUsdc(BigInt(amount));

const capOf = (terms: Partial<SpendingCap> = {}): SpendingCap => ({
  id: 1,
  walletId: "wal_1",
  agentId: null,
  maxAmountPer24Hours: usdc(100),
  maxAmountPer30Days: null,
  waitingMax: 0,
  ...noCounters(hourOf(at(0))),
  ...terms,
});
const spentAt = (row: SpendingCap, ms: number, amount: number): SpendingCap => {
  const hour = Math.max(row.hour, hourOf(at(ms)));
  return counted(advanced(row, hour), hour, BigInt(amount));
};
const usedAt = (row: SpendingCap, ms: number, window: "24_hours" | "30_days" = "24_hours") =>
  Number(windowUse(row, window, at(ms))?.usedAmount);

describe("a window of 24 hours", () => {
  test.each([
    [0, 24 * HOUR_MS],
    [59 * 60_000, 24 * HOUR_MS],
    [1, 24.5 * HOUR_MS],
  ])("counts what was spent %d ms after the hour for 24 hours and at most 25 hours and five minutes", (ms, later) => {
    const row = spentAt(capOf(), ms, 40);
    expect([usedAt(row, ms), usedAt(row, ms + 24 * HOUR_MS), usedAt(row, later)]).toEqual([40, 40, 40]);
    expect(usedAt(row, ms + 25 * HOUR_MS + 300_000)).toBe(0);
  });

  test("never lets more than the cap through in any 24 hours, whatever the times of the payments", () => {
    let row = capOf();
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return seed % below;
    };
    const paid: { ms: number; amount: number }[] = [];
    for (let ms = 0; ms < 10 * DAY_MS; ms += random(2 * HOUR_MS)) {
      const amount = 1 + random(30);
      if (lackingCap([row], usdc(amount), at(ms))) continue;
      row = spentAt(row, ms, amount);
      paid.push({ ms, amount });
    }
    expect(paid.length).toBeGreaterThan(40);
    for (const { ms: end } of paid) {
      const sum = paid
        .filter(({ ms }) => ms > end - DAY_MS && ms <= end)
        .reduce((total, { amount }) => total + amount, 0);
      expect(sum).toBeLessThanOrEqual(100);
    }
  });

  test("a clock that is behind charges the hour that another one has begun, and forgets nothing", () => {
    const row = spentAt(spentAt(capOf(), 60_000, 40), -30 * 60_000, 10);
    expect(row.hour).toBe(hourOf(at(0)));
    expect([usedAt(row, -30 * 60_000), usedAt(row, 0), usedAt(row, 24 * HOUR_MS)]).toEqual([50, 50, 50]);
  });

  test("clocks five minutes apart shorten no window", () => {
    const slow = spentAt(capOf(), 59 * 60_000, 40);
    // At 13:04 by the clock that is behind, it is spent in the hour of 12:59; a clock that is ahead still counts it a day later.
    expect(usedAt(slow, 25 * HOUR_MS + 299_000)).toBe(40);
  });
});

test("30 days count whole days, the oldest one in full", () => {
  const row = spentAt(capOf({ maxAmountPer24Hours: null, maxAmountPer30Days: usdc(100) }), 0, 60);
  expect(usedAt(row, 30 * DAY_MS, "30_days")).toBe(60);
  expect(usedAt(row, 31 * DAY_MS, "30_days")).toBe(0);
  expect(usedAt(spentAt(row, 30 * DAY_MS, 7), 30 * DAY_MS, "30_days")).toBe(67);
  expect([row.hours.length, row.days.length]).toEqual([HOURS, DAYS]);
});

test("a window is named once for each of its lengths", () => {
  const day = Date.UTC(2026, 10, 2);
  const named = (ms: number, window: "24_hours" | "30_days" = "24_hours") =>
    nameOfWindow(7, window, new Date(day + ms));
  expect(named(DAY_MS - 1)).toBe(named(0));
  expect(named(DAY_MS)).not.toBe(named(0));
  expect(named(0, "30_days")).not.toBe(named(0));
  expect(nameOfWindow(8, "24_hours", new Date(day))).not.toBe(named(0));
  const month = Math.ceil(day / (30 * DAY_MS)) * 30 * DAY_MS - day;
  expect(named(month, "30_days")).toBe(named(month + 30 * DAY_MS - 1, "30_days"));
  expect(named(month, "30_days")).not.toBe(named(month - 1, "30_days"));
});

test("what is released frees the hour and the day that counted it, and what has left the counters is not taken from them", () => {
  const early = spentAt(capOf(), 0, 40);
  const late = spentAt(early, 3 * HOUR_MS, 50);
  const hour = hourOf(at(0));
  expect(usedAt(counted(late, hour, -40n), 3 * HOUR_MS)).toBe(50);
  const muchLater = spentAt(late, 40 * DAY_MS, 5);
  expect(counted(muchLater, hour, -40n)).toEqual(muchLater);
});

describe("a payment that does not fit", () => {
  const row = spentAt(spentAt(capOf(), 0, 60), 2 * HOUR_MS, 30);

  test("fits once enough has left the window", () => {
    const lack = lackingCap([row], usdc(20), at(3 * HOUR_MS));
    expect(lack?.availableAt).toEqual(at(25 * HOUR_MS + 300_000));
    expect(lackingCap([row], usdc(20), lack?.availableAt ?? at(0))).toBeNull();
    expect(lackingCap([row], usdc(20), at(25 * HOUR_MS + 299_999))).not.toBeNull();
    expect(lackingCap([row], usdc(100), at(3 * HOUR_MS))?.availableAt).toEqual(at(27 * HOUR_MS + 300_000));
  });

  test("never fits if it is larger than the cap, and a cap of zero lets nothing through", () => {
    expect(lackingCap([row], usdc(101), at(0))?.availableAt).toBeNull();
    const zero = lackingCap([capOf({ maxAmountPer24Hours: usdc(0) })], usdc(1), at(0));
    expect(zero && explainLack(zero, usdc(1), at(0))).toMatchObject({ availableAt: null, maxAmount: "0" });
  });

  test("names the cap that it has to wait for the longest", () => {
    const agents = spentAt(
      capOf({ agentId: "agent" as AgentId, maxAmountPer24Hours: null, maxAmountPer30Days: usdc(50) }),
      0,
      45,
    );
    const lack = lackingCap([row, agents], usdc(20), at(3 * HOUR_MS));
    expect(lack && explainLack(lack, usdc(20), at(3 * HOUR_MS))).toMatchObject({
      limitOf: "agent",
      window: "30_days",
      remainingAmount: "5",
    });
  });

  test("is shown with the cap that no approval helps before one that lets it wait", () => {
    const asking = { ...row, waitingMax: 3 };
    const now = at(3 * HOUR_MS);
    expect(exceededCapOf([asking], usdc(10), now)).toBeNull();
    expect(exceededCapOf([asking], usdc(20), now)).toEqual({
      limitOf: "owner",
      window: "24_hours",
      maxAmount: usdc(100),
      remainingAmount: usdc(10),
      availableAt: at(25 * HOUR_MS + 300_000),
      canAsk: true,
    });
    const strict = capOf({ agentId: "agent" as AgentId, maxAmountPer24Hours: usdc(15) });
    expect(exceededCapOf([asking, strict], usdc(20), now)).toMatchObject({ limitOf: "agent", canAsk: false });
  });

  test("may wait for a person only if each cap that lacks lets it", () => {
    const asking = { ...row, waitingMax: 3 };
    expect(waitingMaxOf([asking, { ...row, waitingMax: 2 }], usdc(20), at(3 * HOUR_MS))).toBe(2);
    expect(waitingMaxOf([asking, row], usdc(20), at(3 * HOUR_MS))).toBe(0);
    expect(waitingMaxOf([asking, capOf()], usdc(20), at(3 * HOUR_MS))).toBe(3);
  });
});

const terms = { maxAmountPer24Hours: usdc(10), maxAmountPer30Days: usdc(50), waitingMax: 1 };
test.each([
  [NO_CAPS, terms, false],
  [terms, terms, false],
  [terms, { ...terms, maxAmountPer24Hours: usdc(0) }, false],
  [terms, { ...terms, waitingMax: 0 }, false],
  [{ ...terms, maxAmountPer30Days: null }, terms, false],
  [terms, { ...terms, maxAmountPer24Hours: usdc(11) }, true],
  [terms, { ...terms, maxAmountPer30Days: null }, true],
  [terms, { ...terms, waitingMax: 2 }, true],
  [terms, NO_CAPS, true],
])("from %o to %o widens: %s", (current, next, isWider) => {
  expect(widens(current, next)).toBe(isWider);
});

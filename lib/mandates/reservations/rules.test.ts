import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toAddress } from "@/lib/core/address";
import { newId } from "@/lib/core/ids";
import { toUsdc } from "@/lib/core/money";
import { fromUnixSeconds } from "@/lib/core/time";
import type { Transfer } from "@/lib/platform/subscriber";
import { remaining } from "../rules";
import {
  afterCancellation,
  afterExpiry,
  afterSpending,
  afterTransfer,
  afterUnwinding,
  applyMove,
  type Move,
  type Reservation,
  type ReservationChange,
} from "./rules";

const payee = toAddress(`0x${"22".repeat(20)}`);
const payer = toAddress(`0x${"33".repeat(20)}`);
const nonce = `0x${"44".repeat(32)}` as const;
const txHash = `0x${"55".repeat(32)}` as const;

const open: Reservation = {
  id: 1,
  mandateId: newId("mandate"),
  network: "base",
  payer,
  nonce,
  payee,
  amount: toUsdc(5n),
  validBefore: 1_000n,
  state: "open",
  isSubmitted: false,
  txHash: null,
  blockNumber: null,
  endedAt: null,
  chargedOn: null,
  chargedHour: null,
  walletId: "wal_1",
  agentId: null,
};
const block = { number: 7n, hash: nonce, time: fromUnixSeconds(950) };
const fact: Transfer = { network: "base", from: payer, nonce, to: payee, value: toUsdc(5n), txHash, block };
const end = { txHash, blockNumber: 7n, endedAt: block.time };
const applied = (change: ReservationChange | null, before = open): Reservation => {
  if (!change) return before;
  const { move: _move, ...columns } = change;
  return { ...before, ...columns };
};
const committed = applied(afterTransfer(open, fact));
const cancelled = applied(afterCancellation(open, fact));
const expired = applied(afterExpiry(open, { number: 8n, time: fromUnixSeconds(1_000) }));

describe("a reservation", () => {
  test.each<[string, ReservationChange | null, Partial<ReservationChange> | null]>([
    ["is committed by its transfer", afterTransfer(open, fact), { ...end, state: "committed", move: "commit" }],
    ["is not changed by the same transfer again", afterTransfer(committed, fact), null],
    ["is released by a transfer to another payee", afterTransfer(open, { ...fact, to: payer }), { state: "released" }],
    ["is released by another amount", afterTransfer(open, { ...fact, value: toUsdc(4n) }), { state: "released" }],
    ["is spent by a transfer after its end", afterTransfer(expired, fact), { state: "committed", move: "spend" }],
    ["is released by its cancellation", afterCancellation(open, fact), { ...end, state: "released", move: "release" }],
    ["is not released twice", afterCancellation(cancelled, fact), null],
    ["stays committed after a cancellation", afterCancellation(committed, fact), null],
    [
      "is committed by spent credits, in no block",
      afterSpending(open, block.time),
      { blockNumber: null, txHash: null },
    ],
    ["is not committed by credits after its end", afterSpending(expired, block.time), null],
    [
      "is uncommitted with its block",
      afterUnwinding(committed),
      { state: "open", isSubmitted: true, move: "uncommit" },
    ],
    ["is reserved again with its block", afterUnwinding(cancelled), { state: "open", move: "reserve_again" }],
    [
      "becomes unsubmitted again if it was not submitted",
      afterUnwinding(expired),
      { state: "open", isSubmitted: false },
    ],
    ["that is open is not changed by a reorganisation", afterUnwinding(open), null],
  ])("%s", (_, change, expected) => {
    if (expected) expect(change).toMatchObject(expected);
    else expect(change).toBeNull();
  });

  test("expires with the first block at or after validBefore, not a second earlier", () => {
    const expireAt = (seconds: number) => afterExpiry(open, { number: 9n, time: fromUnixSeconds(seconds) });
    expect(expireAt(999)).toBeNull();
    expect(expireAt(1_000)).toMatchObject({ state: "released", txHash: null, blockNumber: 9n, move: "release" });
    expect(afterExpiry(committed, { number: 9n, time: fromUnixSeconds(2_000) })).toBeNull();
  });
});

describe("the budget of a mandate", () => {
  const some = fc
    .record({ limit: fc.bigInt(0n, 100n), spent: fc.bigInt(0n, 100n), held: fc.bigInt(0n, 100n) })
    .filter(({ limit, spent, held }) => spent + held <= limit);
  const budget = ({ limit, spent, held }: { limit: bigint; spent: bigint; held: bigint }) => ({
    limitAmount: toUsdc(limit),
    spentAmount: toUsdc(spent),
    pendingAmount: toUsdc(held),
    maxAmountPerDay: null,
    maxAmountPerMonth: null,
    chargedOn: null,
    dayAmount: toUsdc(0n),
    monthAmount: toUsdc(0n),
  });
  const moving = (amount: bigint) => ({ amount: toUsdc(amount), chargedOn: null });
  const moves: Move[] = ["commit", "release", "uncommit", "reserve_again", "spend"];

  test("never exceeds its limit, in any order of changes", () => {
    const steps = fc.array(fc.tuple(fc.constantFrom(...moves), fc.bigInt(0n, 60n)), { maxLength: 30 });
    fc.assert(
      fc.property(some, steps, (start, sequence) => {
        let b = budget(start);
        for (const [move, amount] of sequence) {
          b = applyMove(b, move, moving(amount)).budget ?? b;
          expect(b.spentAmount >= 0n && b.pendingAmount >= 0n && remaining(b) >= 0n).toBe(true);
        }
      }),
    );
  });

  test("is the same after a change and the reorganisation that reverses it", () => {
    const ends = [
      afterTransfer(open, fact),
      afterCancellation(open, fact),
      afterExpiry(open, { ...block, time: fromUnixSeconds(1_000) }),
    ];
    fc.assert(
      fc.property(fc.constantFrom(...ends), fc.bigInt(5n, 50n), fc.bigInt(0n, 50n), (ended, balance, rest) => {
        const budgetBefore = budget({ limit: balance + rest, spent: 0n, held: balance });
        const undone = afterUnwinding(applied(ended));
        const after = ended && applyMove(budgetBefore, ended.move, open).budget;
        expect(undone && after && applyMove(after, undone.move, open).budget).toEqual(budgetBefore);
      }),
    );
  });
});

describe("a budget of a day and month", () => {
  const b = {
    limitAmount: toUsdc(100n),
    spentAmount: toUsdc(0n),
    pendingAmount: toUsdc(10n),
    maxAmountPerDay: toUsdc(8n),
    maxAmountPerMonth: toUsdc(12n),
    chargedOn: "2030-01-31",
    dayAmount: toUsdc(5n),
    monthAmount: toUsdc(10n),
  };
  const held = { day: toUsdc(5n), month: toUsdc(10n) };
  const countersAfter = (move: Move, chargedOn: string, amount = 2n, sums = held) => {
    const { budget, fits } = applyMove(b, move, { amount: toUsdc(amount), chargedOn, otherSums: sums });
    return budget && [budget.dayAmount, budget.monthAmount, fits];
  };

  test.each<[string, unknown, unknown]>([
    ["keeps what is paid", countersAfter("commit", "2030-01-31"), [5n, 10n, true]],
    ["gets back what was reserved today", countersAfter("release", "2030-01-31"), [3n, 8n, true]],
    ["gets back what was reserved earlier in the month", countersAfter("release", "2030-01-30"), [5n, 8n, true]],
    ["gets nothing back of another month", countersAfter("release", "2029-12-31"), [5n, 10n, true]],
    ["is reserved again", countersAfter("reserve_again", "2030-01-31"), [7n, 12n, true]],
    ["of a past day is compared with what counts there", countersAfter("reserve_again", "2030-01-30"), [5n, 12n, true]],
    ["is not reserved again above the day's cap", countersAfter("reserve_again", "2030-01-31", 4n), null],
    ["is not reserved again above the month's", countersAfter("reserve_again", "2030-01-30", 3n), null],
    ["counts a transfer that is above it", countersAfter("spend", "2030-01-31", 4n), [9n, 14n, false]],
  ])("%s", (_name, found, expected) => {
    expect(found).toEqual(expected);
  });
});

import { describe, expect, test } from "vitest";
import { type Subject, stepsOf } from "./timeline";

const timeAt = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second));
const settlement = (change: Partial<Subject> = {}): Subject => ({
  state: "broadcast",
  createdAt: timeAt(0),
  attempts: 0,
  txHash: null,
  blockNumber: null,
  endedAt: null,
  isLate: false,
  ...change,
});
const settledSubject = (second: number, change: Partial<Subject> = {}) =>
  settlement({ state: "settled", endedAt: timeAt(second), txHash: "0xa1", blockNumber: 7n, ...change });
const transaction = { createdAt: timeAt(1) };
const first = (sentAt: Date | null) => ({ hash: "0xa1" as const, createdAt: timeAt(1), sentAt });
const second = { hash: "0xa2" as const, createdAt: timeAt(4), sentAt: timeAt(5) };
const event = (type: string, second: number, meta: Record<string, unknown> = {}) => ({
  type,
  createdAt: timeAt(second),
  meta,
});
const nothing = { transaction: null, attempts: [], events: [] };

describe("the steps of a settlement", () => {
  test("begin with the accepted proof", () => {
    expect(stepsOf(settlement(), nothing)).toEqual([{ kind: "claimed", occurredAt: timeAt(0) }]);
  });

  test("contain each attempt of the transaction, and mark the mined one as the service's", () => {
    const attempts = [second, first(timeAt(2))];
    const events = [event("settlement.settled", 9)];
    expect(stepsOf(settledSubject(9), { transaction, attempts, events })).toEqual([
      { kind: "claimed", occurredAt: timeAt(0) },
      { kind: "prepared", occurredAt: timeAt(1), retries: 0 },
      { kind: "sent", occurredAt: timeAt(2), hash: "0xa1", attempt: 1, isTaken: true },
      { kind: "sent", occurredAt: timeAt(5), hash: "0xa2", attempt: 2, isTaken: true },
      { kind: "settled", occurredAt: timeAt(9), hash: "0xa1", block: 7n, isOurs: true, isLate: false },
    ]);
  });

  test("mark an attempt that no node has accepted, and count the returns to the queue", () => {
    const steps = stepsOf(settlement({ attempts: 2 }), { transaction, attempts: [first(null)], events: [] });
    expect(steps.slice(1)).toEqual([
      { kind: "prepared", occurredAt: timeAt(1), retries: 2 },
      { kind: "sent", occurredAt: timeAt(1), hash: "0xa1", attempt: 1, isTaken: false },
    ]);
  });

  test("mark a transfer by somebody else's transaction", () => {
    const steps = stepsOf(settledSubject(3, { txHash: "0xff" }), {
      transaction,
      attempts: [first(timeAt(2))],
      events: [event("settlement.settled", 3)],
    });
    expect(steps.at(-1)).toMatchObject({ kind: "settled", hash: "0xff", isOurs: false });
  });

  test("contain the reason of a failure", () => {
    const events = [event("settlement.failed", 3, { failureCode: "EXPIRED" })];
    const steps = stepsOf(settlement({ state: "void", endedAt: timeAt(3) }), { ...nothing, events });
    expect(steps.at(-1)).toEqual({ kind: "failed", occurredAt: timeAt(3), code: "EXPIRED" });
  });

  test("mark a declined settlement that was paid later as late", () => {
    const events = [
      event("settlement.declined", 3, { failureCode: "REVERTED", stillValidUntil: timeAt(60).toISOString() }),
      event("payment_link.paid", 8),
      event("settlement.settled", 8),
    ];
    const steps = stepsOf(settledSubject(8, { isLate: true }), { ...nothing, events });
    expect(steps.map(({ kind }) => kind)).toEqual(["claimed", "declined", "settled"]);
    expect(steps[1]).toEqual({ kind: "declined", occurredAt: timeAt(3), code: "REVERTED", until: timeAt(60) });
    expect(steps.at(-1)).toMatchObject({ isLate: true });
  });

  test("show that a block was replaced, and what happened afterwards", () => {
    const events = [event("settlement.settled", 3), event("settlement.settled", 6)];
    expect(stepsOf(settledSubject(6), { ...nothing, events }).map(({ kind }) => kind)).toEqual([
      "claimed",
      "undone",
      "settled",
    ]);
    const open = settlement({ state: "claimed" });
    expect(stepsOf(open, { ...nothing, events: events.slice(0, 1) }).map(({ kind }) => kind)).toEqual([
      "claimed",
      "undone",
    ]);
  });
});

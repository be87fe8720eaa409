import { expect, test } from "vitest";
import { toUsdc, ZERO } from "@/lib/core/money";
import { afterReading, burnedOf, endOf, fillPauseSeconds, isWorthSending, type VaultReading } from "./rules";

const EMPTY: VaultReading = {
  isDeployed: true,
  isRevoked: true,
  isFundingUsed: true,
  funded: toUsdc(5n),
  balance: ZERO,
  spent: toUsdc(5n),
  allowance: ZERO,
  pocketBalance: ZERO,
};

type Known = Parameters<typeof afterReading>[0];
// Only these members of a vault and a mandate are read.
const knownVault = (change: Partial<Known> = {}): Known => ({
  vault: { state: "open", failure: null, terms: { end: 100 } } as Known["vault"],
  mandate: { state: "signed", limitAmount: toUsdc(5n), spentAmount: ZERO, pendingAmount: ZERO } as Known["mandate"],
  committed: ZERO,
  live: [],
  opening: null,
  canOpen: false,
  isPocketIdle: true,
  sentHome: { vault: 0, pocket: 0 },
  least: 10_000n,
  ...change,
});
const applyReading = (change: Partial<Known>, reading: Partial<VaultReading> = {}) =>
  afterReading(knownVault(change), { ...EMPTY, ...reading }, { number: 9n, seconds: 50 });

test("a revoked and empty vault is closed by the reading that shows both", () => {
  expect(applyReading({})).toEqual({ state: "closed", failure: null, wants: [] });
});

test.each<[string, Partial<Known>, Partial<VaultReading>, ReturnType<typeof afterReading>["wants"]]>([
  ["has money", {}, { balance: toUsdc(1n) }, [{ kind: "withdraw", amount: toUsdc(1n) }]],
  ["has money in its pocket", {}, { pocketBalance: toUsdc(1n) }, [{ kind: "empty_pocket", amount: toUsdc(1n) }]],
  ["has an operation under way", { live: [{ kind: "withdraw" }] }, {}, []],
  ["can still be funded by its owner's signature", { canOpen: true }, {}, []],
])("a revoked vault is closing while it %s", (_, change, reading, wants) => {
  expect(applyReading(change, reading)).toEqual({ state: "closing", failure: null, wants });
});

test("a used-up vault returns its rest only by a reading that shows every payment", () => {
  const usedUp = { state: "signed", limitAmount: toUsdc(5n), spentAmount: toUsdc(5n), pendingAmount: ZERO };
  const wantsAfter = (committed: bigint) =>
    applyReading(
      { mandate: usedUp as Known["mandate"], committed: toUsdc(committed) },
      { isRevoked: false, balance: toUsdc(5n) },
    ).wants;
  expect(wantsAfter(5n)).toEqual([{ kind: "return", amount: toUsdc(5n) }]);
  expect(wantsAfter(4n)).toEqual([]);
});

test("any amount is sent to the owner once a day; further amounts must reach a minimum that doubles each time", () => {
  const isWorth = (sum: bigint, sent: number) => isWorthSending(toUsdc(sum), sent, 10_000n);
  expect([isWorth(0n, 0), isWorth(1n, 0)]).toEqual([false, true]);
  expect([isWorth(9_999n, 1), isWorth(10_000n, 1)]).toEqual([false, true]);
  expect([isWorth(79_999n, 4), isWorth(80_000n, 4)]).toEqual([false, true]);
});

test("a closed vault stays closed while the money sent to it is not worth the gas", () => {
  const dusted = { vault: { ...knownVault().vault, state: "closed" as const }, sentHome: { vault: 1, pocket: 1 } };
  const dust = { balance: toUsdc(1n), pocketBalance: toUsdc(1n) };
  expect(applyReading(dusted, dust)).toEqual({ state: "closed", failure: null, wants: [] });
  expect(applyReading(dusted, { ...dust, pocketBalance: toUsdc(20_000n) })).toEqual({
    state: "closing",
    failure: null,
    wants: [{ kind: "empty_pocket", amount: toUsdc(20_000n) }],
  });
});

test("a vault counts as emptied although a stranger sends one atomic unit in each block", () => {
  type Live = Parameters<typeof endOf>[0];
  const sentOperation = (change: Partial<Live>) =>
    ({
      id: 1,
      kind: "return",
      state: "sent",
      amount: toUsdc(5_000_000n),
      isClosed: true,
      attempts: 0,
      ...change,
    }) as Live;
  const at = { block: { number: 9n, seconds: 50 }, canOpen: false, dust: 10_000n };
  const readingWithRest = (sum: bigint): VaultReading => ({
    ...EMPTY,
    balance: toUsdc(sum),
    pocketBalance: toUsdc(sum),
  });
  for (const kind of ["return", "withdraw", "empty_pocket"] as const) {
    expect(endOf(sentOperation({ kind }), readingWithRest(1n), at)).toEqual({ id: 1, next: "done" });
    expect(endOf(sentOperation({ kind, isClosed: false }), readingWithRest(1n), at)).toBeNull();
    // One unit that was sent for, and is there again: two attempts at most.
    const unit = { kind, amount: toUsdc(1n) };
    expect(endOf(sentOperation(unit), readingWithRest(1n), at)).toMatchObject({ next: "again" });
    expect(endOf(sentOperation({ ...unit, attempts: 1 }), readingWithRest(1n), at)).toMatchObject({ next: "done" });
    expect(endOf(sentOperation({ kind }), readingWithRest(5_000_000n), at)).toEqual({
      id: 1,
      next: "again",
      attempts: 1,
    });
    expect(endOf(sentOperation({ kind, attempts: 4 }), readingWithRest(5_000_000n), at)).toMatchObject({
      next: "failed",
    });
  }
});

test("after fillings of the pocket that paid nobody, the next one waits twice as long, and a day once the contract has counted one", () => {
  const pause = (count: number, burned = 0n) => fillPauseSeconds({ count }, burned);
  expect([0, 1, 2, 3, 4].map((count) => pause(count))).toEqual([0, 0, 1_200, 2_400, 4_800]);
  expect([pause(30), pause(0, 1n), pause(1, 1n)]).toEqual([86_400, 0, 86_400]);
  const counts = { spent: toUsdc(9n), committed: toUsdc(4n), pocketBalance: toUsdc(3n) };
  expect(burnedOf(counts)).toBe(2n);
});

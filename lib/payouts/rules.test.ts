import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Address, toAddress } from "@/lib/core/address";
import { toUsdc, type Usdc } from "@/lib/core/money";
import type { SettlementState } from "@/lib/settlements/tables";
import {
  approvableUntil,
  isPredeploy,
  type KnownAddress,
  lookalikeOf,
  outcomeOf,
  type RequestedLeg,
  SHARES_TOTAL,
  type SplitFault,
  splitOf,
  statusOf,
} from "./rules";

const addressOf = (index: number): Address => toAddress(`0x${(0x10_0000 + index).toString(16).padStart(40, "0")}`);
const byShares = (...shares: number[]): RequestedLeg[] =>
  shares.map((shareBps, index) => ({ toAddress: addressOf(index), shareBps }));
const byAmounts = (...amounts: bigint[]): RequestedLeg[] =>
  amounts.map((amount, index) => ({ toAddress: addressOf(index), amount: toUsdc(amount) }));
const amountsOf = (recipients: RequestedLeg[], total?: bigint) => {
  const split = splitOf(recipients, total === undefined ? undefined : toUsdc(total));
  if (split.type === "invalid") throw new Error(split.message);
  return { amounts: split.legs.map((leg) => leg.amount), total: split.amount };
};
const faultOf = (recipients: RequestedLeg[], total?: bigint): [string, string] => {
  const { path, message } = splitOf(recipients, total as Usdc | undefined) as SplitFault;
  return [path.join("."), message];
};

/** 1 to 100 shares of at least one basis point that sum to 10000. */
const shares = fc
  .integer({ min: 1, max: 100 })
  .chain((count) =>
    fc.uniqueArray(fc.integer({ min: 1, max: SHARES_TOTAL - 1 }), { minLength: count - 1, maxLength: count - 1 }),
  )
  .map((cuts) => {
    const bounds = [0, ...cuts.toSorted((a, b) => a - b), SHARES_TOTAL];
    return bounds.slice(1).map((bound, index) => bound - (bounds[index] ?? 0));
  });

describe("a split by shares", () => {
  test("pays exactly the total: each share is rounded down, and the first recipient gets the remainder", () => {
    fc.assert(
      fc.property(shares, fc.bigInt({ min: 10_000n, max: 2n ** 96n - 1n }), (parts, total) => {
        const { amounts } = amountsOf(byShares(...parts), total);
        const floors = parts.map((part) => (total * BigInt(part)) / 10_000n);
        const rest = total - floors.reduce((a, b) => a + b, 0n);
        expect(amounts.reduce<bigint>((a, b) => a + b, 0n)).toBe(total);
        expect(amounts).toEqual(floors.map((floor, index) => floor + (index === 0 ? rest : 0n)));
        expect(rest < BigInt(parts.length)).toBe(true);
      }),
    );
  });

  test.each<[string, bigint, number[], bigint[]]>([
    ["thirds", 100n, [3333, 3333, 3334], [34n, 33n, 33n]],
    ["halves of an odd amount", 7n, [5000, 5000], [4n, 3n]],
    ["a single share", 1n, [10_000], [1n]],
    ["a first share that rounds to zero gets the remainder", 3n, [1, 9999], [1n, 2n]],
  ])("%s", (_, total, parts, expected) => {
    expect(amountsOf(byShares(...parts), total).amounts).toEqual(expected);
  });

  test.each<[string, RequestedLeg[], bigint | undefined, string, RegExp]>([
    ["shares below 10000", byShares(5000, 4999), 100n, "recipients", /9999 instead of 10000/],
    ["shares above 10000", byShares(5000, 5001), 100n, "recipients", /10001 instead of 10000/],
    ["a share that rounds to zero", byShares(9999, 1), 9999n, "recipients.1.shareBps", /rounds to zero/],
    ["no total", byShares(10_000), undefined, "amount", /required with shareBps/],
    ["a share missing", [...byShares(10_000), ...byAmounts(0n, 5n).slice(1)], 100n, "recipients.1.shareBps", /missing/],
    ["an address twice", [...byShares(5000), ...byShares(5000)], 100n, "recipients.1.toAddress", /recipients\.0/],
  ])("is refused with the path of the error: %s", (_, recipients, total, path, message) => {
    expect(faultOf(recipients, total)).toEqual([path, expect.stringMatching(message)]);
  });
});

describe("a split by amounts", () => {
  test("has the sum of the amounts as its total, given or not", () => {
    expect(amountsOf(byAmounts(1n, 2n, 3n))).toEqual({ amounts: [1n, 2n, 3n], total: 6n });
    expect(amountsOf(byAmounts(1n, 2n, 3n), 6n)).toEqual({ amounts: [1n, 2n, 3n], total: 6n });
  });

  const MAX = 2n ** 96n - 1n;
  test("can be at most 2^96-1", () => {
    expect(amountsOf(byAmounts(MAX - 1n, 1n)).total).toBe(MAX);
    expect(faultOf(byAmounts(MAX, 1n))).toEqual(["recipients", expect.stringContaining("2^96-1")]);
  });

  test.each<[string, RequestedLeg[], bigint | undefined, string]>([
    ["another sum", byAmounts(1n, 2n), 4n, "amount"],
    ["an amount missing", [{ toAddress: addressOf(1) }], undefined, "recipients.0.amount"],
    ["an address twice", [...byAmounts(1n), ...byAmounts(1n)], undefined, "recipients.1.toAddress"],
  ])("is refused with the path of the error: %s", (_, recipients, total, path) => {
    expect(faultOf(recipients, total)[0]).toBe(path);
  });
});

const now = new Date("2026-01-31T12:00:00Z");
const later = new Date(now.getTime() + 1);
const OPEN = {
  approvedAt: null,
  deniedAt: null,
  cancelledAt: null,
  startedAt: null,
  succeededAt: null,
  failedAt: null,
  expiresAt: later,
};
const leg = (state: SettlementState, attempts = 0) => ({ state, attempts });
const approved = { ...OPEN, approvedAt: now, expiresAt: now };

describe("the status of a payout", () => {
  test.each<[string, Parameters<typeof statusOf>[0], Parameters<typeof statusOf>[1], string]>([
    ["undecided", OPEN, [], "pending_authorization"],
    ["expired at exactly expiresAt", { ...OPEN, expiresAt: now }, [], "expired"],
    ["denied, also after expiresAt", { ...OPEN, deniedAt: now, expiresAt: now }, [], "denied"],
    ["cancelled", { ...OPEN, cancelledAt: now }, [], "cancelled"],
    ["approved and not started, also after expiresAt", approved, [leg("claimed"), leg("claimed")], "authorized"],
    ["one leg prepared", approved, [leg("claimed"), leg("prepared")], "processing"],
    ["one leg broadcast", approved, [leg("broadcast")], "processing"],
    ["back in the queue after an attempt", approved, [leg("claimed", 1)], "processing"],
    ["undone by a reorganisation", { ...approved, startedAt: now }, [leg("claimed")], "processing"],
    ["all settled and not confirmed", approved, [leg("settled")], "processing"],
    ["succeeded", { ...approved, succeededAt: now }, [leg("settled")], "succeeded"],
    ["declined, and still valid", approved, [leg("declined")], "processing"],
    ["failed", { ...approved, failedAt: now }, [leg("void")], "failed"],
    ["failed, and settled late by somebody else", { ...approved, failedAt: now }, [leg("settled")], "failed"],
  ])("%s", (_, payout, legs, expected) => {
    expect(statusOf(payout, legs, now)).toBe(expected);
  });

  test("an agent's payout can be approved for an hour, an owner's own for a day", () => {
    expect(approvableUntil(now, "agent").getTime() - now.getTime()).toBe(3_600_000);
    expect(approvableUntil(now, "owner").getTime() - now.getTime()).toBe(86_400_000);
  });
});

test.each<[string, SettlementState[], "succeeded" | "failed" | null]>([
  ["all are settled", ["settled", "settled"], "succeeded"],
  ["one is broadcast", ["settled", "broadcast"], null],
  ["one is claimed and another is void", ["void", "claimed"], null],
  ["all are void", ["void", "void"], "failed"],
  ["one is declined: anybody can still submit it", ["declined", "void"], null],
  ["one is settled and another declined", ["settled", "declined"], null],
  ["one is settled and the other void", ["settled", "void"], "failed"],
])("the outcome of a payout of which %s", (_, legs, expected) => {
  expect(outcomeOf(legs)).toBe(expected);
});

describe("an address that looks like a known one", () => {
  const knownAddress = toAddress("0xabcd00000000000000000000000000000000ef01");
  const book: KnownAddress[] = [{ address: knownAddress, name: "Bob", kind: "book" }];

  test("has the same first and last four digits in any case", () => {
    expect(lookalikeOf(toAddress("0xABCD11111111111111111111111111111111EF01"), book)).toEqual(book[0]);
  });
  test.each([
    ["the known one itself", knownAddress],
    ["one with another end", toAddress("0xabcd11111111111111111111111111111111ef02")],
    ["one with another start", toAddress("0xabce11111111111111111111111111111111ef01")],
  ])("is not %s", (_, address) => {
    expect(lookalikeOf(address, book)).toBeNull();
  });
  const twin = toAddress("0xabcd11111111111111111111111111111111ef01");
  test.each(["book", "login", "wallet"] as const)(
    "is not itself known (%s), even if it is similar to another known one",
    (kind) => {
      expect(lookalikeOf(twin, [...book, { address: twin, name: null, kind }])).toBeNull();
    },
  );
  test("may be one that was only paid before, unless the other was only paid too", () => {
    const paid = { address: twin, name: null, kind: "paid" } as const;
    expect(lookalikeOf(twin, [...book, paid])).toEqual(book[0]);
    expect(lookalikeOf(twin, [{ address: knownAddress, name: null, kind: "paid" }, paid])).toBeNull();
  });
});

test.each([
  ["0x4200000000000000000000000000000000000006", true],
  ["0x42000000000000000000000000000000000007ff", true],
  ["0x4200000000000000000000000000000000010006", false],
  ["0x1234567890123456789012345678901234560006", false],
])("the address %s is a predeployed contract: %s", (address, expected) => {
  expect(isPredeploy(toAddress(address))).toBe(expected);
});

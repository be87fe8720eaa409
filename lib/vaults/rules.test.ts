import { keccak256 } from "viem";
import { describe, expect, test } from "vitest";
import { toAddress } from "@/lib/core/address";
import { toUsdc } from "@/lib/core/money";
import { NETWORKS } from "@/lib/x402/networks";
import { payeeList } from "./payees";
import { isUncounted, paymentRefusal, pullTotal, releasedAt, type VaultStanding } from "./rules";
import type { Terms } from "./terms";

const addressOf = (n: number) => toAddress(`0x${n.toString(16).padStart(40, "0")}`);

const TERMS: Terms = {
  contractVersion: 2,
  token: NETWORKS.base.usdc,
  owner: addressOf(1),
  signer: addressOf(2),
  agent: null,
  start: 1_000,
  end: 2_000,
  limit: toUsdc(100n),
  perPayment: toUsdc(40n),
  release: { amount: toUsdc(30n), seconds: 10 },
  payees: null,
  mandate: keccak256("0x01"),
};

const STANDING: VaultStanding = {
  funded: toUsdc(50n),
  balance: toUsdc(50n),
  spent: toUsdc(0n),
  isRevoked: false,
  onItsWay: toUsdc(0n),
};

const judge = (value: bigint, change: Partial<VaultStanding> = {}, now = 1_100, to = addressOf(9), terms = TERMS) => {
  const payees = payeeList([addressOf(9), addressOf(8)]);
  if (typeof payees === "string") throw new Error(payees);
  const clock = { earliest: now, latest: now };
  return paymentRefusal({ terms, payees }, { to, value: toUsdc(value) }, { ...STANDING, ...change }, clock);
};

describe("a payment from a vault is refused", () => {
  test("for each reason of the contract", () => {
    expect(judge(40n)).toBeNull();
    expect(judge(1n, { isRevoked: true })).toBe("revoked");
    expect(judge(1n, {}, 999)).toBe("not_started");
    expect(judge(1n, {}, 2_000)).toBe("ended");
    expect(judge(41n)).toBe("over_payment_cap");
    expect(judge(1n, {}, 1_100, addressOf(7))).toBe("payee_not_listed");
    expect(judge(1n, { balance: toUsdc(1_000_051n) })).toBe("not_counted");
    expect(judge(31n, {}, 1_009)).toBe("not_released");
    expect(judge(30n, {}, 1_009)).toBeNull();
    expect(judge(11n, { onItsWay: toUsdc(20n) }, 1_009)).toBe("not_released");
    expect(judge(30n, { balance: toUsdc(29n), funded: toUsdc(29n) })).toBe("not_funded");
    expect(judge(30n, { onItsWay: toUsdc(21n) })).toBe("not_funded");
  });

  test("unless it is valid by both clocks", () => {
    const refusalByBothClocks = (earliest: number, latest: number) =>
      paymentRefusal({ terms: TERMS, payees: null }, { to: addressOf(9), value: toUsdc(1n) }, STANDING, {
        earliest,
        latest,
      });
    expect(refusalByBothClocks(1_500, 2_001)).toBe("ended");
    expect(refusalByBothClocks(900, 1_500)).toBe("not_started");
  });
});

test("money counts as uncounted if the balance is more than a dollar above the counted sum", () => {
  expect(isUncounted({ funded: toUsdc(5n), balance: toUsdc(1_000_005n), spent: toUsdc(0n) })).toBe(false);
  expect(isUncounted({ funded: toUsdc(5n), balance: toUsdc(1_000_006n), spent: toUsdc(0n) })).toBe(true);
  expect(isUncounted({ funded: toUsdc(5n), balance: toUsdc(3n), spent: toUsdc(2n) })).toBe(false);
});

test("the time when an amount is released follows from the schedule", () => {
  const when = (taken: bigint, amount: bigint) => releasedAt(TERMS, toUsdc(taken), toUsdc(amount));
  expect([when(0n, 1n), when(0n, 30n), when(0n, 31n), when(30n, 30n), when(90n, 10n)]).toEqual([
    1_000, 1_000, 1_010, 1_010, 1_030,
  ]);
  expect(when(90n, 11n)).toBeNull();
  expect(releasedAt({ ...TERMS, end: 1_010 }, toUsdc(30n), toUsdc(1n))).toBeNull();
  expect(releasedAt({ ...TERMS, release: null }, toUsdc(0n), toUsdc(100n))).toBe(1_000);
});

test("the amount of a pull follows from the missing, the released and the permitted amount", () => {
  const of = (funded: bigint, missing: bigint, released: bigint, drawable: bigint) =>
    pullTotal(
      TERMS,
      { funded: toUsdc(funded), missing: toUsdc(missing) },
      { released: toUsdc(released), drawable: [toUsdc(drawable), toUsdc(1_000n)] },
    );
  expect(of(0n, 1n, 100n, 100n)).toBe(10n);
  expect(of(10n, 25n, 100n, 90n)).toBe(35n);
  expect(of(0n, 5n, 7n, 100n)).toBe(7n);
  expect(of(0n, 5n, 100n, 6n)).toBe(6n);
  expect(of(0n, 5n, 4n, 100n)).toBeNull();
  expect(of(0n, 5n, 100n, 4n)).toBeNull();
  // For the first tranche nothing is missing.
  expect(of(0n, 0n, 0n, 100n)).toBeNull();
});

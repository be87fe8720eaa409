import fc from "fast-check";
import { hashTypedData } from "viem";
import { describe, expect, test } from "vitest";
import { toAddress } from "@/lib/core/address";
import { PAYOUT_HOST } from "@/lib/core/host";
import { newAgentId, newId } from "@/lib/core/ids";
import { toUsdc } from "@/lib/core/money";
import { addSeconds } from "@/lib/core/time";
import {
  type Charge,
  closing,
  type MandateTerms,
  type Narrowing,
  narrowing,
  nextStep,
  proposesConfirmation,
  refusal,
  remaining,
  SIGNING_SECONDS_MAX,
  statusOf,
} from "./rules";
import type { Mandate } from "./store";
import { typedDataOf } from "./typed-data";

const now = new Date("2030-01-01T12:00:00.000Z");
const later = (seconds: number) => addSeconds(now, seconds);
const usdc = (atomic: number | bigint) => toUsdc(BigInt(atomic));

const signed: Mandate = {
  id: newId("mandate"),
  agentId: newAgentId(),
  ownerId: newId("owner"),
  walletId: newId("wallet"),
  network: "base",
  state: "signed",
  mode: "wallet",
  vaultAgentKey: null,
  vaultPayees: null,
  vaultReleaseAmount: null,
  vaultReleaseSeconds: null,
  replaces: null,
  replacedBy: null,
  isEnabled: true,
  requestedBy: "agent",
  naturalLanguage: "Pay for weather data",
  category: null,
  limitAmount: usdc(1_000),
  maxAmountPerPayment: null,
  maxAmountPerDay: null,
  maxAmountPerMonth: null,
  asked: null,
  chargedOn: null,
  dayAmount: usdc(0),
  monthAmount: usdc(0),
  spentAmount: usdc(0),
  pendingAmount: usdc(0),
  validFrom: later(-60),
  validUntil: later(60),
  hostAllowlist: null,
  confirmPayees: null,
  tokenHash: "",
  mandateHash: "0x00",
  signature: "0x00",
  signedAt: later(-30),
  revision: 2,
  createdAt: later(-60),
  updatedAt: later(-30),
};
const pending: Mandate = { ...signed, state: "pending_signature", isEnabled: false, signature: null, signedAt: null };
const charge: Charge = { network: "base", host: "api.example.com", defaultPort: "443", amount: usdc(100) };

/** 50 of 100 are left today. */
const ofToday = { maxAmountPerDay: usdc(100), chargedOn: "2030-01-01", dayAmount: usdc(50), monthAmount: usdc(50) };

describe("a payment under a mandate", () => {
  test.each<[string, Partial<Mandate>, Partial<Charge>, string | null]>([
    ["is allowed by a signed mandate that covers it", {}, {}, null],
    ["may take the last unit", {}, { amount: usdc(1_000) }, null],
    ["may not take one more than is left", {}, { amount: usdc(1_001) }, "mandate_insufficient_budget"],
    ["may not take what is reserved", { pendingAmount: usdc(901) }, {}, "mandate_insufficient_budget"],
    ["may not take what is spent", { spentAmount: usdc(901) }, {}, "mandate_insufficient_budget"],
    ["may not exceed the cap", { maxAmountPerPayment: usdc(99) }, {}, "mandate_payment_cap_exceeded"],
    ["may reach the cap", { maxAmountPerPayment: usdc(100) }, {}, null],
    ["may not exceed what a day may have", { maxAmountPerDay: usdc(99) }, {}, "mandate_payment_cap_exceeded"],
    [
      "may wait for the next day",
      { ...ofToday, validUntil: later(50_000) },
      { amount: usdc(51) },
      "mandate_period_budget_used",
    ],
    ["may take the rest of the day", ofToday, { amount: usdc(50) }, null],
    ["has nothing to wait for if the mandate ends today", ofToday, { amount: usdc(51) }, "mandate_insufficient_budget"],
    ["needs its host in the list", { hostAllowlist: ["example.com"] }, {}, "host_not_allowed"],
    ["finds its host in the list", { hostAllowlist: ["example.com", "api.example.com"] }, {}, null],
    [
      "on another port is covered by a host without a port",
      { hostAllowlist: ["api.example.com"] },
      { host: "api.example.com:8443" },
      null,
    ],
    ["on a port other than the list's is refused", { hostAllowlist: ["api.example.com:8443"] }, {}, "host_not_allowed"],
    ["on the default port is covered when the list names it", { hostAllowlist: ["api.example.com:443"] }, {}, null],
    ["needs a mandate that has not expired", { validUntil: now }, {}, "mandate_expired"],
    ["is allowed until the mandate's last millisecond", { validUntil: new Date(now.getTime() + 1) }, {}, null],
    ["needs a mandate that is not paused", { isEnabled: false }, {}, "mandate_disabled"],
    ["needs a signature", { state: "pending_signature" }, {}, "mandate_not_signed"],
    ["needs an owner", { state: "draft" }, {}, "mandate_not_signed"],
    ["is not allowed by a declined mandate", { state: "rejected" }, {}, "mandate_not_signed"],
    ["is not allowed by a revoked mandate", { state: "revoked", isEnabled: false }, {}, "mandate_revoked"],
  ])("%s", (_name, mandate, change, expected) => {
    expect(refusal({ ...signed, ...mandate }, { ...charge, ...change }, now)).toBe(expected);
  });

  test("is refused with the first applicable reason in a fixed order", () => {
    const worst: Mandate = {
      ...signed,
      state: "pending_signature",
      isEnabled: false,
      validUntil: later(-1),
      hostAllowlist: ["other.example"],
      maxAmountPerPayment: usdc(1),
      spentAmount: usdc(1_000),
    };
    const repairs: Partial<Mandate>[] = [
      { state: "signed" },
      { isEnabled: true },
      { validUntil: later(60) },
      { hostAllowlist: null },
      { maxAmountPerPayment: null },
      { spentAmount: usdc(0) },
    ];
    let mandate = worst;
    const reasons = [refusal(mandate, charge, now)];
    for (const repair of repairs) {
      mandate = { ...mandate, ...repair };
      reasons.push(refusal(mandate, charge, now));
    }
    expect(reasons).toEqual([
      "mandate_not_signed",
      "mandate_disabled",
      "mandate_expired",
      "host_not_allowed",
      "mandate_payment_cap_exceeded",
      "mandate_insufficient_budget",
      null,
    ]);
  });

  test("is allowed exactly when its amount fits the remaining budget", () => {
    fc.assert(
      fc.property(
        fc.bigInt(0n, 50n),
        fc.bigInt(0n, 50n),
        fc.bigInt(0n, 50n),
        fc.bigInt(1n, 200n),
        (spent, balance, rest, requested) => {
          const mandate = {
            ...signed,
            limitAmount: usdc(spent + balance + rest),
            spentAmount: usdc(spent),
            pendingAmount: usdc(balance),
          };
          const isAllowed = refusal(mandate, { ...charge, amount: usdc(requested) }, now) === null;
          expect(isAllowed).toBe(requested <= rest);
          expect(remaining(mandate)).toBe(rest);
        },
      ),
    );
  });
});

describe("the status of a mandate", () => {
  test.each<[Partial<Mandate>, string]>([
    [{}, "signed"],
    [{ validUntil: now }, "expired"],
    [{ spentAmount: usdc(600), pendingAmount: usdc(400) }, "exhausted"],
    [{ spentAmount: usdc(1_000), validUntil: now }, "expired"],
    [{ state: "pending_signature" }, "pending_signature"],
    [{ state: "draft" }, "draft"],
    [{ state: "draft", createdAt: later(-SIGNING_SECONDS_MAX), validUntil: later(9_999) }, "expired"],
    [
      { state: "pending_signature", createdAt: later(1 - SIGNING_SECONDS_MAX), validUntil: later(9_999) },
      "pending_signature",
    ],
    [{ state: "pending_signature", validUntil: now }, "expired"],
    [{ state: "rejected", validUntil: later(-1) }, "rejected"],
    [{ state: "revoked", validUntil: later(-1) }, "revoked"],
    [{ isEnabled: false }, "signed"],
  ])("with the fields %o is %s", (change, expected) => {
    expect(statusOf({ ...signed, ...change }, now)).toBe(expected);
  });

  test("no longer allows signing exactly when it is neither draft nor pending_signature", () => {
    const states = fc.constantFrom("draft", "pending_signature", "signed", "rejected", "revoked" as const);
    fc.assert(
      fc.property(
        states,
        fc.integer({ min: -90_000, max: 0 }),
        fc.integer({ min: -10, max: 10 }),
        (state, age, remaining) => {
          const mandate: Mandate = { ...pending, state, createdAt: later(age), validUntil: later(remaining) };
          const isWaiting = ["draft", "pending_signature"].includes(statusOf(mandate, now));
          expect(closing(mandate, now) === null).toBe(isWaiting);
        },
      ),
    );
  });
});

describe("narrowing a mandate", () => {
  const terms: MandateTerms = {
    limitAmount: usdc(1_000),
    validUntil: later(60),
    hostAllowlist: ["a.example", "b.example:8443"],
    maxAmountPerPayment: usdc(500),
    maxAmountPerDay: null,
    maxAmountPerMonth: usdc(800),
    confirmPayees: null,
  };

  test.each<[string, Narrowing, unknown]>([
    ["nothing keeps the terms", {}, terms],
    [
      "a lower limit lowers the cap too",
      { limitAmount: usdc(400) },
      { ...terms, limitAmount: 400n, maxAmountPerPayment: 400n, maxAmountPerMonth: 400n },
    ],
    ["a higher limit is refused", { limitAmount: usdc(1_001) }, "limit_not_narrower"],
    ["an earlier end", { validUntil: later(30) }, { ...terms, validUntil: later(30) }],
    ["a later end is refused", { validUntil: later(61) }, "validity_not_narrower"],
    ["an end at the current time is refused", { validUntil: now }, "validity_in_the_past"],
    ["fewer hosts", { hostAllowlist: ["b.example:8443"] }, { ...terms, hostAllowlist: ["b.example:8443"] }],
    ["a port of a listed host", { hostAllowlist: ["a.example:444"] }, { ...terms, hostAllowlist: ["a.example:444"] }],
    ["a listed port's whole host is refused", { hostAllowlist: ["b.example"] }, "hosts_not_narrower"],
    ["another host is refused", { hostAllowlist: ["a.example", "c.example"] }, "hosts_not_narrower"],
    ["any host is refused", { hostAllowlist: null }, "hosts_not_narrower"],
    ["confirmed payees", { confirmPayees: true }, { ...terms, confirmPayees: true }],
    ["a lower cap", { maxAmountPerPayment: usdc(1) }, { ...terms, maxAmountPerPayment: 1n }],
    ["a higher cap is refused", { maxAmountPerPayment: usdc(501) }, "cap_not_narrower"],
    ["no cap is refused", { maxAmountPerPayment: null }, "cap_not_narrower"],
    ["a cap on a day", { maxAmountPerDay: usdc(600) }, { ...terms, maxAmountPerDay: 600n }],
    [
      "a cap on a day lowers the one on a payment",
      { maxAmountPerDay: usdc(300) },
      { ...terms, maxAmountPerDay: 300n, maxAmountPerPayment: 300n },
    ],
    ["a cap on a day over the month's is refused", { maxAmountPerDay: usdc(801) }, "cap_exceeds_limit"],
    ["a higher cap on a month is refused", { maxAmountPerMonth: usdc(801) }, "cap_not_narrower"],
    ["no cap on a month is refused", { maxAmountPerMonth: null }, "cap_not_narrower"],
    [
      "a cap over the new limit is refused",
      { limitAmount: usdc(100), maxAmountPerPayment: usdc(101) },
      "cap_exceeds_limit",
    ],
  ])("%s", (_name, change, expected) => {
    expect(narrowing(terms, change, now)).toEqual(expected);
  });

  test.each<[string, Narrowing, unknown]>([
    [
      "can be undone",
      { limitAmount: usdc(1_000), maxAmountPerPayment: usdc(500), hostAllowlist: terms.hostAllowlist },
      terms,
    ],
    ["can be undone only up to what was asked for", { limitAmount: usdc(1_001) }, "limit_not_narrower"],
    [
      "cannot take a cap away that was asked for",
      { limitAmount: usdc(900), maxAmountPerPayment: null },
      "cap_not_narrower",
    ],
    ["cannot add a host that was not", { hostAllowlist: ["c.example"] }, "hosts_not_narrower"],
  ])("a change %s", (_name, change, expected) => {
    const changed = narrowing(terms, { limitAmount: usdc(400), hostAllowlist: ["a.example"] }, now) as MandateTerms;
    expect(changed).toMatchObject({ limitAmount: 400n, maxAmountPerPayment: 400n });
    expect(narrowing(changed, { maxAmountPerMonth: usdc(800), ...change }, now, terms)).toEqual(expected);
  });

  const host = fc.constantFrom("a.example", "a.example:443", "a.example:80", "b.example", "b.example:8443");
  const someHosts = fc.option(fc.uniqueArray(host, { minLength: 1 }), { nil: null });
  const someAmount = fc.bigInt(1n, 20n).map(toUsdc);
  const someTerms = fc.record<MandateTerms>({
    limitAmount: someAmount,
    validUntil: fc.integer({ min: 1, max: 20 }).map(later),
    hostAllowlist: someHosts,
    maxAmountPerPayment: fc.option(someAmount, { nil: null }),
    maxAmountPerDay: fc.option(someAmount, { nil: null }),
    maxAmountPerMonth: fc.option(someAmount, { nil: null }),
    confirmPayees: fc.constant(null),
  });
  const someChange = fc.record<Narrowing>(
    {
      limitAmount: someAmount,
      validUntil: fc.integer({ min: -5, max: 20 }).map(later),
      hostAllowlist: someHosts,
      maxAmountPerPayment: fc.option(someAmount, { nil: null }),
      maxAmountPerDay: fc.option(someAmount, { nil: null }),
      maxAmountPerMonth: fc.option(someAmount, { nil: null }),
    },
    { requiredKeys: [] },
  );

  test("never allows a payment, at any time, that the old terms refused", () => {
    fc.assert(
      fc.property(
        someTerms,
        someChange,
        host,
        someAmount,
        fc.integer({ min: 0, max: 25 }),
        (old, change, payee, amount, index) => {
          const narrowed = narrowing(old, change, now);
          fc.pre(typeof narrowed !== "string");
          const request = { host: payee, defaultPort: "443", amount };
          const refusalAfter = refusal({ ...signed, ...(narrowed as MandateTerms) }, request, later(index));
          const refusalBefore = refusal({ ...signed, ...old }, request, later(index));
          if (refusalAfter === null) expect(refusalBefore).toBeNull();
        },
      ),
      { numRuns: 1_000, maxSkipsPerRun: 1_000 },
    );
  });

  test("with the same change again changes nothing", () => {
    fc.assert(
      fc.property(someTerms, someChange, (old, change) => {
        const once = narrowing(old, change, now);
        fc.pre(typeof once !== "string");
        expect(narrowing(once as MandateTerms, change, now)).toEqual(once);
      }),
      { maxSkipsPerRun: 1_000 },
    );
  });
});

test.each([
  ["draft", "anonymous", "sign_in"],
  ["draft", "owner", "claim"],
  ["draft", "stranger", "linked_elsewhere"],
  ["pending_signature", "owner", "sign"],
  ["pending_signature", "stranger", "linked_elsewhere"],
  ["expired", "owner", "nothing"],
  ["signed", "anonymous", "nothing"],
] as const)("on the page of a mandate that is %s, the next step for the visitor %s is %s", (status, visitor, step) => {
  expect(nextStep(status, visitor)).toBe(step);
});

test("a payout, which no host can confirm, needs its own host entry in a mandate that confirms payees", () => {
  const payout = { ...charge, host: PAYOUT_HOST };
  expect(refusal(signed, payout, now)).toBeNull();
  expect(refusal({ ...signed, confirmPayees: true }, payout, now)).toBe("host_not_allowed");
  expect(refusal({ ...signed, confirmPayees: true, hostAllowlist: [PAYOUT_HOST] }, payout, now)).toBeNull();
  expect(refusal({ ...signed, confirmPayees: true }, charge, now)).toBeNull();
});

test("the signing page proposes to confirm payees when hosts are named, unless the owner has decided", () => {
  const of = (hostAllowlist: string[] | null, confirmPayees: boolean | null = null) =>
    proposesConfirmation({ hostAllowlist, confirmPayees });
  expect([of(["a.example"]), of(["a.example", PAYOUT_HOST]), of(null, true)]).toEqual([true, true, true]);
  expect([of(null), of([PAYOUT_HOST]), of(["a.example"], false)]).toEqual([false, false, false]);
});

test("only a mandate that confirms payees has version 2 of the typed data", () => {
  const owner = toAddress(`0x${"11".repeat(20)}`);
  const of = (confirmPayees: boolean | null) => typedDataOf({ ...pending, confirmPayees }, owner, owner);
  const old = of(null);
  expect(hashTypedData(of(false))).toBe(hashTypedData(old));
  expect(old.domain.version).toBe("1");
  expect(old.message).not.toHaveProperty("confirmPayees");
  expect(old.types.SpendingMandate.map(({ name }) => name)).not.toContain("confirmPayees");
  expect(of(true)).toMatchObject({ domain: { version: "2" }, message: { confirmPayees: true } });
  expect(of(true).types.SpendingMandate.at(-1)).toEqual({ name: "confirmPayees", type: "bool" });
});

test("the typed data has zero, an empty list and an empty string where the database has null", () => {
  const owner = toAddress(`0x${"11".repeat(20)}`);
  const { message } = typedDataOf(pending, owner, owner);
  expect(message).toMatchObject({ maxAmountPerPayment: 0n, hostAllowlist: [], category: "" });
});

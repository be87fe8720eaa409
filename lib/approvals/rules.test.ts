import { describe, expect, test } from "vitest";
import { toAddress } from "@/lib/core/address";
import type { PaymentId } from "@/lib/core/ids";
import { toUsdc } from "@/lib/core/money";
import type { PaymentOrder } from "@/lib/payments/service";
import { differences, statusOf, termsOf, usableUntil } from "./rules";

const NOW = new Date("2026-11-21T12:00:00Z");
const waiting = {
  paymentId: null,
  approvedAt: null,
  deniedAt: null,
  expiresAt: usableUntil(NOW),
  isPaidByMandate: false,
};
const later = (ms: number) => new Date(NOW.getTime() + ms);

describe("the state of an approval", () => {
  const approved = { ...waiting, approvedAt: NOW };
  const used = { ...approved, paymentId: "pay_1" as PaymentId };

  test.each([
    ["waits until the last moment of its ten minutes", waiting, 599_999, "pending"],
    ["has run out when they are over", waiting, 600_000, "expired"],
    ["is approved until the last moment", approved, 599_999, "approved"],
    ["has run out although it was approved", approved, 600_000, "expired"],
    ["is over once a mandate has paid, although it was approved", { ...approved, isPaidByMandate: true }, 1, "expired"],
    ["stays denied", { ...waiting, deniedAt: NOW }, 600_000, "denied"],
    ["is denied once it was taken back", { ...approved, deniedAt: NOW }, 1, "denied"],
    ["stays used", used, 600_000, "used"],
  ])("%s", (_, approval, ms, status) => {
    expect(statusOf(approval, later(ms))).toBe(status);
  });
});

const order: PaymentOrder = {
  network: "base",
  amount: toUsdc(10_000n),
  payTo: toAddress("0x70997970C51812dc3A010C7d01b50e0d17dc79C8"),
  host: "api.example.com",
  defaultPort: "443",
  resource: "https://api.example.com/weather",
  description: "Weather",
  windowSeconds: 60,
};

describe("the approved terms", () => {
  test("equal the payment's own terms", () => {
    expect(differences(termsOf(order), order)).toEqual([]);
  });

  test.each<[string, Partial<PaymentOrder>]>([
    ["network", { network: "base-sepolia" }],
    ["amount", { amount: toUsdc(10_001n) }],
    ["payTo", { payTo: toAddress("0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC") }],
    ["host", { host: "evil.example.com" }],
    ["resource", { resource: "https://api.example.com/other" }],
    ["description", { description: "weather" }],
    ["validityWindowSeconds", { windowSeconds: 61 }],
  ])("do not cover a payment with another %s", (field, change) => {
    expect(differences(termsOf(order), { ...order, ...change })).toEqual([field]);
  });

  test("include every field that a payment is signed and recorded with", () => {
    // The port is one of the resource's scheme.
    const { defaultPort: _, ...rest } = order;
    expect(Object.keys(termsOf(order))).toHaveLength(Object.keys(rest).length);
  });
});

import { hashTypedData } from "viem";
import { expect, test } from "vitest";
import { toAddress } from "@/lib/core/address";
import { toUsdc } from "@/lib/core/money";
import type { Mandate } from "./store";
import { typedDataOf, vaultTypedDataOf } from "./typed-data";

const owner = toAddress(`0x${"11".repeat(20)}`);
const otherAddress = toAddress(`0x${"22".repeat(20)}`);
const mandate = {
  id: "mand_fixed",
  agentId: "00000000-0000-4000-8000-000000000000",
  network: "base",
  limitAmount: toUsdc(1000n),
  maxAmountPerPayment: toUsdc(500n),
  maxAmountPerDay: null,
  maxAmountPerMonth: null,
  validFrom: new Date("2030-01-01T00:00:00Z"),
  validUntil: new Date("2030-01-02T00:00:00Z"),
  hostAllowlist: ["api.example.com"],
  category: null,
  naturalLanguage: "Pay for weather data",
  confirmPayees: null,
  vaultAgentKey: null,
  vaultReleaseAmount: null,
  vaultReleaseSeconds: null,
  vaultPayees: null,
} as unknown as Mandate;

const ofFirst = { signer: otherAddress, contractVersion: 1 as const };

test("mandates without a daily or monthly budget keep their hashes", () => {
  expect(hashTypedData(typedDataOf(mandate, owner, otherAddress))).toBe(
    "0x3a66629c115c5333b147c9cce73cd88861265696aa55675ddbe004e869615f09",
  );
  expect(hashTypedData(typedDataOf({ ...mandate, confirmPayees: true }, owner, otherAddress))).toBe(
    "0x237e2580a5c1720338152ec33f9374c79e570c6b60f85404fedc836acd1faaea",
  );
  expect(hashTypedData(vaultTypedDataOf(mandate, owner, ofFirst))).toBe(
    "0x3350cc68f3606f839383011911eabcd6bd685d6c5d2b0d10a73b8f30b3b7f0f2",
  );
  const ofSecond = vaultTypedDataOf(mandate, owner, { ...ofFirst, contractVersion: 2 });
  expect(hashTypedData(ofSecond)).not.toBe(hashTypedData(vaultTypedDataOf(mandate, owner, ofFirst)));
});

test("a daily or monthly budget is signed in a separate version of the typed data", () => {
  const capped = { ...mandate, maxAmountPerDay: toUsdc(600n) };
  const ofWallet = typedDataOf(capped, owner, otherAddress);
  const ofVault = vaultTypedDataOf(capped, owner, ofFirst);
  const caps = { maxAmountPerDay: 600n, maxAmountPerMonth: 0n, confirmPayees: false };
  expect(ofWallet).toMatchObject({ domain: { version: "4" }, message: caps });
  expect(ofVault).toMatchObject({ domain: { version: "5" }, message: caps });
  const hashes = [
    ...[mandate, capped, { ...capped, maxAmountPerDay: toUsdc(601n) }].map((m) =>
      hashTypedData(typedDataOf(m, owner, otherAddress)),
    ),
    ...[mandate, capped, { ...capped, maxAmountPerMonth: toUsdc(601n) }].map((m) =>
      hashTypedData(vaultTypedDataOf(m, owner, ofFirst)),
    ),
  ];
  expect(new Set(hashes).size).toBe(6);
  const names = ofWallet.types.SpendingMandate.map(({ name }) => name);
  expect(new Set(names)).toEqual(new Set(Object.keys(ofWallet.message)));
});

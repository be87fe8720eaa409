import { expect, test } from "vitest";
import type { SettlementState } from "@/lib/settlements/tables";
import { refundStatus } from "./rules";

const NOW = new Date("2026-11-21T12:00:00Z");
const open = { cancelledAt: null, voidedAt: null, expiresAt: new Date(NOW.getTime() + 1) };

test.each([
  ["waits", open, "pending"],
  ["has expired from the moment named", { ...open, expiresAt: NOW }, "expired"],
  ["was taken back", { ...open, cancelledAt: NOW, expiresAt: NOW }, "cancelled"],
] as const)("without a transfer it %s", (_, refund, expected) => {
  expect(refundStatus(refund, null, NOW)).toBe(expected);
});

test.each<[SettlementState, boolean, Date | null, string]>([
  ["claimed", false, null, "pending"],
  ["prepared", true, null, "pending"],
  ["broadcast", true, null, "pending"],
  ["settled", true, null, "settled"],
  ["failed", false, null, "failed"],
  ["failed", true, null, "pending"],
  ["failed", true, NOW, "failed"],
  // The chain's word stands above ours.
  ["settled", true, NOW, "settled"],
])("a transfer that is %s, public: %s, void: %s, makes it %s", (state, isPublic, voidedAt, expected) => {
  expect(refundStatus({ ...open, expiresAt: NOW, voidedAt }, { state, isPublic }, NOW)).toBe(expected);
});

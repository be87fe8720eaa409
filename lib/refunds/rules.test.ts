import { expect, test } from "vitest";
import type { SettlementState } from "@/lib/settlements/tables";
import { refundStatus } from "./rules";

const NOW = new Date("2026-11-21T12:00:00Z");
const open = { cancelledAt: null, expiresAt: new Date(NOW.getTime() + 1) };

test.each([
  ["waits", open, "pending"],
  ["has expired from the moment named", { ...open, expiresAt: NOW }, "expired"],
  ["was taken back", { ...open, cancelledAt: NOW, expiresAt: NOW }, "cancelled"],
] as const)("a refund without a transfer %s", (_, refund, expected) => {
  expect(refundStatus(refund, null, NOW)).toBe(expected);
});

test.each<[SettlementState, string]>([
  ["claimed", "pending"],
  ["prepared", "pending"],
  ["broadcast", "pending"],
  ["declined", "pending"],
  ["settled", "settled"],
  ["void", "failed"],
])("a refund whose transfer is %s is %s", (state, expected) => {
  expect(refundStatus({ ...open, expiresAt: NOW }, { state }, NOW)).toBe(expected);
});

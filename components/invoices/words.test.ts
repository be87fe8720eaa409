import { describe, expect, test } from "vitest";
import { toUsdc, ZERO } from "@/lib/core/usdc";
import { badgeOf, STATE_WORDS } from "./words";

describe("the badge of an invoice", () => {
  const paid = { state: "paid", total: toUsdc(1_000_000n), canBePaid: false, refundedAmount: ZERO } as const;

  test("shows the refunded amount", () => {
    expect(badgeOf(paid)).toEqual({ label: "Paid", tone: "good" });
    expect(badgeOf({ ...paid, refundedAmount: toUsdc(400_000n) }).label).toBe("Paid, refunded 0.40 USDC");
    expect(badgeOf({ ...paid, refundedAmount: paid.total })).toEqual({ label: "Refunded 1.00 USDC", tone: "neutral" });
  });

  test("does not say open for an invoice that nobody can pay", () => {
    for (const state of ["open", "overdue"] as const) {
      expect(badgeOf({ ...paid, state }).label).toBe("Cannot be paid");
      expect(badgeOf({ ...paid, state, canBePaid: true }).label).toBe(STATE_WORDS[state].label);
    }
    expect(badgeOf({ ...paid, state: "cancelled" }).label).toBe("Cancelled");
  });
});

import { expect, test } from "vitest";
import { toUsdc } from "@/lib/core/usdc";
import type { Link } from "../rules";
import { toCheckoutView } from "./contract";

const link = {
  linkId: "lnk_1",
  amount: toUsdc(1_250_000n),
  network: "base",
  maxUses: 2,
  minAmount: null,
  maxAmount: null,
  maxQuantity: null,
  fields: null,
  expiresAt: null,
  image: null,
  file: null,
  resourceContent: null,
} as unknown as Link;

const viewOf = (uses: { settled: number; open: number }) =>
  toCheckoutView(
    { link, uses, payee: null },
    { url: "https://wallet.test/pay/lnk_1", redirectUrl: null, cancelUrl: null, now: new Date(0) },
  );

test("a link's places are taken by settled payments for good, and by open ones while they are pending", () => {
  expect(viewOf({ settled: 2, open: 0 })).toMatchObject({ usesLeft: 0, hasPendingPayment: false });
  expect(viewOf({ settled: 1, open: 1 })).toMatchObject({ usesLeft: 0, hasPendingPayment: true });
  expect(viewOf({ settled: 1, open: 0 })).toMatchObject({ usesLeft: 1, hasPendingPayment: false });
});

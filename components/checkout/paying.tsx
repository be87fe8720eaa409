import type { CheckoutView } from "@/lib/links/checkout/contract";

export type WalletMode = "devnet" | "production";
/** A link that can be paid. */
export type Payable = CheckoutView & { payee: NonNullable<CheckoutView["payee"]> };

export const OnlySign = () => (
  <p className="text-center text-small text-ink-2">You only sign. No gas, and no approval left behind.</p>
);

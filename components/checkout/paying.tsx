import { usePayment } from "@/components/texts/context";
import type { CheckoutView } from "@/lib/links/checkout/contract";

export type WalletMode = "devnet" | "production";
/** The view of a payable link with the buyer's order: `amount` is the order's sum, `query` the query of its URL. */
export type Payable = CheckoutView & { payee: NonNullable<CheckoutView["payee"]>; query: string };

export const OnlySign = () => <p className="text-center text-small text-ink-2">{usePayment().texts.panel.onlySign}</p>;

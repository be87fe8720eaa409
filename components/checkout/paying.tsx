import { usePayment } from "@/components/texts/context";
import type { CheckoutView } from "@/lib/links/checkout/contract";

export type WalletMode = "devnet" | "production";
/** An order of a link that can be paid: `amount` is its sum, `query` the one of its URL. */
export type Payable = CheckoutView & { payee: NonNullable<CheckoutView["payee"]>; query: string };

export const OnlySign = () => <p className="text-center text-small text-ink-2">{usePayment().texts.panel.onlySign}</p>;

"use client";

import { usePayment } from "@/components/texts/context";
import { usdcText } from "@/components/ui/format";
import { toUsdc } from "@/lib/core/usdc";
import { PaymentPanel, type PaymentPanelProps } from "./payment-panel";

/** The payment panel of a link without choices. */
export function PlainPanel(props: PaymentPanelProps) {
  const { language } = usePayment();
  const { amount } = props.view;
  const order = { amount, sum: usdcText(toUsdc(BigInt(amount)), language), query: "", check: () => true };
  return <PaymentPanel {...props} order={order} form={() => null} />;
}

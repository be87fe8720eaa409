"use client";

import type { Options } from "./order";
import { OrderForm } from "./order-form";
import { PaymentPanel, type PaymentPanelProps } from "./payment-panel";
import { useOrder } from "./use-order";

export type OrderPanelProps = PaymentPanelProps & { options: Options; prefilled: Readonly<Record<string, string>> };

/** The payment panel with the order form above it. */
export function OrderPanel({ options, prefilled, ...props }: OrderPanelProps) {
  const order = useOrder(props.view.amount, options, prefilled);
  const form = (isLocked: boolean) => <OrderForm order={order} options={options} isLocked={isLocked} />;
  return <PaymentPanel {...props} order={order} form={form} />;
}

"use client";

import type { ReactNode } from "react";
import type { Options, Order } from "./order";
import { OrderForm } from "./order-form";
import { useOrder } from "./use-order";

export type OrderPanelProps = {
  /** The price of one, in atomic units. */
  amount: string;
  options: Options;
  prefilled: Readonly<Record<string, string>>;
  children: (order: Order, form: (isLocked: boolean) => ReactNode) => ReactNode;
};

/** Reads the buyer's choices for what is below them. */
export function OrderPanel({ amount, options, prefilled, children }: OrderPanelProps) {
  const order = useOrder(amount, options, prefilled);
  return children(order, (isLocked) => <OrderForm order={order} options={options} isLocked={isLocked} />);
}

"use client";

import { type RefObject, useEffect, useRef, useState } from "react";
import { usdcText } from "@/components/ui/format";
import { toUsdc } from "@/lib/core/usdc";
import type { CheckoutView } from "@/lib/links/checkout/contract";
import { draftOf, type OrderDraft, type OrderFaults, readOrder } from "./order";

export type OrderState = {
  /** The form, in which the first invalid field receives the focus. */
  ref: RefObject<HTMLFieldSetElement | null>;
  draft: OrderDraft;
  change: (part: Partial<OrderDraft>) => void;
  faults: OrderFaults;
  /** The sum in atomic units, and formatted. While it cannot be read, the last one. */
  amount: string;
  sum: string;
  /** Of the URL; empty while the draft is invalid. */
  query: string;
  /** Whether the draft is valid; otherwise shows its faults. */
  check: () => boolean;
};

const NONE: NonNullable<CheckoutView["options"]> = { range: null, maxQuantity: null, fields: [] };

/** What the buyer chooses and answers. */
export function useOrder(view: CheckoutView, prefilled: Readonly<Record<string, string>>): OrderState {
  const options = view.options ?? NONE;
  const price = toUsdc(BigInt(view.amount));
  const ref = useRef<HTMLFieldSetElement>(null);
  const [draft, setDraft] = useState(() => draftOf(price, options, prefilled));
  const [last, setLast] = useState(price);
  const [isChecked, setChecked] = useState(false);
  const [refusals, setRefusals] = useState(0);
  const read = readOrder(price, options, draft);
  const amount = read.amount ?? last;

  useEffect(() => {
    if (refusals > 0) ref.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [refusals]);

  function change(part: Partial<OrderDraft>) {
    setLast(amount);
    setDraft({ ...draft, ...part });
  }

  function check(): boolean {
    if (!("faults" in read)) return true;
    setChecked(true);
    setRefusals(refusals + 1);
    return false;
  }

  return {
    ref,
    draft,
    change,
    faults: isChecked && "faults" in read ? read.faults : {},
    amount: amount.toString(),
    sum: usdcText(amount),
    query: "faults" in read ? "" : read.query,
    check,
  };
}

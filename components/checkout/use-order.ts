"use client";

import { type RefObject, useEffect, useRef, useState } from "react";
import { usePayment } from "@/components/texts/context";
import { usdcText } from "@/components/ui/format";
import { toUsdc } from "@/lib/core/usdc";
import { draftOf, type Options, type Order, type OrderDraft, type OrderFaults, readOrder, retyped } from "./order";

export type OrderState = Order & {
  /** The form, in which the first invalid field receives the focus. */
  ref: RefObject<HTMLFieldSetElement | null>;
  draft: OrderDraft;
  change: (part: Partial<OrderDraft>) => void;
  faults: OrderFaults;
};

/** State of the order form. */
export function useOrder(
  unitAmount: string,
  options: Options,
  prefilled: Readonly<Record<string, string>>,
): OrderState {
  const { language, texts } = usePayment();
  const price = toUsdc(BigInt(unitAmount));
  const ref = useRef<HTMLFieldSetElement>(null);
  const [draft, setDraft] = useState(() => draftOf(price, options, prefilled, language));
  const [typedIn, setTypedIn] = useState(language);
  const [last, setLast] = useState(price);
  const [isChecked, setChecked] = useState(false);
  const [refusals, setRefusals] = useState(0);
  if (typedIn !== language) {
    setTypedIn(language);
    setDraft({ ...draft, amount: retyped(draft.amount, typedIn, language) });
  }
  const reading = readOrder(price, options, draft, { language, texts: texts.order });
  const amount = reading.amount ?? last;

  useEffect(() => {
    if (refusals > 0) ref.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [refusals]);

  function change(part: Partial<OrderDraft>) {
    setLast(amount);
    setDraft({ ...draft, ...part });
  }

  function check(): boolean {
    if (reading.type === "valid") return true;
    setChecked(true);
    setRefusals(refusals + 1);
    return false;
  }

  return {
    ref,
    draft,
    change,
    faults: isChecked && reading.type === "invalid" ? reading.faults : {},
    amount: amount.toString(),
    sum: usdcText(amount, language),
    query: reading.type === "valid" ? reading.query : "",
    check,
  };
}

"use client";

import { type RefObject, useEffect, useRef, useState } from "react";
import { usdcText } from "@/components/ui/format";
import { toUsdc } from "@/lib/core/usdc";
import type { CheckoutView } from "@/lib/links/checkout/contract";
import { draftOf, type OrderDraft, type OrderFaults, type ReadOrder, readOrder } from "./order";

export type OrderState = {
  /** The form, in which the first invalid field receives the focus. */
  ref: RefObject<HTMLFieldSetElement | null>;
  draft: OrderDraft;
  change: (part: Partial<OrderDraft>) => void;
  faults: OrderFaults;
  /** The sum in atomic units, formatted, and the query of the URL. While the draft is invalid, those of the last valid one. */
  amount: string;
  sum: string;
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
  const [last, setLast] = useState<ReadOrder>({ amount: price, query: "" });
  const [isChecked, setChecked] = useState(false);
  const [refusals, setRefusals] = useState(0);
  const read = readOrder(price, options, draft);
  const valid = "faults" in read ? last : read;

  useEffect(() => {
    if (refusals > 0) ref.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [refusals]);

  function change(part: Partial<OrderDraft>) {
    if (!("faults" in read)) setLast(read);
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
    amount: valid.amount.toString(),
    sum: usdcText(valid.amount),
    query: valid.query,
    check,
  };
}

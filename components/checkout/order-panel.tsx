"use client";

import { type RefObject, useEffect, useRef, useState } from "react";
import { usePayment } from "@/components/texts/context";
import { fill } from "@/components/texts/template";
import { Button } from "@/components/ui/button";
import { formatCount, usdcText } from "@/components/ui/format";
import { TextField } from "@/components/ui/text-field";
import { ownMember } from "@/lib/core/own";
import { toUsdc, type Usdc } from "@/lib/core/usdc";
import { ANSWER_MAX } from "@/lib/links/orders/limits";
import {
  draftOf,
  fieldText,
  type Options,
  type Order,
  type OrderDraft,
  type OrderFaults,
  readOrder,
  retyped,
} from "./order";
import { PaymentPanel, type PaymentPanelProps } from "./payment-panel";

export type OrderPanelProps = PaymentPanelProps & { options: Options; prefilled: Readonly<Record<string, string>> };

/** The payment panel with the order form above it. */
export function OrderPanel({ options, prefilled, ...props }: OrderPanelProps) {
  const order = useOrder(props.view.amount, options, prefilled);
  const form = (isLocked: boolean) => <OrderForm order={order} options={options} isLocked={isLocked} />;
  return <PaymentPanel {...props} order={order} form={form} />;
}

type OrderFormProps = {
  order: OrderState;
  options: Options;
  /** The order is being signed or sent. */
  isLocked: boolean;
};

/** The buyer's choices and answers. The labels are the seller's untrusted text. */
function OrderForm({ order, options: { range, maxQuantity, fields }, isLocked }: OrderFormProps) {
  const { draft, change, faults } = order;
  const {
    language,
    texts: { order: texts },
  } = usePayment();
  return (
    <fieldset ref={order.ref} disabled={isLocked} className="grid min-w-0 gap-4 border-b pb-5">
      <legend className="sr-only">{texts.legend}</legend>
      {range && (
        <div className="grid gap-2.5">
          <TextField
            label={texts.amount}
            suffix="USDC"
            inputMode="decimal"
            autoComplete="off"
            value={draft.amount}
            onChange={(event) => change({ amount: event.target.value })}
            hint={fill(texts.amountHint, {
              min: usdcText(toUsdc(BigInt(range.min)), language),
              max: usdcText(toUsdc(BigInt(range.max)), language),
            })}
            error={faults.amount}
          />
          {range.presets.length > 0 && (
            // biome-ignore lint/a11y/useSemanticElements: a fieldset within a fieldset needs a legend of its own
            <div role="group" aria-label={texts.suggested} className="flex flex-wrap gap-2">
              {range.presets.map((preset) => {
                const presetAmount = toUsdc(BigInt(preset));
                const amount = fieldText(presetAmount, language);
                return (
                  <Button
                    key={preset}
                    size="small"
                    aria-pressed={order.chosen === presetAmount}
                    className="min-h-11 num aria-pressed:border-brand aria-pressed:bg-brand-soft aria-pressed:text-brand"
                    onClick={() => change({ amount })}
                  >
                    {amount}
                  </Button>
                );
              })}
            </div>
          )}
        </div>
      )}
      {maxQuantity !== null && (
        <TextField
          label={texts.quantity}
          inputMode="numeric"
          autoComplete="off"
          value={draft.quantity}
          onChange={(event) => change({ quantity: event.target.value })}
          hint={fill(texts.quantityHint, { max: formatCount(maxQuantity, language) })}
          error={faults.quantity}
        />
      )}
      {fields.map(({ name, label, isRequired }) => (
        <TextField
          key={name}
          label={<bdi>{label}</bdi>}
          aside={isRequired ? undefined : texts.optional}
          dir="auto"
          maxLength={ANSWER_MAX * 2}
          aria-required={isRequired}
          value={ownMember(draft.answers, name) ?? ""}
          onChange={(event) => change({ answers: { ...draft.answers, [name]: event.target.value } })}
          error={ownMember(faults, name)}
        />
      ))}
      {fields.length > 0 && <p className="text-small text-ink-2">{texts.answers}</p>}
      {(range || maxQuantity !== null) && (
        <p role="status" className="flex items-baseline justify-between gap-3">
          <span className="text-small text-ink-2">{texts.total}</span>
          <span className="text-[1.375rem] font-medium num">{order.sum ?? "–"}</span>
        </p>
      )}
    </fieldset>
  );
}

type OrderState = Order & {
  /** The form, in which the first invalid field receives the focus. */
  ref: RefObject<HTMLFieldSetElement | null>;
  draft: OrderDraft;
  change: (part: Partial<OrderDraft>) => void;
  faults: OrderFaults;
  /** The sum as typed; null while it is not readable. */
  chosen: Usdc | null;
};

/** State of the order form. */
function useOrder(unitAmount: string, options: Options, prefilled: Readonly<Record<string, string>>): OrderState {
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
    chosen: reading.amount,
    amount: amount.toString(),
    sum: reading.amount && usdcText(reading.amount, language),
    query: reading.type === "valid" ? reading.query : "",
    check,
  };
}

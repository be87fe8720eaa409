import type { PaymentTexts } from "@/components/texts/en/payment";
import { fill, fillCount, type Words } from "@/components/texts/template";
import { formatAmount, formatCount } from "@/components/ui/format";
import { DEFAULT_LANGUAGE, type Language } from "@/lib/core/language";
import { ownMember } from "@/lib/core/own";
import { formatUsdc, parseUsdc, toUsdc, type Usdc } from "@/lib/core/usdc";
import type { CheckoutView } from "@/lib/links/checkout/contract";
import { ANSWER_MAX } from "@/lib/links/orders/limits";

export type Options = NonNullable<CheckoutView["options"]>;

/** A read order, as used by the payment panel. */
export type Order = {
  /** The sum in atomic units. Keeps its last value while the draft has no readable amount. */
  amount: string;
  /** The sum as text; null while the draft has no readable amount. */
  sum: string | null;
  /** The query of the order's URL; empty while the draft is invalid. */
  query: string;
  /** Returns whether the draft is valid. If not, shows its faults. */
  check: () => boolean;
};

/** The order as typed. The amount is in whole dollars, with the decimal mark of the page's language. */
export type OrderDraft = { amount: string; quantity: string; answers: Readonly<Record<string, string>> };

/** An error for each invalid field: "amount", "quantity", or the name of a field. */
export type OrderFaults = Readonly<Record<string, string>>;

/** `query`: of the order's URL. `amount`: the sum; null if it cannot be computed from an invalid draft. */
export type OrderReading =
  | { type: "valid"; amount: Usdc; query: string }
  | { type: "invalid"; amount: Usdc | null; faults: OrderFaults };

/** The initial draft with the values of the URL's query. */
export function draftOf(
  price: Usdc,
  options: Options,
  prefilled: Readonly<Record<string, string>>,
  language: Language = DEFAULT_LANGUAGE,
): OrderDraft {
  const { amount = "", quantity = "" } = prefilled;
  const isAtomic = /^[1-9]\d{0,77}$/.test(amount);
  return {
    amount: fieldText(isAtomic ? toUsdc(BigInt(amount)) : price, language),
    quantity: /^[1-9]\d{0,4}$/.test(quantity) ? quantity : "1",
    answers: Object.fromEntries(options.fields.map(({ name }) => [name, ownMember(prefilled, name) ?? ""])),
  };
}

/** Validates the draft. The server validates again. */
export function readOrder(
  price: Usdc,
  { range, maxQuantity, fields }: Options,
  draft: OrderDraft,
  { language, texts }: Words<PaymentTexts["order"]>,
): OrderReading {
  const faults: Record<string, string> = {};
  const parameters: [string, string][] = [];
  let amount = price;
  if (range) {
    const chosen = readAmount(draft.amount, language);
    if (chosen === null || chosen < BigInt(range.min) || chosen > BigInt(range.max)) {
      faults.amount = fill(texts.amountFault, {
        min: dollars(range.min, language),
        max: dollars(range.max, language),
      });
    } else {
      amount = chosen;
      parameters.push(["amount", chosen.toString()]);
    }
  }
  if (maxQuantity !== null) {
    const text = draft.quantity.trim();
    const count = /^[1-9]\d{0,4}$/.test(text) ? Number(text) : 0;
    if (count < 1 || count > maxQuantity) {
      faults.quantity = fill(texts.quantityFault, { max: formatCount(maxQuantity, language) });
    } else {
      amount = toUsdc(price * BigInt(count));
      parameters.push(["quantity", String(count)]);
    }
  }
  for (const { name, isRequired } of fields) {
    const value = (ownMember(draft.answers, name) ?? "").trim();
    const excessLength = [...value].length - ANSWER_MAX;
    if (value === "" && isRequired) faults[name] = texts.missing;
    else if (excessLength > 0) faults[name] = fillCount(language, texts.tooLong, excessLength, {});
    else if (value !== "") parameters.push([name, value]);
  }
  const isKnown = faults.amount === undefined && faults.quantity === undefined;
  if (Object.keys(faults).length > 0) return { type: "invalid", faults, amount: isKnown ? amount : null };
  return { type: "valid", amount, query: parameters.length === 0 ? "" : `?${new URLSearchParams(parameters)}` };
}

const dollars = (atomic: string, language: Language) => formatAmount(formatUsdc(toUsdc(BigInt(atomic))), language);

/** An amount for an input: "12.50", "12,50". Without thousands separators, because `readAmount` refuses ambiguous amounts. */
export const fieldText = (amount: Usdc, language: Language): string =>
  formatUsdc(amount).replace(".", DECIMAL_MARKS[language]);

const DECIMAL_MARKS = { en: ".", de: "," } as const satisfies Record<Language, string>;

/**
 * Parses a typed amount; null if invalid. In German, a comma is the decimal mark and a point groups thousands. A point is read as a decimal
 * mark if it cannot group ("12.5"). "1.250" is refused, because it can mean 1250 or 1.25.
 */
export function readAmount(typed: string, language: Language): Usdc | null {
  const text = typed.trim();
  if (language === "en" || /^\d+\.(?:\d{1,2}|\d{4,})$/.test(text)) return parseUsdc(text);
  if (!/^\d+(?:,\d+)?$|^,\d+$|^\d{1,3}(?:\.\d{3})+,\d+$|^\d{1,3}(?:\.\d{3}){2,}$/.test(text)) return null;
  return parseUsdc(text.replaceAll(".", "").replace(",", "."));
}

/** Converts a typed amount to the notation of another language. An invalid amount is returned unchanged. */
export function retyped(typed: string, from: Language, to: Language): string {
  const amount = readAmount(typed, from);
  return amount === null ? typed : fieldText(amount, to);
}

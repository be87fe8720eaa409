import { formatUsdc, parseUsdc, toUsdc, type Usdc } from "@/lib/core/usdc";
import type { CheckoutView } from "@/lib/links/checkout/contract";
import { ANSWER_MAX } from "@/lib/links/orders/limits";

export type Options = NonNullable<CheckoutView["options"]>;

/** An order as the rest of the page needs it. */
export type Order = {
  /** The sum in atomic units, and formatted. While it cannot be read, the last one. */
  amount: string;
  sum: string;
  /** Of the URL; empty while the draft is invalid. */
  query: string;
  /** Whether the draft is valid; otherwise shows its faults. */
  check: () => boolean;
};

/** The order as typed. The amount is in whole dollars. */
export type OrderDraft = { amount: string; quantity: string; answers: Readonly<Record<string, string>> };

/** The order of a valid draft: the sum, and the query of the link's URL. */
export type ReadOrder = { amount: Usdc; query: string };

/** An error for each invalid field: "amount", "quantity", or the name of a field. */
export type OrderFaults = Readonly<Record<string, string>>;

/** The draft of what the URL says. */
export function draftOf(price: Usdc, options: Options, prefilled: Readonly<Record<string, string>>): OrderDraft {
  const { amount = "", quantity = "" } = prefilled;
  const isAtomic = /^[1-9]\d{0,77}$/.test(amount);
  return {
    amount: formatUsdc(isAtomic ? toUsdc(BigInt(amount)) : price),
    quantity: /^[1-9]\d{0,4}$/.test(quantity) ? quantity : "1",
    answers: Object.fromEntries(options.fields.map(({ name }) => [name, prefilled[name] ?? ""])),
  };
}

/** Validates the draft. The server validates again. `amount` beside faults: the sum, or null while it is not known. */
export function readOrder(
  price: Usdc,
  { range, maxQuantity, fields }: Options,
  draft: OrderDraft,
): ReadOrder | { faults: OrderFaults; amount: Usdc | null } {
  const faults: Record<string, string> = {};
  const parameters: [string, string][] = [];
  let amount = price;
  if (range) {
    const chosen = parseUsdc(draft.amount);
    if (chosen === null || chosen < BigInt(range.min) || chosen > BigInt(range.max)) {
      faults.amount = `Enter an amount from ${dollars(range.min)} to ${dollars(range.max)} USDC.`;
    } else {
      amount = chosen;
      parameters.push(["amount", chosen.toString()]);
    }
  }
  if (maxQuantity !== null) {
    const text = draft.quantity.trim();
    const count = /^[1-9]\d{0,4}$/.test(text) ? Number(text) : 0;
    if (count < 1 || count > maxQuantity) {
      faults.quantity = `Enter a whole number from 1 to ${maxQuantity}.`;
    } else {
      amount = toUsdc(price * BigInt(count));
      parameters.push(["quantity", String(count)]);
    }
  }
  for (const { name, isRequired } of fields) {
    const value = (draft.answers[name] ?? "").trim();
    const over = [...value].length - ANSWER_MAX;
    if (value === "" && isRequired) faults[name] = "The seller needs this.";
    else if (over > 0) faults[name] = `Shorten it by ${over} ${over === 1 ? "character" : "characters"}.`;
    else if (value !== "") parameters.push([name, value]);
  }
  const isKnown = faults.amount === undefined && faults.quantity === undefined;
  if (Object.keys(faults).length > 0) return { faults, amount: isKnown ? amount : null };
  return { amount, query: parameters.length === 0 ? "" : `?${new URLSearchParams(parameters)}` };
}

const dollars = (atomic: string) => formatUsdc(toUsdc(BigInt(atomic)));

import { toUsdc, type Usdc, ZERO } from "@/lib/core/usdc";
import { PERCENT, QUANTITY } from "./limits";
import type { invoices } from "./tables";

export type Invoice = typeof invoices.$inferSelect;

/** One line as it is stored and calculated. `quantity` is a decimal text with up to three decimals. */
export type InvoiceLine = { description: string; quantity: string; unitAmount: Usdc };
/** The tax line: a percentage of the subtotal, or a fixed amount. */
export type Tax =
  | { label: string; percent: string; amount?: undefined }
  | { label: string; amount: Usdc; percent?: undefined };

export type InvoiceTotals = {
  type: "payable";
  lines: (InvoiceLine & { amount: Usdc })[];
  subtotal: Usdc;
  tax: Usdc;
  total: Usdc;
};
/**
 * Why an invoice has no total: the amount of `line` is not a whole number of atomic units, or (null) the total is zero or above
 * uint256.
 */
export type Unpayable = { type: "unpayable"; line: number | null };

const THOUSAND = 1000n;
const UINT256_MAX = 2n ** 256n - 1n;

/** Parses a text that matches QUANTITY or PERCENT; returns thousandths. */
function thousandths(text: string): bigint {
  const [integer = "0", decimals = ""] = text.split(".");
  return BigInt(integer) * THOUSAND + BigInt(decimals.padEnd(3, "0"));
}

const CENT = 10_000n;

/** The smallest step of an invoice's sums, in atomic units: a cent, or one unit if a price or a fixed tax is finer than a cent. */
export const stepOf = (lines: readonly Pick<InvoiceLine, "unitAmount">[], tax: Tax | null): bigint =>
  [...lines.map(({ unitAmount }) => unitAmount), tax?.amount ?? ZERO].every((price) => price % CENT === 0n) ? CENT : 1n;

/** The only rounding on an invoice: half up to a whole `step`. */
const rounded = (dividend: bigint, divisor: bigint, step: bigint): Usdc =>
  toUsdc(((2n * dividend + divisor * step) / (2n * divisor * step)) * step);

/** The amount of a line. Null if it is finer than an atomic unit, on an invoice that is not in cents. */
function lineAmount({ quantity, unitAmount }: InvoiceLine, step: bigint): Usdc | null {
  const product = thousandths(quantity) * unitAmount;
  return step === 1n && product % THOUSAND !== 0n ? null : rounded(product, THOUSAND, step);
}

function taxAmount(subtotal: Usdc, tax: Tax | null, step: bigint): Usdc {
  if (tax === null) return ZERO;
  if (tax.percent === undefined) return tax.amount;
  return rounded(subtotal * thousandths(tax.percent), 100n * THOUSAND, step);
}

/** The total is exactly the sum of the lines and the tax. */
export function totalsOf(lines: readonly InvoiceLine[], tax: Tax | null): InvoiceTotals | Unpayable {
  const step = stepOf(lines, tax);
  const priced: InvoiceTotals["lines"] = [];
  for (const [index, line] of lines.entries()) {
    const amount = lineAmount(line, step);
    if (amount === null) return { type: "unpayable", line: index };
    priced.push({ ...line, amount });
  }
  const subtotal = toUsdc(priced.reduce((sum: bigint, { amount }) => sum + amount, 0n));
  const taxed = taxAmount(subtotal, tax, step);
  const total = toUsdc(subtotal + taxed);
  if (total <= 0n || total > UINT256_MAX) return { type: "unpayable", line: null };
  return { type: "payable", lines: priced, subtotal, tax: taxed, total };
}

export const isQuantity = (text: string): boolean => QUANTITY.test(text) && thousandths(text) > 0n;
export const isPercent = (text: string): boolean => PERCENT.test(text);

/** Removes trailing zeros: "1.50" becomes "1.5", "2.000" becomes "2". */
export const plainDecimal = (text: string): string =>
  text.includes(".") ? text.replace(/0+$/, "").replace(/\.$/, "") : text;

/** A calendar day in UTC, as in 2026-01-31. */
export type Day = string;

export const dayOf = (time: Date): Day => time.toISOString().slice(0, 10);

const DAY_MS = 86_400_000;
const startOf = (day: Day): number => Date.parse(`${day}T00:00:00Z`);

/** The first moment after the day. */
export const endOf = (day: Day): Date => new Date(startOf(day) + DAY_MS);

/** Days from today until the due date: 0 on that day, negative after it. */
export const daysUntil = (day: Day, now: Date): number => Math.round((startOf(day) - startOf(dayOf(now))) / DAY_MS);

/**
 * The state of an invoice. `paid`: the chain shows the transfer. `expired`: the due date has passed, and the seller accepts no late
 * payment. `payment_under_way` takes precedence over `cancelled`, because that payment can still settle.
 */
export const INVOICE_STATES = ["open", "overdue", "expired", "payment_under_way", "paid", "cancelled"] as const;
export type InvoiceState = (typeof INVOICE_STATES)[number];

export function stateOf(
  { cancelledAt, dueDate, isPayableAfterDue }: Pick<Invoice, "cancelledAt" | "dueDate" | "isPayableAfterDue">,
  payment: { isSettled: boolean } | null,
  now: Date,
): InvoiceState {
  if (payment) return payment.isSettled ? "paid" : "payment_under_way";
  if (cancelledAt) return "cancelled";
  if (now < endOf(dueDate)) return "open";
  return isPayableAfterDue ? "overdue" : "expired";
}

/** Whether a payment can start. Does not check that the agent still exists. */
export const isPayable = (state: InvoiceState): boolean => state === "open" || state === "overdue";

/** INV-2026-0001. */
export const numberText = (year: number, count: bigint): string => `INV-${year}-${String(count).padStart(4, "0")}`;

/** Parses a number in the format of `numberText`; null for any other number. Years begin with 2, as those of issue dates do. */
export function readNumber(number: string): { year: number; count: bigint } | null {
  const [, year, digits] = /^INV-(2\d{3})-(0\d{3}|[1-9]\d{3,})$/.exec(number) ?? [];
  const count = BigInt(digits ?? 0);
  return count > 0n ? { year: Number(year), count } : null;
}

/** The furthest that one chosen number can advance the automatic ones, so that one invoice cannot use up a year's numbers. */
const STEP_MAX = 100n;

/** The last automatic number after an invoice with the chosen number `requestedCount`. */
export const lastAfter = (last: bigint, requestedCount: bigint): bigint =>
  requestedCount > last && requestedCount <= last + STEP_MAX ? requestedCount : last;

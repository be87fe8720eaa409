import { toUsdc, type Usdc } from "@/lib/core/money";
import { ownMember } from "@/lib/core/own";
import { isFullyVisible } from "@/lib/core/shown";
import { ANSWER_MAX, QUERY_MAX } from "./limits";

/** A question to the buyer: `name` is its query parameter, `label` its text on the checkout. */
export type BuyerField = { name: string; label: string; isRequired: boolean };
/** An answer, with the label that the buyer saw. */
export type BuyerAnswer = { name: string; label: string; value: string };

/** The parts of a link that an order depends on. None of them can be changed. */
export type Orderable = {
  amount: Usdc;
  minAmount: Usdc | null;
  maxAmount: Usdc | null;
  maxQuantity: number | null;
  fields: readonly BuyerField[] | null;
};

/** What one URL of a link sells. */
export type PurchaseOrder = {
  /** The sum to pay. */
  amount: Usdc;
  quantity: number;
  answers: BuyerAnswer[];
  /** The query of exactly this order: "" or "?…". */
  query: string;
  /** `query` without the buyer's answers, which receipts must not show. */
  publicQuery: string;
};

/** The order in a URL's query, or why the query is invalid. */
export type ReadOrder =
  | { type: "order"; order: PurchaseOrder }
  | { type: "amount_not_offered" }
  | { type: "quantity_not_offered" }
  | { type: "field_invalid"; field: BuyerField; reason: string };

/** Whether the buyer of the link has something to choose or to answer. */
export const hasChoice = ({ minAmount, maxQuantity, fields }: Orderable): boolean =>
  minAmount !== null || maxQuantity !== null || (fields !== null && fields.length > 0);

/** The order of a URL without parameters, even if the link requires some. */
export const plainOrder = ({ amount }: Orderable): PurchaseOrder => ({
  amount,
  quantity: 1,
  answers: [],
  query: "",
  publicQuery: "",
});

/** The order of a URL's query. Parameters that the link does not know are ignored. Why: docs/decisions.md, 175. */
export function readOrder(link: Orderable, query: Readonly<Record<string, unknown>>): ReadOrder {
  const publicParameters: [string, string][] = [];
  let { amount } = link;
  const { minAmount: min, maxAmount: max, maxQuantity } = link;
  if (min !== null && max !== null && query.amount !== undefined) {
    const chosen = wholeNumber(query.amount);
    if (chosen === null || chosen < min || chosen > max) return { type: "amount_not_offered" };
    amount = toUsdc(chosen);
    publicParameters.push(["amount", chosen.toString()]);
  }
  let quantity = 1;
  if (maxQuantity !== null && query.quantity !== undefined) {
    const count = wholeNumber(query.quantity);
    if (count === null || count > BigInt(maxQuantity)) return { type: "quantity_not_offered" };
    quantity = Number(count);
    amount = toUsdc(link.amount * count);
    publicParameters.push(["quantity", String(quantity)]);
  }
  const fieldAnswers: BuyerAnswer[] = [];
  for (const field of link.fields ?? []) {
    const value = ownMember(query, field.name);
    const reason = faultIn(field, value);
    if (reason !== null) return { type: "field_invalid", field, reason };
    if (typeof value === "string" && value !== "") fieldAnswers.push({ name: field.name, label: field.label, value });
  }
  const answerParameters = fieldAnswers.map(({ name, value }): [string, string] => [name, value]);
  const full = queryOf([...publicParameters, ...answerParameters]);
  const last = link.fields?.at(-1);
  if (last && full.length > QUERY_MAX) return { type: "field_invalid", field: last, reason: TOO_LONG };
  return {
    type: "order",
    order: { amount, quantity, answers: fieldAnswers, query: full, publicQuery: queryOf(publicParameters) },
  };
}

const TOO_LONG = `makes the URL too long: all answers together must fit ${QUERY_MAX} characters of a query`;

/** Why the answer is refused, or null. */
function faultIn({ isRequired }: BuyerField, value: unknown): string | null {
  if (value === undefined || value === "") return isRequired ? "is required" : null;
  if (typeof value !== "string") return "must be given once";
  if ([...value].length > ANSWER_MAX) return `must have at most ${ANSWER_MAX} characters`;
  if (!value.isWellFormed() || !isFullyVisible(value, false)) return "must be one line of visible text";
  return value.trim() === "" ? "must not be blank" : null;
}

/** A positive number without sign or leading zero, or null. */
const wholeNumber = (value: unknown): bigint | null =>
  typeof value === "string" && /^[1-9]\d{0,77}$/.test(value) ? BigInt(value) : null;

const queryOf = (parameters: [string, string][]): string =>
  parameters.length === 0 ? "" : `?${new URLSearchParams(parameters)}`;

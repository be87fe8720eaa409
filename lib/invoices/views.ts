import { z } from "zod";
import { agentId, id } from "@/lib/core/id-text";
import { amount, toUsdc, ZERO } from "@/lib/core/money";
import { isoDate } from "@/lib/core/time-text";
import { receiptUrl } from "@/lib/settlements/contract";
import { NETWORK_NAMES } from "@/lib/x402/networks";
import { daysUntil, INVOICE_STATES, isPayable, stateOf } from "./rules";
import type { CancelledInvoice, InvoiceItem, InvoiceView } from "./service";

export type { InvoiceState } from "./rules";

const payment = z.object({
  settlementId: id("settlement"),
  /** `settled` once the chain shows the transfer. A pending payment may still fail. */
  status: z.enum(["pending", "settled"]),
  txHash: z.string().nullable(),
  settledAt: isoDate.nullable(),
  receiptUrl: z.string(),
});

export const invoiceItem = z.object({
  /** The cursor of the next page of a list. */
  id: z.int(),
  invoiceId: id("invoice"),
  agentId,
  number: z.string(),
  buyerName: z.string(),
  issueDate: z.string(),
  dueDate: z.string(),
  /** Calendar days in UTC from today until the due date; negative after it. */
  dueInDays: z.int(),
  isPayableAfterDue: z.boolean(),
  total: amount,
  currency: z.literal("USDC"),
  network: z.enum(NETWORK_NAMES),
  state: z.enum(INVOICE_STATES),
  /** Whether a payment can start now: the invoice is open or overdue, and its agent was not deleted. */
  canBePaid: z.boolean(),
  payment: payment.nullable(),
  /** The sum of the payment's settled refunds. The state stays `paid`. */
  refundedAmount: amount,
  /** The buyer's page. Anyone with this URL can read the invoice. */
  url: z.string(),
  /** The payment link: a checkout for people, x402 for programs. */
  paymentUrl: z.string(),
  linkId: id("link"),
  cancelledAt: isoDate.nullable(),
  createdAt: isoDate,
});

export const invoiceView = invoiceItem.extend({
  buyer: z.object({ name: z.string(), email: z.string().nullable(), address: z.string().nullable() }),
  /** The seller's own name at creation; not verified. */
  sellerName: z.string(),
  /** A domain that the seller had verified at creation. */
  sellerDomain: z.string().nullable(),
  sellerDetails: z.string().nullable(),
  lines: z.array(z.object({ description: z.string(), quantity: z.string(), unitAmount: amount, amount })),
  subtotal: amount,
  tax: z.object({ label: z.string(), percent: z.string().nullable(), amount }).nullable(),
  note: z.string().nullable(),
});

export type InvoiceOut = z.output<typeof invoiceView>;
export type InvoiceItemOut = z.output<typeof invoiceItem>;

export function toInvoiceItem(
  { invoice, payment: invoicePayment, isAgentDeleted }: InvoiceItem,
  baseUrl: string,
  now: Date,
): InvoiceItemOut {
  const { id: place, invoiceId, agentId: seller, linkId, number, network, total, buyerName } = invoice;
  const { issueDate, dueDate, isPayableAfterDue, cancelledAt, createdAt } = invoice;
  const state = stateOf(invoice, invoicePayment, now);
  return {
    id: place,
    invoiceId,
    agentId: seller,
    linkId,
    number,
    network,
    total,
    buyerName,
    issueDate,
    dueDate,
    isPayableAfterDue,
    cancelledAt,
    createdAt,
    dueInDays: daysUntil(dueDate, now),
    currency: "USDC",
    state,
    canBePaid: isPayable(state) && !isAgentDeleted,
    payment: invoicePayment && {
      settlementId: invoicePayment.id,
      status: invoicePayment.isSettled ? "settled" : "pending",
      txHash: invoicePayment.isSettled ? invoicePayment.txHash : null,
      settledAt: invoicePayment.isSettled ? invoicePayment.endedAt : null,
      receiptUrl: receiptUrl(baseUrl, invoicePayment.id),
    },
    refundedAmount: invoicePayment?.refunded ?? ZERO,
    url: `${baseUrl}/invoice/${invoiceId}`,
    paymentUrl: `${baseUrl}/pay/${linkId}`,
  };
}

export function toInvoiceView(view: InvoiceView, baseUrl: string, now: Date): InvoiceOut {
  const { buyerName: name, buyerEmail: email, buyerAddress: address, ...invoice } = view.invoice;
  return {
    ...toInvoiceItem(view, baseUrl, now),
    buyer: { name, email, address },
    sellerName: invoice.sellerName,
    sellerDomain: invoice.sellerDomain,
    sellerDetails: invoice.sellerDetails,
    lines: invoice.lines.map(({ unitAmount, amount: sum, ...line }) => ({
      ...line,
      unitAmount: toUsdc(BigInt(unitAmount)),
      amount: toUsdc(BigInt(sum)),
    })),
    subtotal: invoice.subtotal,
    tax: invoice.tax && { ...invoice.tax, amount: toUsdc(BigInt(invoice.tax.amount)) },
    note: invoice.note,
  };
}

const CANCELLED = "The invoice is cancelled. No new payment can begin";
const UNDER_WAY =
  "The invoice is cancelled, so no other payment can begin. One payment was under way before: it may still settle, and then the invoice is paid. Read its state until the payment has ended";

export const toCancelled = ({ view, isUnderWay }: CancelledInvoice, baseUrl: string, now: Date) => ({
  success: true as const,
  invoice: toInvoiceView(view, baseUrl, now),
  message: isUnderWay ? UNDER_WAY : CANCELLED,
});

import type { Sayings } from "./said";
import { AGENT, CREATED, INVOICE, LAST_PAGE, LINK, ORIGIN, SUCCESS, UPDATED } from "./values";

const SUMS =
  "Amounts are exact: `unitAmount` times `quantity` must be a whole number of atomic units, the total is the sum of the lines and the tax. Only a tax in per cent is rounded, half up to an atomic unit. The total is the price of a payment link that can be paid once.";
const CANCEL =
  "No payment begins any more. One that is under way can still settle; then the invoice is paid. Cancelling again changes nothing.";

const request = {
  buyer: { name: "Example Ltd", address: "1 Example Street\nBern" },
  dueDate: "2090-01-31",
  lines: [{ description: "Consulting, hours", quantity: "2.5", unitAmount: "80000000" }],
  tax: { label: "VAT", percent: "8.1" },
};

/** As lists show it. */
const listedInvoice = {
  invoiceId: INVOICE,
  agentId: AGENT,
  number: "2026-0001",
  buyerName: "Example Ltd",
  issueDate: "2026-11-02",
  dueDate: "2026-12-02",
  dueInDays: 30,
  isPayableAfterDue: true,
  total: "216200000",
  currency: "USDC",
  network: "base",
  state: "open",
  canBePaid: true,
  payment: null,
  refundedAmount: "0",
  url: `${ORIGIN}/invoice/${INVOICE}`,
  paymentUrl: `${ORIGIN}/pay/${LINK}`,
  linkId: LINK,
  cancelledAt: null,
  createdAt: CREATED,
  id: 1,
};

const invoice = {
  ...listedInvoice,
  buyer: { name: "Example Ltd", email: null, address: "1 Example Street\nBern" },
  sellerName: "Research agent",
  sellerDomain: null,
  sellerDetails: null,
  lines: [{ description: "Consulting, hours", quantity: "2.5", unitAmount: "80000000", amount: "200000000" }],
  subtotal: "200000000",
  tax: { label: "VAT", percent: "8.1", amount: "16200000" },
  note: null,
};

const created = { 200: { ...SUCCESS, invoice } };
const cancelled = {
  200: {
    ...SUCCESS,
    invoice: { ...invoice, state: "cancelled", canBePaid: false, cancelledAt: UPDATED },
    message: "The invoice is cancelled",
  },
};

export const INVOICES: Sayings = {
  createInvoice: {
    description: `${SUMS} Send the buyer \`url\`; an agent pays at \`paymentUrl\`.`,
    request,
    responses: created,
  },
  listInvoices: {
    description:
      "Send `nextCursor` as `cursor` for the next page; it is null on the last one. The lines are in `GET /api/invoices/{invoiceId}`.",
    responses: { 200: { ...SUCCESS, invoices: [listedInvoice], ...LAST_PAGE } },
  },
  getInvoice: {
    description:
      "`state` is computed when it is read: an open invoice becomes `overdue` or, if it cannot be paid after its due date, `expired`. `payment` has the settlement and the receipt once somebody paid.",
    responses: created,
  },
  cancelInvoice: { description: CANCEL, responses: cancelled },
  createOwnedInvoice: { description: SUMS, request, responses: created },
  cancelOwnedInvoice: { description: CANCEL, responses: cancelled },
};

import { z } from "zod";
import { agentErrors } from "@/lib/agents/errors";
import { endpoint } from "@/lib/core/endpoint";
import { agentId, id } from "@/lib/core/id-text";
import { EMAIL_MAX } from "@/lib/core/lengths";
import { amount, positiveAmount, toUsdc } from "@/lib/core/money";
import { ONCE_VALID } from "@/lib/core/once-valid";
import { isVisible, shownName, shownText } from "@/lib/core/shown";
import { edgeErrors } from "@/lib/http/errors";
import { page } from "@/lib/links/contract";
import { linkErrors } from "@/lib/links/errors";
import * as sample from "@/lib/samples";
import { networkText } from "@/lib/x402/network-text";
import { DEFAULT_NETWORK } from "@/lib/x402/networks";
import { invoiceErrors } from "./errors";
import { ADDRESS_MAX, LINE_MAX, LINES_MAX, NOTE_MAX, NUMBER, PERCENT, QUANTITY, TAX_LABEL_MAX } from "./limits";
import { isPercent, isQuantity, type Tax, totalsOf } from "./rules";
import type { NewInvoice } from "./service";
import { invoiceItem, invoiceView } from "./views";

/** Room for LINES_MAX lines and the other texts in JSON, where an escape takes up to six bytes. */
const BODY_BYTES_MAX = 131_072;

const DAY_ERROR = "must be a day (2026-01-31)";
const day = z.iso.date(DAY_ERROR).refine((text) => /^2\d{3}-/.test(text), DAY_ERROR);

/** One line with at least one visible character. */
const singleLine = (max: number) =>
  shownText({ max, error: `must be 1 to ${max} characters on one line` })
    .refine(isVisible, "must not be blank")
    .meta({ minLength: 1, maxLength: max });
const paragraph = (max: number) => shownText({ max, hasLines: true, error: "must be a text" }).nullable().default(null);

const QUANTITY_ERROR = "must be a text with a number above 0 and at most three decimals, for example 1.5";
const PERCENT_ERROR = "must be a text with a number from 0 to 100 and at most three decimals, for example 7.5";

const line = z.object(
  {
    description: singleLine(LINE_MAX),
    quantity: z
      .string(QUANTITY_ERROR)
      .refine(isQuantity, QUANTITY_ERROR)
      .meta({ pattern: QUANTITY.source, description: "At most three decimals, for example 1.5" })
      .default("1"),
    unitAmount: positiveAmount.describe(
      "Of one, in atomic USDC. If it is finer than a cent, times the quantity it must be a whole number of atomic units",
    ),
  },
  "must be an object with description, quantity and unitAmount",
);

const tax = z
  .object(
    {
      label: singleLine(TAX_LABEL_MAX).default("Tax"),
      percent: z
        .string(PERCENT_ERROR)
        .refine(isPercent, PERCENT_ERROR)
        .meta({
          pattern: PERCENT.source,
          description: "Of the sum of the lines, rounded half up to a cent, for example 7.5",
        })
        .optional(),
      amount: amount.describe("Instead of a percentage, in atomic USDC").optional(),
    },
    "must be an object with percent or amount, or null",
  )
  .refine(
    (taxInput) => (taxInput.percent === undefined) !== (taxInput.amount === undefined),
    "must have percent or amount",
  );

const toTax = ({ label, percent, amount: fixedAmount }: z.output<typeof tax>): Tax =>
  percent === undefined ? { label, amount: fixedAmount ?? toUsdc(0n) } : { label, percent };

const createBody = z
  .object(
    {
      buyer: z.object(
        {
          name: shownName(),
          email: z
            .email({ error: "must be an email address, or null" })
            .max(EMAIL_MAX, `must have at most ${EMAIL_MAX} characters`)
            .nullable()
            .default(null)
            .describe("For the seller: the buyer's page does not show it, and nothing is sent"),
          address: paragraph(ADDRESS_MAX),
        },
        "must be an object with a name",
      ),
      number: z
        .string("must be a text, or null")
        .regex(NUMBER, "must be 1 to 40 letters, digits and the characters . / _ - beginning with a letter or digit")
        .nullable()
        .default(null)
        .describe("Unique for the owner. Null: the next one of the owner's year, INV-2026-0001 and so on"),
      issueDate: day.nullable().default(null).describe("Null: today, in UTC"),
      dueDate: day.describe("A day in UTC, for example 2026-12-31"),
      isPayableAfterDue: z
        .boolean("must be true or false")
        .default(true)
        .describe("False: the link expires at the end of the due date, in UTC"),
      lines: z
        .array(line, "must be a list of lines")
        .min(1, "must have at least one line")
        .max(LINES_MAX, `must have at most ${LINES_MAX} lines`),
      tax: tax.nullable().default(null),
      note: paragraph(NOTE_MAX),
      sellerDetails: paragraph(ADDRESS_MAX).describe("The seller's address, tax number and the like"),
      currency: z.literal("USDC", "must be USDC").default("USDC"),
      network: networkText.default(DEFAULT_NETWORK),
    },
    "must be an object",
  )
  .superRefine((invoice, ctx) => {
    const sums = totalsOf(invoice.lines, invoice.tax && toTax(invoice.tax));
    if (sums.type === "payable") return;
    ctx.addIssue(
      sums.line === null
        ? { code: "custom", path: ["lines"], message: "must have a total that is above 0 and below 2^256" }
        : {
            code: "custom",
            path: ["lines", sums.line, "quantity"],
            message: "times unitAmount must be a whole number of atomic units",
          },
    );
  }, ONCE_VALID);

export const toNewInvoice = ({
  currency: _,
  tax: taxInput,
  ...invoiceFields
}: z.output<typeof createBody>): NewInvoice => ({
  ...invoiceFields,
  tax: taxInput && toTax(taxInput),
});

const success = z.literal(true);
const oneInvoice = z.object({ success, invoice: invoiceView });
const cancelled = oneInvoice.extend({ message: z.string() });
export const params = z.object({ invoiceId: id("invoice") });
const ownedParams = params.extend({ agentId });

const { INVOICE_NOT_FOUND, INVOICE_NUMBER_TAKEN, INVOICE_PAID, ...DATES } = invoiceErrors.table;
const CREATE_ERRORS = {
  INVOICE_NUMBER_TAKEN,
  ...DATES,
  WALLET_NOT_LINKED: linkErrors.table.WALLET_NOT_LINKED,
  rate_limited: edgeErrors.table.rate_limited,
};

const SUMS =
  "Each line and a tax in per cent are rounded half up to a cent (10000 atomic units). If a `unitAmount` or the tax's `amount` is finer than a cent, they are exact: `unitAmount` times `quantity` must be a whole number of atomic units, and a tax in per cent is rounded half up to one. The total is the sum of the lines and the tax, and the price of a payment link that can be paid once.";

const CANCEL =
  "No payment begins any more. One that is under way can still settle; then the invoice is paid. Cancelling again changes nothing.";

const requestExample = {
  buyer: { name: "Example Ltd", address: "1 Example Street\nBern" },
  dueDate: "2090-01-31",
  lines: [{ description: "Consulting, hours", quantity: "2.5", unitAmount: "80000000" }],
  tax: { label: "VAT", percent: "8.1" },
};

/** As lists show it. */
const listedInvoiceExample = {
  invoiceId: sample.INVOICE,
  agentId: sample.AGENT,
  number: "2026-0001",
  buyerName: "Example Ltd",
  issueDate: "2026-11-02",
  dueDate: "2026-12-02",
  dueInDays: 30,
  isPayableAfterDue: true,
  total: "216200000",
  currency: "USDC",
  network: sample.NETWORK,
  state: "open",
  canBePaid: true,
  payment: null,
  refundedAmount: "0",
  url: `${sample.ORIGIN}/invoice/${sample.INVOICE}`,
  paymentUrl: `${sample.ORIGIN}/pay/${sample.LINK}`,
  linkId: sample.LINK,
  cancelledAt: null,
  createdAt: sample.CREATED,
  id: 1,
};

const invoiceExample = {
  ...listedInvoiceExample,
  buyer: { name: "Example Ltd", email: null, address: "1 Example Street\nBern" },
  sellerName: "Research agent",
  sellerDomain: null,
  sellerDetails: null,
  lines: [{ description: "Consulting, hours", quantity: "2.5", unitAmount: "80000000", amount: "200000000" }],
  subtotal: "200000000",
  tax: { label: "VAT", percent: "8.1", amount: "16200000" },
  note: null,
};

const createdExample = { 200: { ...sample.SUCCESS, invoice: invoiceExample } };

const cancelledExample = {
  200: {
    ...sample.SUCCESS,
    invoice: { ...invoiceExample, state: "cancelled", canBePaid: false, cancelledAt: sample.UPDATED },
    message: "The invoice is cancelled",
  },
};

export const createInvoice = endpoint({
  method: "POST",
  path: "/api/invoices",
  summary: "Create an invoice for one named buyer",
  description: `${SUMS} Send the buyer \`url\`; an agent pays at \`paymentUrl\`.`,
  work: 24,
  auth: "agent",
  surface: "resource",
  body: createBody,
  bodyBytesMax: BODY_BYTES_MAX,
  response: oneInvoice,
  errors: CREATE_ERRORS,
  example: { request: requestExample, responses: createdExample },
});

export const listInvoices = endpoint({
  method: "GET",
  path: "/api/invoices",
  summary: "The agent's invoices, newest first, without their lines",
  description:
    "Send `nextCursor` as `cursor` for the next page; it is null on the last one. The lines are in `GET /api/invoices/{invoiceId}`.",
  work: 20,
  auth: "agent",
  surface: "resource",
  query: page,
  response: z.object({ success, invoices: z.array(invoiceItem), nextCursor: z.string().nullable() }),
  errors: {},
  example: { responses: { 200: { ...sample.SUCCESS, invoices: [listedInvoiceExample], ...sample.LAST_PAGE } } },
});

export const getInvoice = endpoint({
  method: "GET",
  path: "/api/invoices/{invoiceId}",
  summary: "One of the agent's invoices",
  description:
    "`state` is computed when it is read: an open invoice becomes `overdue` or, if it cannot be paid after its due date, `expired`. `payment` has the settlement and the receipt once somebody paid.",
  auth: "agent",
  surface: "resource",
  params,
  response: oneInvoice,
  errors: { INVOICE_NOT_FOUND },
  example: { responses: createdExample },
});

export const cancelInvoice = endpoint({
  method: "POST",
  path: "/api/invoices/{invoiceId}/cancel",
  summary: "Cancel an invoice that is not paid",
  description: CANCEL,
  auth: "agent",
  stores: "nothing",
  surface: "resource",
  params,
  response: cancelled,
  errors: { INVOICE_NOT_FOUND, INVOICE_PAID },
  example: { responses: cancelledExample },
});

export const createOwnedInvoice = endpoint({
  method: "POST",
  path: "/api/agents/{agentId}/invoices",
  summary: "Create an invoice from one of the owner's agents",
  description: SUMS,
  work: 20,
  auth: "owner",
  surface: "wallet",
  params: z.object({ agentId }),
  body: createBody,
  bodyBytesMax: BODY_BYTES_MAX,
  response: oneInvoice,
  errors: { agent_not_found: agentErrors.table.agent_not_found, ...CREATE_ERRORS },
  example: { request: requestExample, responses: createdExample },
});

export const cancelOwnedInvoice = endpoint({
  method: "POST",
  path: "/api/agents/{agentId}/invoices/{invoiceId}/cancel",
  summary: "Cancel an invoice of the owner that is not paid",
  description: CANCEL,
  auth: "owner",
  stores: "nothing",
  surface: "wallet",
  params: ownedParams,
  response: cancelled,
  errors: { INVOICE_NOT_FOUND, INVOICE_PAID },
  example: { responses: cancelledExample },
});

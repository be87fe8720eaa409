import { z } from "zod";
import {
  ADDRESS_MAX,
  EMAIL_MAX,
  LINE_MAX,
  LINES_MAX,
  NOTE_MAX,
  NUMBER,
  PERCENT,
  QUANTITY,
  TAX_LABEL_MAX,
} from "@/lib/invoices/limits";
import { TITLE_MAX } from "@/lib/links/orders/limits";
import { NETWORK_NAMES } from "@/lib/x402/networks";
import { amountText, idText, keyText, pageFields, pageQuery, tool } from "../tool";

const invoiceId = idText("inv_…");
const words = (max: number) => z.string().min(1).max(max);
const paragraph = (max: number) => z.string().max(max).optional();

const create = z.strictObject({
  buyer: z.strictObject({
    name: words(TITLE_MAX),
    email: z.string().max(EMAIL_MAX).optional(),
    address: paragraph(ADDRESS_MAX),
  }),
  dueDate: z.iso.date().describe("A day in UTC, for example 2026-12-31"),
  lines: z
    .array(
      z.strictObject({
        description: words(LINE_MAX),
        unitAmount: amountText,
        quantity: z.string().regex(QUANTITY).optional().describe("At most three decimals, for example 1.5. Default: 1"),
      }),
    )
    .min(1)
    .max(LINES_MAX),
  tax: z
    .strictObject({
      label: words(TAX_LABEL_MAX).optional(),
      percent: z.string().regex(PERCENT).optional().describe("Of the sum of the lines, for example 7.5"),
      amount: amountText.optional().describe("Instead of percent"),
    })
    .optional(),
  number: z.string().regex(NUMBER).optional().describe("Unique for the owner. Default: the next of the year"),
  issueDate: z.iso.date().optional().describe("Default: today"),
  isPayableAfterDue: z.boolean().optional().describe("Default: true"),
  note: paragraph(NOTE_MAX),
  sellerDetails: paragraph(ADDRESS_MAX).describe("The seller's address, tax number and the like"),
  network: z.enum(NETWORK_NAMES).optional(),
  idempotencyKey: keyText.optional(),
});

export const invoiceTools = [
  tool(
    "create_invoice",
    {
      title: "Create an invoice",
      description:
        "Create an invoice for one named buyer. It is paid once, at its paymentUrl. Nothing is sent to the buyer.",
      input: create,
    },
    async ({ api }, { idempotencyKey, ...json }) => (await api.call("createInvoice", { json, idempotencyKey })).body,
  ),
  tool(
    "list_invoices",
    {
      title: "List invoices",
      description: "This agent's invoices, newest first, without their lines.",
      input: z.strictObject(pageFields),
      readOnly: true,
    },
    async ({ api }, page) => (await api.call("listInvoices", { query: pageQuery(page) })).body,
  ),
  tool(
    "get_invoice",
    {
      title: "Get an invoice",
      description: "One invoice, its lines and its payment.",
      input: z.strictObject({ invoiceId }),
      readOnly: true,
    },
    async ({ api }, params) => (await api.call("getInvoice", { params })).body,
  ),
  tool(
    "cancel_invoice",
    {
      title: "Cancel an invoice",
      description: "Cancel an invoice that is not paid. It can no longer be paid then.",
      input: z.strictObject({ invoiceId }),
    },
    async ({ api }, params) => (await api.call("cancelInvoice", { params })).body,
  ),
];

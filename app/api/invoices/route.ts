import { createInvoice, listInvoices, toNewInvoice } from "@/lib/invoices/contract";
import * as invoices from "@/lib/invoices/service";
import { toInvoiceItem, toInvoiceView } from "@/lib/invoices/views";
import { route } from "@/lib/wiring";

export const POST = route(createInvoice, async (ctx, { body }) => {
  const view = await invoices.create(ctx, toNewInvoice(body));
  return { success: true as const, invoice: toInvoiceView(view, ctx.config.baseUrl, ctx.now()) };
});

export const GET = route(listInvoices, async (ctx, { query }) => {
  const { items, next } = await invoices.list(ctx, { before: query.cursor, limit: query.limit });
  return {
    success: true as const,
    invoices: items.map((item) => toInvoiceItem(item, ctx.config.baseUrl, ctx.now())),
    nextCursor: next === null ? null : String(next),
  };
});

import { getInvoice } from "@/lib/invoices/contract";
import * as invoices from "@/lib/invoices/service";
import { toInvoiceView } from "@/lib/invoices/views";
import { route } from "@/lib/wiring";

export const GET = route(getInvoice, async (ctx, { params: { invoiceId } }) => {
  const view = await invoices.get(ctx, invoiceId);
  return { success: true as const, invoice: toInvoiceView(view, ctx.config.baseUrl, ctx.now()) };
});

import { createOwnedInvoice, toNewInvoice } from "@/lib/invoices/contract";
import * as invoices from "@/lib/invoices/service";
import { toInvoiceView } from "@/lib/invoices/views";
import { route } from "@/lib/wiring";

export const POST = route(createOwnedInvoice, async (ctx, { params: { agentId }, body }) => {
  const view = await invoices.createOwned(ctx, agentId, toNewInvoice(body));
  return { success: true as const, invoice: toInvoiceView(view, ctx.config.baseUrl, ctx.now()) };
});

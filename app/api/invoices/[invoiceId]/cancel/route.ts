import { cancelInvoice } from "@/lib/invoices/contract";
import * as invoices from "@/lib/invoices/service";
import { toCancelled } from "@/lib/invoices/views";
import { route } from "@/lib/wiring";

export const POST = route(cancelInvoice, async (ctx, { params: { invoiceId } }) =>
  toCancelled(await invoices.cancel(ctx, invoiceId), ctx.config.baseUrl, ctx.now()),
);

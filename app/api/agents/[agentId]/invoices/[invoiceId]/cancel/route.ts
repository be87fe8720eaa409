import { cancelOwnedInvoice } from "@/lib/invoices/contract";
import * as invoices from "@/lib/invoices/service";
import { toCancelled } from "@/lib/invoices/views";
import { route } from "@/lib/wiring";

export const POST = route(cancelOwnedInvoice, async (ctx, { params }) =>
  toCancelled(await invoices.cancelOwned(ctx, params), ctx.config.baseUrl, ctx.now()),
);

import { tokens } from "@/lib/mandates/service";
import * as payments from "@/lib/payments/service";
import { selfStatus, toSelfStatusResponse } from "@/lib/payments/status-contract";
import { route } from "@/lib/wiring";

export const GET = route(selfStatus, async (ctx, { query }) => {
  const self = await payments.statusOfSelf(ctx, query.network, query.txLimit);
  return toSelfStatusResponse(self, query.network, query.txLimit, ctx.now(), ctx.config.baseUrl, await tokens(ctx));
});

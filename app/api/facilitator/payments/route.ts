import { listFacilitatorPayments, PAYMENTS_PER_PAGE, toPaymentsResponse } from "@/lib/facilitator/contract";
import * as keys from "@/lib/facilitator/keys";
import { route } from "@/lib/wiring";

export const GET = route(listFacilitatorPayments, async (ctx, { query }) => {
  const page = await keys.listPayments(ctx, { keyId: query.keyId, after: query.cursor, limit: PAYMENTS_PER_PAGE });
  return toPaymentsResponse(page, ctx.config.baseUrl);
});

import { encodeCursor } from "@/lib/core/page";
import { listPayments } from "@/lib/payments/contract";
import { toPaymentView } from "@/lib/payments/responses";
import * as payments from "@/lib/payments/service";
import { route } from "@/lib/wiring";

export const GET = route(listPayments, async (ctx, { query }) => {
  const page = await payments.listForAgent(ctx, { limit: query.limit, cursor: query.cursor });
  return {
    status: "ok" as const,
    payments: page.rows.map(toPaymentView),
    nextCursor: page.next && encodeCursor(page.next),
  };
});

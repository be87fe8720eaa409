import { linkErrors } from "@/lib/links/errors";
import { getReceivedPayment, toReceivedView } from "@/lib/links/received/contract";
import * as received from "@/lib/links/received/service";
import { refundedOf } from "@/lib/refunds/service";
import { route } from "@/lib/wiring";

export const GET = route(getReceivedPayment, async (ctx, { params }) => {
  if (!/^\d{1,15}$/.test(params.paymentId)) throw linkErrors.PAYMENT_NOT_FOUND();
  const row = await received.getReceived(ctx, Number(params.paymentId));
  const { id } = row.received;
  const refunded = await refundedOf(ctx, [id]);
  return { success: true as const, payment: toReceivedView(row, ctx.config.baseUrl, refunded.get(id)) };
});

import { getPayment } from "@/lib/payments/contract";
import { toPaymentView } from "@/lib/payments/responses";
import * as payments from "@/lib/payments/service";
import { route } from "@/lib/wiring";

export const GET = route(getPayment, async (ctx, { params }) => {
  const payment = toPaymentView(await payments.getForAgent(ctx, params.paymentRecordId));
  return { ...payment, status: "ok" as const, payment };
});

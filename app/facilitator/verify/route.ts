import { verifyPayment } from "@/lib/facilitator/contract";
import { verify } from "@/lib/facilitator/service";
import { route } from "@/lib/wiring";

export const POST = route(verifyPayment, async (ctx, { body }) => {
  const { payer, refused: refusal } = await verify(ctx, body);
  const payerField = payer === null ? {} : { payer };
  if (refusal === null) return { isValid: true, ...payerField };
  return {
    isValid: false,
    invalidReason: refusal.reason,
    ...(refusal.message && { invalidMessage: refusal.message }),
    ...payerField,
  };
});

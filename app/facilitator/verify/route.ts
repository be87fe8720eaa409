import { verifyPayment } from "@/lib/facilitator/contract";
import { verify } from "@/lib/facilitator/service";
import { route } from "@/lib/wiring";

export const POST = route(verifyPayment, async (ctx, { body }) => {
  const { payer, refused } = await verify(ctx, body);
  const by = payer === null ? {} : { payer };
  if (refused === null) return { isValid: true, ...by };
  return {
    isValid: false,
    invalidReason: refused.reason,
    ...(refused.message && { invalidMessage: refused.message }),
    ...by,
  };
});

import { signV2 } from "@/lib/payments/contract";
import { toSignedV2Response } from "@/lib/payments/responses";
import * as payments from "@/lib/payments/service";
import { route } from "@/lib/wiring";

export const POST = route(signV2, async (ctx, { body: { mandateId, request } }) => {
  const { accepted, ...signed } = await payments.signOffer(ctx, mandateId, request);
  return toSignedV2Response(signed, { ...request, accepted });
});

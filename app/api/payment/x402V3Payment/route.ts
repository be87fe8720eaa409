import { signV3 } from "@/lib/payments/contract";
import { signCredits } from "@/lib/payments/credits";
import { toSignedCreditsResponse, toSignedV1Response } from "@/lib/payments/responses";
import * as payments from "@/lib/payments/service";
import { route } from "@/lib/wiring";

export const POST = route(signV3, async (ctx, { body: { mandateId, ...asked } }) =>
  asked.means === "credits"
    ? toSignedCreditsResponse(await signCredits(ctx, mandateId, asked))
    : toSignedV1Response(await payments.sign(ctx, mandateId, asked)),
);

import { signV3 } from "@/lib/payments/contract";
import { signCredits } from "@/lib/payments/credits";
import { toSignedCreditsResponse, toSignedV1Response } from "@/lib/payments/responses";
import * as payments from "@/lib/payments/service";
import { route } from "@/lib/wiring";

export const POST = route(signV3, async (ctx, { body: { mandateId, ...terms } }) =>
  terms.means === "credits"
    ? toSignedCreditsResponse(await signCredits(ctx, mandateId, terms))
    : toSignedV1Response(await payments.sign(ctx, mandateId, terms), terms.network),
);

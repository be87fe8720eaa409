import { signV3 } from "@/lib/payments/contract";
import { signCredits } from "@/lib/payments/credits";
import { presentSignedCredits, presentSignedV1 } from "@/lib/payments/responses";
import * as payments from "@/lib/payments/service";
import { route } from "@/lib/wiring";

export const POST = route(signV3, async (ctx, { body: { mandateId, ...asked } }) =>
  asked.means === "credits"
    ? presentSignedCredits(await signCredits(ctx, mandateId, asked))
    : presentSignedV1(await payments.sign(ctx, mandateId, asked)),
);

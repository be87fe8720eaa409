import { preflight } from "@/lib/http/cors";
import * as cancellations from "@/lib/settlements/cancellations/service";
import { getCancellation, postCancellation, stillValidUntil, toCancellationReply } from "@/lib/settlements/contract";
import { route } from "@/lib/wiring";
import { cancellationTypedData } from "@/lib/x402/cancellation";

export const GET = route(getCancellation, async (ctx, { params }) => {
  const settlement = await cancellations.cancellable(ctx, params.settlementId);
  const { network, payer, nonce } = settlement;
  return {
    status: "ok" as const,
    payer,
    stillValidUntil: stillValidUntil(settlement),
    typedData: cancellationTypedData(network, payer, nonce),
  };
});

export const POST = route(postCancellation, async (ctx, { params, body }) =>
  toCancellationReply(await cancellations.cancel(ctx, params.settlementId, body.signature)),
);

export const OPTIONS = preflight;

import { signV1, toApprovalRequired } from "@/lib/approvals/contract";
import { pay } from "@/lib/approvals/pay/service";
import { reply } from "@/lib/core/endpoint";
import { toSignedV1Response } from "@/lib/payments/responses";
import { route } from "@/lib/wiring";

export const POST = route(signV1, async (ctx, { body }) => {
  const outcome = await pay(ctx, body);
  if (outcome.type === "signed") {
    // Payments in service credits are not signed here: the outcome is in USDC, on the network with this name.
    return reply(200, toSignedV1Response(outcome, body.means === "usdc" ? body.network : outcome.network));
  }
  const required = toApprovalRequired(outcome, ctx.config.baseUrl, { isLinked: ctx.actor.ownerId !== null });
  // Without a token, the response is not stored: a repeat with the same idempotency key must see the owner's decision.
  return reply(202, required, { isUndone: outcome.token === null });
});

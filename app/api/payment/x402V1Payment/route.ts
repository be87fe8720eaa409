import { signV1, toApprovalRequired } from "@/lib/approvals/contract";
import { pay } from "@/lib/approvals/pay/service";
import { reply } from "@/lib/core/endpoint";
import { toSignedV1Response } from "@/lib/payments/responses";
import { route } from "@/lib/wiring";

export const POST = route(signV1, async (ctx, { body }) => {
  const outcome = await pay(ctx, body);
  if (outcome.type === "signed") {
    // Service credits are not signed here: the outcome is in USDC, on a network of this name.
    return reply(200, toSignedV1Response(outcome, body.means === "usdc" ? body.network : outcome.network));
  }
  const required = toApprovalRequired(outcome, ctx.config.baseUrl, ctx.actor.ownerId !== null);
  // Without a token the approval is still undecided: a repetition with the same idempotency key must see the decision.
  return reply(202, required, { isUndone: outcome.token === null });
});

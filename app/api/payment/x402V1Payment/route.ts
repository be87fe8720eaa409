import { presentRequired, signV1 } from "@/lib/approvals/contract";
import { pay } from "@/lib/approvals/service";
import { presentSignedV1 } from "@/lib/payments/contract";
import { route } from "@/lib/wiring";

export const POST = route(signV1, async (ctx, { body }) => {
  const outcome = await pay(ctx, body);
  if ("authorization" in outcome) return presentSignedV1(outcome);
  return Response.json(presentRequired(outcome, ctx.config.baseUrl, ctx.actor.ownerId !== null), { status: 202 });
});

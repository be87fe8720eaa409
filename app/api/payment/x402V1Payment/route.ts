import { signV1, toApprovalRequired } from "@/lib/approvals/contract";
import { pay } from "@/lib/approvals/pay/service";
import { undone } from "@/lib/http/idempotency";
import { presentSignedV1 } from "@/lib/payments/contract";
import { route } from "@/lib/wiring";

export const POST = route(signV1, async (ctx, { body }) => {
  const outcome = await pay(ctx, body);
  if ("authorization" in outcome) return presentSignedV1(outcome);
  const required = toApprovalRequired(outcome, ctx.config.baseUrl, ctx.actor.ownerId !== null);
  const answer = Response.json(required, { status: 202 });
  // Without a token it says that nobody has decided yet: whoever asks by one key must learn when they have.
  return outcome.token === null ? undone(answer) : answer;
});

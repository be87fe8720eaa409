import { toApprovalRequired } from "@/lib/approvals/contract";
import { isApproved, payAbove } from "@/lib/approvals/pay/service";
import { reply } from "@/lib/core/endpoint";
import { toPayeeRequired } from "@/lib/payees/contract";
import * as payees from "@/lib/payees/service";
import { signV3 } from "@/lib/payments/contract";
import { signCredits } from "@/lib/payments/credits";
import { toSignedCreditsResponse, toSignedV1Response } from "@/lib/payments/responses";
import * as payments from "@/lib/payments/service";
import { route } from "@/lib/wiring";

export const POST = route(signV3, async (ctx, { body: { mandateId, ...terms } }) => {
  if (terms.means === "credits") return reply(200, toSignedCreditsResponse(await signCredits(ctx, mandateId, terms)));
  const outcome = await payments.sign(ctx, mandateId, { ...terms, isApproved: isApproved(ctx) });
  // What waits is not stored: a repeat with the same idempotency key must see the owner's decision.
  if (outcome.type === "unconfirmed") {
    const summary = await payees.summaryOf(ctx, outcome.payee);
    return reply(202, toPayeeRequired(outcome.payee, summary, ctx.config.baseUrl), { isUndone: true });
  }
  const paid = outcome.type === "above_caps" ? await payAbove(ctx, outcome) : outcome;
  if (paid.type === "unapproved")
    return reply(202, toApprovalRequired(paid, ctx.config.baseUrl, { isAbove: true }), { isUndone: true });
  return reply(200, toSignedV1Response(paid, terms.network));
});

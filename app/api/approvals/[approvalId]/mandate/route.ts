import { alwaysAllow } from "@/lib/approvals/contract";
import { prepareMandate } from "@/lib/approvals/service";
import { toMandateView } from "@/lib/mandates/responses";
import { route } from "@/lib/wiring";

export const POST = route(alwaysAllow, async (ctx, { params, body }) => ({
  status: "ok" as const,
  mandate: toMandateView(await prepareMandate(ctx, params.approvalId, body), ctx.now(), ctx.config.baseUrl),
}));

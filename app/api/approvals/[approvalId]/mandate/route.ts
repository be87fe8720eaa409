import { alwaysAllow } from "@/lib/approvals/contract";
import { prepareMandate } from "@/lib/approvals/service";
import { viewOf } from "@/lib/mandates/service";
import { route } from "@/lib/wiring";

export const POST = route(alwaysAllow, async (ctx, { params, body }) => ({
  status: "ok" as const,
  mandate: await viewOf(ctx, await prepareMandate(ctx, params.approvalId, body)),
}));

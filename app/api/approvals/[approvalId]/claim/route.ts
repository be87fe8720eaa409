import { claimApproval, toApprovalView } from "@/lib/approvals/contract";
import * as approvals from "@/lib/approvals/service";
import { route } from "@/lib/wiring";

export const POST = route(claimApproval, async (ctx, { params, body }) => ({
  status: "ok" as const,
  approval: toApprovalView(await approvals.claim(ctx, params.approvalId, body.token), ctx.config.baseUrl, ctx.now()),
}));

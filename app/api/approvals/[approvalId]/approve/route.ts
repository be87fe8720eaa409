import { approvePayment, toApprovalView } from "@/lib/approvals/contract";
import * as approvals from "@/lib/approvals/service";
import { route } from "@/lib/wiring";

export const POST = route(approvePayment, async (ctx, { params, body }) => ({
  status: "ok" as const,
  approval: toApprovalView(await approvals.approve(ctx, params.approvalId, body), ctx.config.baseUrl, ctx.now()),
}));

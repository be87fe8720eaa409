import { approve } from "@/lib/approvals/approve";
import { approvePayment, toApprovalView } from "@/lib/approvals/contract";
import { route } from "@/lib/wiring";

export const POST = route(approvePayment, async (ctx, { params, body }) => ({
  status: "ok" as const,
  approval: toApprovalView(await approve(ctx, params.approvalId, body), ctx.config.baseUrl, ctx.now()),
}));

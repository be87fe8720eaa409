import { denyPayment, presentApproval } from "@/lib/approvals/contract";
import * as approvals from "@/lib/approvals/service";
import { route } from "@/lib/wiring";

export const POST = route(denyPayment, async (ctx, { params, body }) => ({
  status: "ok" as const,
  approval: presentApproval(await approvals.deny(ctx, params.approvalId, body.token), ctx.config.baseUrl, ctx.now()),
}));

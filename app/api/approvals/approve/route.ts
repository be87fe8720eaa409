import { approveTogether } from "@/lib/approvals/approve";
import { approvePayments, toResults } from "@/lib/approvals/contract";
import { route } from "@/lib/wiring";

export const POST = route(approvePayments, async (ctx, { body: { approvalIds, ...signed } }) => ({
  status: "ok" as const,
  results: toResults(await approveTogether(ctx, approvalIds, signed), ctx.config.baseUrl, ctx.now()),
}));

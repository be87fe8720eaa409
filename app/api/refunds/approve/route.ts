import { approveRefunds, toResults } from "@/lib/refunds/contract";
import { approveTogether } from "@/lib/refunds/service";
import { route } from "@/lib/wiring";

export const POST = route(approveRefunds, async (ctx, { body: { refundIds } }) => ({
  status: "ok" as const,
  results: toResults(await approveTogether(ctx, refundIds), ctx.config.baseUrl, ctx.now()),
}));

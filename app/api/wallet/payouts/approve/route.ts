import { approveTogether } from "@/lib/payouts/owner/service";
import { approvePayouts, toResults } from "@/lib/payouts/owner/together-contract";
import { route } from "@/lib/wiring";

export const POST = route(approvePayouts, async (ctx, { body: { payoutRecordIds, ...signed } }) => ({
  status: "ok" as const,
  results: toResults(await approveTogether(ctx, payoutRecordIds, signed), ctx.config.baseUrl, ctx.now()),
}));

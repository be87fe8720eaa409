import { createPayoutBatch, toBatchItem } from "@/lib/payouts/owner/contract";
import { createBatch } from "@/lib/payouts/owner/service";
import { route } from "@/lib/wiring";

export const POST = route(createPayoutBatch, async (ctx, { body }) => {
  const results = await createBatch(ctx, body.rows, body.approve, body.signature);
  return {
    status: "ok" as const,
    results: results.map((result) => toBatchItem(result, ctx.config.baseUrl, ctx.now())),
  };
});

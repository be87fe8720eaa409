import { listEligible } from "@/lib/mandates/contract";
import * as mandates from "@/lib/mandates/service";
import { route } from "@/lib/wiring";

export const GET = route(listEligible, async (ctx, { query }) => {
  const rows = await mandates.listEligible(ctx, query);
  return {
    status: "ok" as const,
    criteria: { ...query, currency: "USDC" as const },
    uncovered: rows.length === 0 ? await mandates.explainUncovered(ctx, query) : null,
    eligibleMandates: await mandates.viewsOf(ctx, rows),
  };
});

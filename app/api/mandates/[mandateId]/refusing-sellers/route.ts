import * as mandates from "@/lib/mandates/service";
import { listRefusingSellers, toSellerView } from "@/lib/mandates/vaults/contract";
import { route } from "@/lib/wiring";

export const GET = route(listRefusingSellers, async (ctx, { params }) => ({
  status: "ok" as const,
  sellers: (await mandates.refusingSellers(ctx, params.mandateId)).map(toSellerView),
}));

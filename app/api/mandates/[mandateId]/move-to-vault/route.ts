import * as mandates from "@/lib/mandates/service";
import { moveToVault } from "@/lib/mandates/vaults/contract";
import { route } from "@/lib/wiring";

export const POST = route(moveToVault, async (ctx, { params }) => {
  const mandate = await mandates.moveToVault(ctx, params.mandateId);
  return { status: "ok" as const, mandate: await mandates.viewOf(ctx, mandate) };
});

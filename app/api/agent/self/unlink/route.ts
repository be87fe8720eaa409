import { unlinkSelf } from "@/lib/mandates/contract";
import * as unlink from "@/lib/mandates/unlink";
import { route } from "@/lib/wiring";

export const POST = route(unlinkSelf, async (ctx) => {
  await unlink.unlinkSelf(ctx);
  return { status: "ok" as const, agentStatus: "needs_wallet_authorization" as const, ownerAddress: null };
});

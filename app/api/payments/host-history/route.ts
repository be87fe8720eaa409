import { getHostHistory } from "@/lib/purchases/hosts/contract";
import { historyOf } from "@/lib/purchases/hosts/service";
import { route } from "@/lib/wiring";

export const GET = route(getHostHistory, async (ctx, { query: { network, resource } }) => {
  const { ownerId } = ctx.actor;
  const hostHistory = ownerId && (await historyOf(ctx, { ownerId, network, resource }));
  return { status: "ok" as const, network, hostHistory };
});

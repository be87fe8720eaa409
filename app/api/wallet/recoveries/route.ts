import { reply } from "@/lib/core/endpoint";
import { createRecovery, listRecoveries, toAstrayView, toRecoveryView } from "@/lib/recoveries/contract";
import { listAstray, recover } from "@/lib/recoveries/service";
import { route } from "@/lib/wiring";

export const GET = route(listRecoveries, async (ctx, { query: { network, token = null } }) => ({
  status: "ok" as const,
  ...toAstrayView(network, ctx.actor.address, await listAstray(ctx, network, token)),
}));

export const POST = route(createRecovery, async (ctx, { body }) =>
  reply(202, { status: "ok" as const, recovery: toRecoveryView(await recover(ctx, body)) }),
);

import { unsubscribe as contract } from "@/lib/notices/contract";
import { unsubscribe } from "@/lib/notices/service";
import { route } from "@/lib/wiring";

export const POST = route(contract, async (ctx, { query }) => {
  await unsubscribe(ctx, query.token);
  return { status: "ok" as const };
});

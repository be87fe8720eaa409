import { listOwned } from "@/lib/agents/service";
import type { Ctx, Owner } from "@/lib/platform/context";
import * as store from "./store";

/** Whether an agent of the owner has a payment link, also a disabled one. */
export async function hasLinks(ctx: Ctx<Owner>): Promise<boolean> {
  const owned = await listOwned(ctx);
  return store.hasAny(
    ctx.db,
    owned.map(({ agent }) => agent.id),
  );
}

import { listOwned } from "@/lib/agents/service";
import type { Ctx, Owner } from "@/lib/platform/context";
import * as store from "./store";

/** Whether one of the owner's agents has a payment link, disabled ones included. */
export async function hasLinks(ctx: Ctx<Owner>): Promise<boolean> {
  const owned = await listOwned(ctx);
  return store.hasAny(
    ctx.db,
    owned.map(({ agent }) => agent.id),
  );
}

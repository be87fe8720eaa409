import { cache } from "react";
import { pageContext } from "@/lib/wiring";

/**
 * The system and the owner, for a page of the dashboard; null without a session. Every page calls it, because Next renders
 * a page even when its layout does not show it. Read once for a rendering.
 */
export const ownerContext = cache(async () => {
  const ctx = await pageContext();
  const { actor } = ctx;
  return actor.type === "owner" ? { ...ctx, actor } : null;
});

import { cache } from "react";
import { pageContext } from "@/lib/wiring";

/**
 * The system and the signed-in owner; null without a session. Every page must check for null: Next renders a page even if its layout does
 * not display it. Cached per request.
 */
export const ownerContext = cache(async () => {
  const ctx = await pageContext();
  const { actor } = ctx;
  return actor.type === "owner" ? { ...ctx, actor } : null;
});

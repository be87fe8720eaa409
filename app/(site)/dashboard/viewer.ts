import { pageContext } from "@/lib/wiring";

/**
 * The world for a page of the dashboard and the owner who looks at it, or null. Every page asks for itself: a layout that
 * shows no page does not keep Next from rendering it.
 */
export async function ownerContext() {
  const ctx = await pageContext();
  const { actor } = ctx;
  return actor.type === "owner" ? { ...ctx, actor } : null;
}

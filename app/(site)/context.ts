import type { pageContext } from "@/lib/wiring";

/** The system and the visitor of a page. */
export type PageContext = Awaited<ReturnType<typeof pageContext>>;
/** The page context of a signed-in owner. */
export type OwnerContext = PageContext & { actor: Extract<PageContext["actor"], { type: "owner" }> };

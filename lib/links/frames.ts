import { id } from "@/lib/core/id-text";
import type { LinkId } from "@/lib/core/ids";
import type { System } from "@/lib/platform/context";
import { provedByOwnerOf } from "./redirects";
import * as store from "./store";

const linkIdText = id("link");

/** The origins whose pages may frame the checkout of a link: those that the owner of its agent has proved, and no others. */
export async function frameOrigins(system: System, linkId: LinkId): Promise<string[]> {
  const link = await store.find(system.db, linkId);
  return link ? provedByOwnerOf(system, link.agentId) : [];
}

/** The same for a header: while the database does not respond, nobody may frame it. Never throws. */
export async function frameOriginsNow(system: System, linkId: string): Promise<string[]> {
  const parsed = linkIdText.safeParse(linkId);
  if (!parsed.success) return [];
  try {
    return await frameOrigins(system, parsed.data);
  } catch (err) {
    system.log.warn({ linkId, err }, "link.frame_refused");
    return [];
  }
}

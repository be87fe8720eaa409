import { id } from "@/lib/core/id-text";
import type { LinkId } from "@/lib/core/ids";
import type { System } from "@/lib/platform/context";
import { provedByOwnerOf } from "./redirects";
import * as store from "./store";

const linkIdText = id("link");

/** The origins that may frame the checkout of a link: only those that its agent's owner has verified. */
export async function frameOrigins(system: System, linkId: LinkId): Promise<string[]> {
  const link = await store.find(system.db, linkId);
  return link ? provedByOwnerOf(system, link.agentId) : [];
}

/** For the response header: an empty list, so no framing, while the database does not respond. Never throws. */
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

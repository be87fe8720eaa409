import type { LinkId } from "@/lib/core/ids";
import type { Tx } from "@/lib/platform/db";
import { record } from "@/lib/platform/events";
import type { Uses } from "./rules";
import { type Actor, eventBy } from "./service";
import * as store from "./store";

/**
 * Disables an invoice's link in `tx` unless it is paid, and returns its uses. Locks the link, so that no new payment starts until
 * `tx` ends.
 */
export async function disableUnpaid(tx: Tx, actor: Actor, linkId: LinkId, time: Date): Promise<Uses> {
  const link = await store.lockOwn(tx, actor.agentId, linkId);
  if (!link) throw new Error(`${linkId} has an invoice and is gone`);
  const uses = (await store.usesOf(tx, [linkId]))(linkId);
  if (uses.settled > 0 || link.status === "disabled") return uses;
  const meta = { changed: ["status"], from: { status: link.status }, to: { status: "disabled" } };
  await record(tx, time, eventBy(actor, "payment_link.updated", linkId, meta));
  await store.change(tx, linkId, { status: "disabled", updatedAt: time });
  return uses;
}

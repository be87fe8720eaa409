import type { OwnerId } from "@/lib/core/ids";
import { parseJson } from "@/lib/core/json";
import type { System } from "./context";
import type { Db, Queryable } from "./db";
import { notify } from "./queue";

/** A change to something that an owner's pages show. `id`: the recorded event; null for a change without one. */
export type AnnouncedChange = { ownerId: OwnerId; id: string | null; kind: string };

/** PostgreSQL allows 8000 bytes per message. */
const PAYLOAD_BYTES_MAX = 7_000;

/**
 * Announces changes to the open pages of their owners when the transaction of `db` commits; only the newest of each owner and kind.
 * PostgreSQL commits transactions that notify one after the other, so those that move money must not call this.
 */
export async function announce(db: Queryable, changes: readonly AnnouncedChange[]): Promise<void> {
  const newest = new Map(changes.map((change) => [`${change.ownerId} ${change.kind}`, change]));
  for (const payload of payloadsOf([...newest.values()])) await notify(db, "owner_changed", payload);
}

/** The messages for `changes`; split at PAYLOAD_BYTES_MAX. */
export function payloadsOf(changes: readonly AnnouncedChange[]): string[] {
  const payloads: string[][] = [];
  let bytes = 0;
  for (const { ownerId, id, kind } of changes) {
    const text = JSON.stringify([ownerId, id, kind]);
    const size = Buffer.byteLength(text) + 1;
    if (payloads.length === 0 || bytes + size > PAYLOAD_BYTES_MAX) {
      payloads.push([]);
      bytes = 0;
    }
    payloads.at(-1)?.push(text);
    bytes += size;
  }
  return payloads.map((texts) => `[${texts.join(",")}]`);
}

/** The changes in a message of `payloadsOf`. */
export const changesIn = (payload: string): AnnouncedChange[] =>
  (parseJson(payload) as [OwnerId, string | null, string][]).map(([ownerId, id, kind]) => ({ ownerId, id, kind }));

const SOON_MS = 200;
/** Further changes are dropped: their pages show them at the next periodic refresh. */
const WAITING_MAX = 2_000;

const waiting = new WeakMap<Db, Map<string, AnnouncedChange>>();

/**
 * Announces a change without an event, outside a transaction and batched with others. Call it after the commit. Never fails: a lost
 * announcement only delays a page.
 */
export function announceSoon({ db, log }: Pick<System, "db" | "log">, ownerId: OwnerId, kind: string): void {
  const key = `${ownerId} ${kind}`;
  const pendingChanges = waiting.get(db);
  if (pendingChanges) {
    if (pendingChanges.size < WAITING_MAX) pendingChanges.set(key, { ownerId, id: null, kind });
    return;
  }
  const changes = new Map<string, AnnouncedChange>([[key, { ownerId, id: null, kind }]]);
  waiting.set(db, changes);
  setTimeout(() => {
    waiting.delete(db);
    announce(db, [...changes.values()]).catch((err) => log.warn({ err }, "announcement.send_failed"));
  }, SOON_MS).unref();
}

import { receivers } from "@/lib/agents/service";
import { setBounded } from "@/lib/core/bounded";
import type { AgentId, OwnerId } from "@/lib/core/ids";
import { addSeconds } from "@/lib/core/time";
import type { System } from "@/lib/platform/context";
import type { Db, Tx } from "@/lib/platform/db";
import { hasVerifiedDomain } from "@/lib/sellers/service";
import { listingsAllowed } from "./rules";
import * as store from "./store";

export type { Listing, ListingFilter } from "./store";

/** Writes an agent's owner's listings again, as the last step of a transaction that has changed a listed link. */
export async function refreshOf(tx: Tx, agentId: AgentId, now: Date): Promise<void> {
  const ownerId = await store.ownerOf(tx, agentId);
  if (ownerId !== null) await refresh(tx, ownerId, now);
}

async function refresh(tx: Tx, ownerId: OwnerId, now: Date): Promise<void> {
  await store.lock(tx);
  const standing = { sales: await store.salesOf(tx, ownerId), hasDomain: await hasVerifiedDomain(tx, ownerId) };
  await store.place(tx, ownerId, { limit: listingsAllowed(standing), now });
}

const LINKS_AT_ONCE = 200;
/** Where the last round ended. A process that starts begins again. */
const sweep = { after: 0 };

/**
 * Writes the listings of some owners again, in turn: their sales, domains and agents have changed since. Returns whether the
 * round ended before the last listed link.
 */
export async function refreshSome({ db, now }: System): Promise<boolean> {
  const { ownerIds, last } = await store.listOwnersAfter(db, sweep.after, LINKS_AT_ONCE);
  for (const ownerId of ownerIds) await db.transaction((tx) => refresh(tx, ownerId, now()));
  sweep.after = last ?? 0;
  return last !== null;
}

type Page = { offset: number; limit: number };
type Reading = Awaited<ReturnType<typeof store.listPage>>;

/** A page serves everybody who asks for the same one within this time. */
export const SHARED_SECONDS = 2;
const READINGS_MAX = 50;

const readings = new WeakMap<Db, Map<string, { until: Date; reading: Promise<Reading> }>>();

/** A page of the directory, up to two seconds old. */
export function readPage({ db, now }: System, filter: store.ListingFilter, page: Page): Promise<Reading> {
  const time = now();
  const recent = readings.get(db) ?? new Map<string, { until: Date; reading: Promise<Reading> }>();
  readings.set(db, recent);
  const key = JSON.stringify([filter, page]);
  const cacheEntry = recent.get(key);
  if (cacheEntry && cacheEntry.until > time) return cacheEntry.reading;
  const reading = store.listPage(db, receivers(db), filter, { ...page, now: time });
  setBounded(recent, key, { until: addSeconds(time, SHARED_SECONDS), reading }, READINGS_MAX);
  // A failure is not shared with later requests.
  reading.catch(() => recent.delete(key));
  return reading;
}

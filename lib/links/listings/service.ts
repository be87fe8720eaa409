import { receivers } from "@/lib/agents/service";
import { setBounded } from "@/lib/core/bounded";
import type { AgentId, OwnerId } from "@/lib/core/ids";
import { addSeconds } from "@/lib/core/time";
import type { System } from "@/lib/platform/context";
import type { Db, Tx } from "@/lib/platform/db";
import { hasVerifiedDomain } from "@/lib/sellers/service";
import { listingsAllowed } from "./rules";
import * as store from "./store";

export { PATHS_LISTED } from "./rules";
export type { Listing, ListingFilter } from "./store";

/** Rebuilds the listings of the agent's owner. Call this as the last step of a transaction that changes a listed link. */
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
/** Where the last round ended. In memory: a new process starts from the beginning. */
const sweep = { after: 0 };

/**
 * Rebuilds the listings of the next owners in turn, because their sales, domains and agents may have changed. Returns whether listed
 * links remain in this round.
 */
export async function refreshSome({ db, now }: System): Promise<boolean> {
  const { ownerIds, last } = await store.listOwnersAfter(db, sweep.after, LINKS_AT_ONCE);
  for (const ownerId of ownerIds) await db.transaction((tx) => refresh(tx, ownerId, now()));
  sweep.after = last ?? 0;
  return last !== null;
}

type Page = { offset: number; limit: number };
type Reading = Awaited<ReturnType<typeof store.listPage>>;

/** Identical requests within this time share one query. */
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

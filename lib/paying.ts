import { setBounded } from "@/lib/core/bounded";
import type { OwnerId } from "@/lib/core/ids";
import { hasSpent } from "@/lib/mandates/service";
import type { System } from "@/lib/platform/context";
import type { Db } from "@/lib/platform/db";
import { hasEarned } from "@/lib/settlements/service";

const AGAIN_MS = 60_000;
const OWNERS_MAX = 100_000;

/** When each owner was last found to have moved no money, in Unix milliseconds; Infinity if the owner has moved some. */
const readings = new WeakMap<Db, Map<OwnerId, number>>();

/** Whether the owner has spent or earned real USDC in settled payments. A negative result is cached for a minute. */
export async function isPaying({ db }: System, ownerId: OwnerId | null): Promise<boolean> {
  if (ownerId === null) return false;
  const readTimes = readings.get(db) ?? new Map<OwnerId, number>();
  readings.set(db, readTimes);
  const readAt = readTimes.get(ownerId);
  if (readAt !== undefined && Date.now() - readAt < AGAIN_MS) return readAt === Number.POSITIVE_INFINITY;
  const has = (await hasSpent(db, ownerId)) || (await hasEarned(db, ownerId));
  setBounded(readTimes, ownerId, has ? Number.POSITIVE_INFINITY : Date.now(), OWNERS_MAX);
  return has;
}

import { createHash } from "node:crypto";
import type { Pool } from "pg";
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";
import { setBounded } from "@/lib/core/bounded";
import { LIMIT_NAMES, type Limit, type LimitName } from "@/lib/core/limits";
import type { System } from "./context";
import { RATE_LIMITS_TABLE } from "./tables";

/** Turns that this process has reserved for a key and not yet used. */
type Reservation = { turns: number; expiresAtMs: number };
type Limiter = {
  shared: RateLimiterPostgres;
  /** Counts while the database is unavailable. */
  fallback: RateLimiterMemory;
  /** Number of turns reserved at once. */
  share: number;
  reservations: Map<string, Reservation>;
  pendingReservations: Map<string, Promise<void>>;
};

/** One reservation is at most a twentieth of the limit: large enough that a busy key seldom queries the database. */
const SHARES = 20;
const KEYS_MAX = 100_000;
/** The table allows 255 characters per key, including the limit's name. */
const KEY_CHARACTERS_MAX = 160;
/** A process that exits loses its reserved turns. This keeps the loss small even for daily limits. */
const SHARE_MAX = 500;

/** One set per database. A process has one database, except in tests. */
const limiters = new WeakMap<Pool, Map<string, Limiter>>();

/**
 * Takes `count` turns of `key` under the limit `name`, which all processes share. Returns null, or the seconds until the next
 * turn when none is left. Never exceeds the limit while the database responds; unused reservations of a process can lower
 * it by up to a twentieth. While the database is unavailable each process counts separately, so together they can exceed
 * it. Synchronous when this process has a reserved turn.
 */
export function takeTurn(system: System, name: LimitName, key: string, count = 1): null | Promise<number | null> {
  const limiter = limiterOf(system, name);
  const short = key.length <= KEY_CHARACTERS_MAX ? key : createHash("sha256").update(key).digest("hex");
  return takeReserved(limiter, short, count) ? null : waitForTurns(system, limiter, short, count);
}

/**
 * Deducts the work of a call from the allowance of `key`. A call takes at most the whole limit, so that every call remains possible.
 * Why: docs/decisions.md, 442.
 */
export const takeWork = (
  system: System,
  name: Extract<LimitName, `${string}work_per_${string}`>,
  key: string,
  work: number,
): null | Promise<number | null> => takeTurn(system, name, key, Math.min(work, system.config.limits[name].requests));

async function waitForTurns(system: System, limiter: Limiter, key: string, count: number): Promise<number | null> {
  try {
    do {
      const underway = limiter.pendingReservations.get(key);
      if (!underway) {
        // The caller that makes a reservation always gets its turns from it, however long that takes.
        const reservation = reserve(system, limiter, key, count).finally(() => limiter.pendingReservations.delete(key));
        limiter.pendingReservations.set(key, reservation);
        await reservation;
        return null;
      }
      await underway;
    } while (!takeReserved(limiter, key, count));
    return null;
  } catch (error) {
    if (error instanceof RateLimiterRes) return Math.max(1, Math.ceil(error.msBeforeNext / 1000));
    throw error;
  }
}

function takeReserved({ reservations }: Limiter, key: string, count: number): boolean {
  const reservation = reservations.get(key);
  if (!reservation || reservation.turns < count || Date.now() >= reservation.expiresAtMs) return false;
  reservation.turns -= count;
  return true;
}

/** Reserves turns and uses `count`, with what is left of the last reservation. */
async function reserve(system: System, limiter: Limiter, key: string, count: number): Promise<void> {
  const { shared, fallback, reservations } = limiter;
  const lastReservation = reservations.get(key);
  reservations.delete(key);
  const remainingTurns = lastReservation && Date.now() < lastReservation.expiresAtMs ? lastReservation.turns : 0;
  const share = Math.max(limiter.share, count - remainingTurns);
  const { msBeforeNext } = await shared.consume(key, share).catch((error: unknown) => {
    if (error instanceof RateLimiterRes) throw error;
    system.log.warn({ err: error }, "rate_limit.store_failed");
    return fallback.consume(key, share);
  });
  setBounded(
    reservations,
    key,
    { turns: remainingTurns + share - count, expiresAtMs: Date.now() + msBeforeNext },
    KEYS_MAX,
  );
}

function limiterOf({ db, config }: System, name: LimitName): Limiter {
  const pool = db.$client;
  const limitersByName =
    limiters.get(pool) ??
    new Map(LIMIT_NAMES.map((limitName) => [limitName, open(pool, limitName, config.limits[limitName])]));
  limiters.set(pool, limitersByName);
  const limiter = limitersByName.get(name);
  if (!limiter) throw new Error(`no limit is named ${name}`);
  return limiter;
}

function open(pool: Pool, name: LimitName, { requests, seconds }: Limit): Limiter {
  const rule = { keyPrefix: name, points: requests, duration: seconds };
  const shared = new RateLimiterPostgres({
    ...rule,
    storeClient: pool,
    storeType: "pool",
    tableName: RATE_LIMITS_TABLE,
    tableCreated: true,
    // The library would read the whole table, in every process. The job `retention` deletes expired rows.
    clearExpiredByTimeout: false,
    // A key over its limit costs no query until its window ends.
    inMemoryBlockOnConsumed: requests + 1,
  });
  // Divides the limit evenly, so that all of it can be used.
  let share = Math.max(1, Math.min(SHARE_MAX, Math.floor(requests / SHARES)));
  while (requests % share !== 0) share -= 1;
  return {
    shared,
    fallback: new RateLimiterMemory(rule),
    share,
    reservations: new Map(),
    pendingReservations: new Map(),
  };
}

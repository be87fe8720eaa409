import { setTimeout as sleep } from "node:timers/promises";
import { type Db, isDatabaseDown, openDatabase } from "./db";
import type { Log } from "./log";
import { metrics } from "./metrics";

/**
 * Runs a query whose result may be some seconds old: lists and figures for people. Never a balance, a budget, or anything that a
 * decision depends on.
 */
export type ReadOld = <T>(query: (db: Db) => Promise<T>) => Promise<T>;
export type Replica = { readOld: ReadOld; close: () => Promise<void> };

/** Above this, lists come from the primary. */
const LAG_SECONDS_MAX = 10;
const CHECK_MS = 2_000;
const CHECK_MS_MAX = 2_000;

/** The lag in seconds. The service writes its leases every few seconds, so there is always a recent transaction to replay. */
const LAG = `select case when pg_is_in_recovery()
  then extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp())::float8 else 0 end as lag`;

/** A standby cancels a query that needs rows which the primary has removed. */
const CONFLICT = "40001";

/** Reads from `primary` without a replica, and while the replica is down or too far behind. */
export function openReplica(
  primary: Db,
  { replicaUrl, databasePool, isTraced }: { replicaUrl: string | null; databasePool: number; isTraced: boolean },
  log: Log,
): Replica {
  if (replicaUrl === null) return { readOld: (query) => query(primary), close: async () => {} };
  const { db, close } = openDatabase(replicaUrl, databasePool, { isTraced });
  // False until the first check.
  let isUsable = false;

  const judge = (lag: number | null, err?: unknown) => {
    const was = isUsable;
    isUsable = lag !== null && lag <= LAG_SECONDS_MAX;
    metrics().replicaLag.set(lag ?? -1);
    if (was && !isUsable) log.warn({ lag, ...(err !== undefined && { err }) }, "replica.lagging");
    if (!was && isUsable) log.info({ lag }, "replica.caught_up");
  };
  const check = async () => {
    try {
      const timeout = sleep(CHECK_MS_MAX, undefined, { ref: false }).then(() => Promise.reject(new Error("no answer")));
      const { rows } = await Promise.race([db.$client.query<{ lag: number | null }>(LAG), timeout]);
      judge(rows[0]?.lag ?? null);
    } catch (err) {
      judge(null, err);
    }
  };
  void check();
  const timer = setInterval(check, CHECK_MS).unref();

  return {
    readOld: async (query) => {
      if (!isUsable) return query(primary);
      try {
        return await query(db);
      } catch (error) {
        if (!isReplicaFault(error)) throw error;
        judge(null, error);
        return query(primary);
      }
    },
    close: async () => {
      clearInterval(timer);
      await close();
    },
  };
}

function isReplicaFault(error: unknown): boolean {
  if (isDatabaseDown(error)) return true;
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if ("code" in cause && cause.code === CONFLICT) return true;
  return false;
}

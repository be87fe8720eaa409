import type { SettlementId } from "@/lib/core/ids";
import { addSeconds } from "@/lib/core/time";
import { ChainUnavailable } from "@/lib/platform/chain";
import { isDatabaseDown } from "@/lib/platform/db";
import { assertLease, LeaseLost } from "@/lib/platform/lease";
import { decline } from "../observer/endings";
import * as queue from "./queue-store";
import * as store from "./store";
import type { RelayerJob } from "./transactions";

/** After so many errors or vain transactions a settlement is given up. */
export const ATTEMPTS_MAX = 5;
const RETRY_SECONDS = 1;
const RETRY_SECONDS_MAX = 60;
const ERROR_LENGTH_MAX = 500;

/**
 * Runs one step for one settlement. What it throws is that settlement's failure and nobody else's: it is counted, put off,
 * and given up in the end. Answers null then. A lost lease or database is thrown on.
 */
export async function guarded<T>(
  job: RelayerJob,
  item: { id: SettlementId; attempts: number },
  step: () => T | Promise<T>,
): Promise<T | null> {
  try {
    return await step();
  } catch (err) {
    await blame(job, [item], err);
    return null;
  }
}

/** Counts an error on settlements, puts them off, and gives those up that have had too many. Throws a lost lease or database on. */
export async function blame(
  job: RelayerJob,
  items: readonly { id: SettlementId; attempts: number }[],
  err: unknown,
): Promise<void> {
  if (LeaseLost.is(err) || isDatabaseDown(err)) throw err;
  const { system } = job;
  const ids = items.map(({ id }) => id);
  system.log.warn({ settlementIds: ids, err }, "relayer.postponed");
  // A node that does not answer says nothing about what it was asked.
  if (ChainUnavailable.is(err)) return putOff(job, ...ids);
  const attempts = Math.max(...items.map((item) => item.attempts)) + 1;
  const error = (err instanceof Error ? err.message : String(err)).slice(0, ERROR_LENGTH_MAX);
  const retryAt = addSeconds(system.now(), Math.min(RETRY_SECONDS * 2 ** (attempts - 1), RETRY_SECONDS_MAX));
  await system.db.transaction(async (tx) => {
    await assertLease(tx, job.lease);
    // Of those that are on their way the chain decides.
    const waiting = await store.countFault(tx, ids, error, retryAt);
    const spent = waiting.filter((row) => row.attempts >= ATTEMPTS_MAX).map((row) => row.id);
    if (spent.length > 0) await decline(tx, spent, "UNSENDABLE", system.now());
  });
}

/** Looks at settlements again in a moment, behind what has come meanwhile. */
export const putOff = (job: RelayerJob, ...ids: SettlementId[]): Promise<void> =>
  queue.postpone(job.system.db, ids, addSeconds(job.system.now(), RETRY_SECONDS));

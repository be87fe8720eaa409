import type { SettlementId } from "@/lib/core/ids";
import { addSeconds } from "@/lib/core/time";
import { ChainUnavailable } from "@/lib/platform/chain";
import { isDatabaseDown } from "@/lib/platform/db";
import { assertLease, LeaseLost } from "@/lib/platform/lease";
import { decline } from "../observer/endings";
import type { RelayerJob } from "./job";
import * as queue from "./queue-store";
import * as store from "./store";

/** A settlement is declined after this many errors or transactions that did not move it. */
export const ATTEMPTS_MAX = 5;
const RETRY_SECONDS = 1;
const RETRY_SECONDS_MAX = 60;
const ERROR_LENGTH_MAX = 500;

/**
 * Runs one step for one settlement. An error affects only that settlement: it is counted and postponed, and the settlement
 * is declined after ATTEMPTS_MAX. Returns null on error. Rethrows a lost lease or database connection.
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

/** Counts an error on settlements, postpones them, and declines those with ATTEMPTS_MAX errors. Rethrows a lost lease or database. */
export async function blame(
  job: RelayerJob,
  items: readonly { id: SettlementId; attempts: number }[],
  err: unknown,
): Promise<void> {
  if (err instanceof LeaseLost || isDatabaseDown(err)) throw err;
  const { system } = job;
  const ids = items.map(({ id }) => id);
  system.log.warn({ settlementIds: ids, err }, "settlement.delayed");
  // An unreachable node says nothing about the settlement, so the attempt does not count.
  if (err instanceof ChainUnavailable) return putOff(job, ...ids);
  const attempts = Math.max(...items.map((item) => item.attempts)) + 1;
  const error = (err instanceof Error ? err.message : String(err)).slice(0, ERROR_LENGTH_MAX);
  const retryAt = addSeconds(system.now(), Math.min(RETRY_SECONDS * 2 ** (attempts - 1), RETRY_SECONDS_MAX));
  await system.db.transaction(async (tx) => {
    await assertLease(tx, job.lease);
    // Counts only settlements that are not in a transaction yet: the chain decides the others.
    const waiting = await store.countFault(tx, ids, error, retryAt);
    const spent = waiting.filter((row) => row.attempts >= ATTEMPTS_MAX).map((row) => row.id);
    if (spent.length > 0) await decline(tx, spent, "UNSENDABLE", system.now());
  });
}

/** Retries settlements after RETRY_SECONDS, behind those that arrived in the meantime. */
export const putOff = (job: RelayerJob, ...ids: SettlementId[]): Promise<void> =>
  queue.postpone(job.system.db, ids, addSeconds(job.system.now(), RETRY_SECONDS));

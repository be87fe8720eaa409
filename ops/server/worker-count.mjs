import { availableParallelism } from "node:os";

const COUNT_MAX = 64;

/**
 * How many processes answer requests, or null for a single one without a parent. A devnet shares its machine with a database and
 * two chains, and tests reach into its only process.
 *
 * @param {Record<string, string | undefined>} env
 * @returns {number | null}
 */
export function workerCount(env) {
  const wanted = env.WEB_CONCURRENCY;
  if (!wanted) return env.MODE === "production" ? Math.min(availableParallelism(), COUNT_MAX) : null;
  if (!/^[1-9]\d?$/.test(wanted) || Number(wanted) > COUNT_MAX) {
    throw new Error(`WEB_CONCURRENCY: must be a number from 1 to ${COUNT_MAX}`);
  }
  return Number(wanted);
}

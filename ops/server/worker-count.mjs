import { availableParallelism } from "node:os";

const COUNT_MAX = 64;

/**
 * The number of worker processes, or null for a single process without workers. A devnet uses one: it shares its machine with a
 * database and two chains, and tests need to reach the process.
 *
 * @param {Record<string, string | undefined>} env
 * @returns {number | null}
 */
export function workerCount(env) {
  const setting = env.WEB_CONCURRENCY;
  if (!setting) return env.MODE === "production" ? Math.min(availableParallelism(), COUNT_MAX) : null;
  if (!/^[1-9]\d?$/.test(setting) || Number(setting) > COUNT_MAX) {
    throw new Error(`WEB_CONCURRENCY: must be a number from 1 to ${COUNT_MAX}`);
  }
  return Number(setting);
}

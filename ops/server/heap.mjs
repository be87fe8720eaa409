import { setFlagsFromString } from "node:v8";

const GROWTH_PERCENT = 40;

/**
 * By how much the heap may grow until all of it is collected, in percent of what was left at the last time; null leaves it to V8.
 * V8 lets it grow up to fourfold. What waits for a block outlives the cheap collections, so at a steady load the heap then is
 * three quarters garbage.
 *
 * @param {Record<string, string | undefined>} env
 * @returns {number | null}
 */
export function heapGrowth({ HEAP_GROWTH_PERCENT: wanted }) {
  if (!wanted) return GROWTH_PERCENT;
  if (wanted === "v8") return null;
  if (!/^[1-9]\d{0,2}$/.test(wanted)) throw new Error("HEAP_GROWTH_PERCENT: must be a number from 1 to 999, or v8");
  return Number(wanted);
}

/** @param {Record<string, string | undefined>} env */
export function limitHeapGrowth(env) {
  const percent = heapGrowth(env);
  // Read at each collection, so it counts also after the start.
  if (percent !== null) setFlagsFromString(`--heap-growing-percent=${percent}`);
}

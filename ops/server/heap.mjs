import { setFlagsFromString } from "node:v8";

const GROWTH_PERCENT = 40;

/**
 * How far the heap may grow before a full collection, in percent of what survived the last one; null leaves it to V8, which allows
 * fourfold growth. Objects that wait for a block survive minor collections, so three quarters of the heap would be garbage at a
 * steady load.
 *
 * @param {Record<string, string | undefined>} env
 * @returns {number | null}
 */
export function heapGrowth({ HEAP_GROWTH_PERCENT: setting }) {
  if (!setting) return GROWTH_PERCENT;
  if (setting === "v8") return null;
  if (!/^[1-9]\d{0,2}$/.test(setting)) throw new Error("HEAP_GROWTH_PERCENT: must be a number from 1 to 999, or v8");
  return Number(setting);
}

/** @param {Record<string, string | undefined>} env */
export function limitHeapGrowth(env) {
  const percent = heapGrowth(env);
  // V8 reads the flag at each collection, so it can be set after startup.
  if (percent !== null) setFlagsFromString(`--heap-growing-percent=${percent}`);
}

/**
 * What instrumentation.ts hands to this server: the service runs in the bundle, and this server outside of it.
 *
 * `stop` stops the service. It waits for `answered`, up to a limit, and resolves when the database is closed. `observe` gets each
 * response and `measure` returns the metrics of this process; both exist only when somebody reads them.
 *
 * @typedef {object} Front
 * @property {(signal: string, answered: Promise<void>) => Promise<void>} [stop]
 * @property {(measured: import("./measure.mjs").Measured) => void} [observe]
 * @property {() => Promise<import("./metrics.mjs").Snapshot>} [measure]
 */

/** @returns {Front} */
export function front() {
  const shared = /** @type {typeof globalThis & { tesseraFront?: Front }} */ (globalThis);
  shared.tesseraFront ??= {};
  return shared.tesseraFront;
}

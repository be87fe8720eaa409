/**
 * What instrumentation.ts hands to this server: the service runs in the bundle, and this server outside of it.
 *
 * `stop` stops the service. It waits for `answered`, up to a limit, and resolves when the database is closed. `observe` gets each
 * response, `measure` returns the metrics of this process, and `trace` runs a handler inside a span; they exist only when somebody
 * reads them.
 *
 * @typedef {object} Front
 * @property {(signal: string, answered: Promise<void>) => Promise<void>} [stop]
 * @property {() => void} [endStreams] Ends responses that never end by themselves; no other one begins.
 * @property {(measured: import("./measure.mjs").Measured) => void} [observe]
 * @property {() => Promise<import("./metrics.mjs").Snapshot>} [measure]
 * @property {(req: import("node:http").IncomingMessage, res: import("node:http").ServerResponse, route: string, run: () => Promise<boolean>) => Promise<boolean>} [trace]
 */

/** @returns {Front} */
export function front() {
  const shared = /** @type {typeof globalThis & { tesseraFront?: Front }} */ (globalThis);
  shared.tesseraFront ??= {};
  return shared.tesseraFront;
}

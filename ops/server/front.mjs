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
 * @property {() => Promise<object>} [readReadiness] The whole state of the service, for operators.
 * @property {(req: import("node:http").IncomingMessage) => void} [recordCaller] Adds what the routes read of a request. Throws when
 *   its headers cannot be read.
 * @property {(req: import("node:http").IncomingMessage) => boolean} [isPageRequested] Whether a client wants the page of a URL that is
 *   also a resource. Only after `recordCaller`.
 * @property {(req: import("node:http").IncomingMessage) => null | Promise<number | null>} [takePageTurn] Resolves to the seconds until
 *   the next page, or null. Only after `recordCaller`.
 * @property {(req: import("node:http").IncomingMessage, res: import("node:http").ServerResponse, route: string, run: () => Promise<boolean>) => Promise<boolean>} [trace]
 */

/** @returns {Front} */
export function front() {
  const shared = /** @type {typeof globalThis & { tesseraFront?: Front }} */ (globalThis);
  shared.tesseraFront ??= {};
  return shared.tesseraFront;
}

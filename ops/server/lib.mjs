// The compiled lib/ and route handlers (ops/compile-lib.ts), which the server shares with the pages.
import { createRequire } from "node:module";
import { join } from "node:path";

// Resolves from the served directory, which may differ from this file's.
const require = createRequire(join(process.cwd(), "/"));

/** Routes by path, with parameter names in braces. @returns {import("../compile-lib.ts").RouteTable} */
export const readRoutes = () => require("@tessera/lib/routes.json");

/** @typedef {import("../../lib/start.ts").Service} Service */

/** @returns {Promise<Service>} */
export const startService = () => require("@tessera/lib").load("lib/start").startService();

/** @typedef {Record<string, import("./handlers.mjs").Handler>} Handlers */

/** Each call of `load` creates an object with all exports. @type {Map<string, Handlers>} */
const loaded = new Map();

/**
 * The handlers of a route by method.
 *
 * @param {string} name
 * @returns {Handlers}
 */
export function loadHandlers(name) {
  const handlers = loaded.get(name) ?? require("@tessera/lib").load(name);
  loaded.set(name, handlers);
  return handlers;
}

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

/**
 * The handlers of a route by method.
 *
 * @param {string} name
 * @returns {Record<string, import("./handlers.mjs").Handler>}
 */
export const loadHandlers = (name) => require("@tessera/lib").load(name);

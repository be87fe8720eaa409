// Finds the route for a path. For an unsupported method, Next would return an empty 405 without Allow.
import { readRoutes } from "./lib.mjs";

/**
 * `module` is null if only Next handles the path. `allowed`: the methods for the Allow header.
 *
 * @typedef {{ path: string, names: readonly string[], allowed: readonly string[], module: string | null }} Route
 *
 * Routes as a tree of segments. `literal` takes precedence over `parameter`, and both over `rest`.
 * @typedef {{ literal: Map<string, Node>, parameter: Node | null, route: Route | null, rest: Route | null }} Node
 * @typedef {{ route: Route, values: readonly string[] }} Match
 */

/** @returns {Node} */
const emptyNode = () => ({ literal: new Map(), parameter: null, route: null, rest: null });

/** @param {import("../compile-lib.ts").RouteTable} table */
export function createRouter(table) {
  const root = emptyNode();
  for (const [path, { methods, module }] of Object.entries(table)) {
    const allowed = [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"];
    add(root, { path, names: [], allowed, module });
  }
  /** Each request asks several times. @type {{ path: string, match: Match | null } | null} */
  let last = null;
  return {
    /**
     * The route at `path` with its parameter values, or null.
     *
     * @param {string} path
     */
    match: (path) => {
      if (last?.path !== path)
        last = { path, match: find(root, path.split("/").filter(Boolean).map(decodeSegment), []) };
      return last.match;
    },
    modules: Object.values(table).flatMap(({ module }) => module ?? []),
  };
}

/** @type {ReturnType<typeof createRouter> | null} */
let router = null;

/** The routes of the build. */
export function openRouter() {
  router ??= createRouter(readRoutes());
  return router;
}

/** @param {string} path */
export const routeAt = (path) => openRouter().match(path)?.route ?? null;

/**
 * The methods of the route at `path`, for the Allow header; null for pages and unknown paths.
 *
 * @param {string} path
 * @returns {readonly string[] | null}
 */
export const methodsAt = (path) => routeAt(path)?.allowed ?? null;

/** @param {Node} root @param {Route} route */
function add(root, route) {
  let node = root;
  /** @type {string[]} */
  const names = [];
  for (const segment of route.path.split("/").filter(Boolean)) {
    if (segment.startsWith("{...")) {
      node.rest = { ...route, names };
      return;
    }
    if (segment.startsWith("{")) {
      names.push(segment.slice(1, -1));
      node.parameter ??= emptyNode();
      node = node.parameter;
    } else {
      const next = node.literal.get(segment) ?? emptyNode();
      node.literal.set(segment, next);
      node = next;
    }
  }
  node.route = { ...route, names };
}

/**
 * @param {Node} node
 * @param {readonly string[]} segments remaining segments of the path
 * @param {readonly string[]} values parameter values so far
 * @returns {Match | null}
 */
function find(node, [segment, ...tail], values) {
  const all = node.rest && { route: node.rest, values };
  if (segment === undefined) return node.route ? { route: node.route, values } : all;
  const literal = node.literal.get(segment);
  return (
    (literal && find(literal, tail, values)) ||
    (node.parameter && find(node.parameter, tail, [...values, segment])) ||
    all
  );
}

/** @param {string} segment */
function decodeSegment(segment) {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

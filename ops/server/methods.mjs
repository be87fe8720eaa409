// The methods of each route. Next responds to any other method with an empty 405, without Allow.
import { readFileSync } from "node:fs";

/**
 * The route of a path segment by segment: `literal` takes precedence over `parameter`, and both over `rest`.
 *
 * @typedef {{ path: string, methods: readonly string[] }} Route
 * @typedef {{ literal: Map<string, Node>, parameter: Node | null, route: Route | null, rest: Route | null }} Node
 */

/** @returns {Node} */
const emptyNode = () => ({ literal: new Map(), parameter: null, route: null, rest: null });

/** Written by `npx tsx dev/docs/methods.ts`. @type {Record<string, string[]>} */
const table = JSON.parse(readFileSync(new URL("methods.json", import.meta.url), "utf8"));

const root = emptyNode();
for (const [path, methods] of Object.entries(table)) add({ path, methods });

/** @param {Route} route */
function add(route) {
  let node = root;
  for (const segment of route.path.split("/").filter(Boolean)) {
    if (segment.startsWith("{...")) {
      node.rest = route;
      return;
    }
    if (segment.startsWith("{")) {
      node.parameter ??= emptyNode();
      node = node.parameter;
    } else {
      const next = node.literal.get(segment) ?? emptyNode();
      node.literal.set(segment, next);
      node = next;
    }
  }
  node.route = route;
}

/**
 * The methods of the route that responds at `path`, for the Allow header; null for a page and for an unknown path.
 *
 * @param {string} path
 * @returns {readonly string[] | null}
 */
export function methodsAt(path) {
  const methods = routeAt(path)?.methods;
  if (!methods) return null;
  return [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"];
}

/**
 * The route that responds at `path`, or null.
 *
 * @param {string} path
 */
export const routeAt = (path) => find(root, path.split("/").filter(Boolean).map(decodeSegment), 0);

/**
 * @param {Node} node
 * @param {readonly string[]} segments
 * @param {number} at
 * @returns {Route | null}
 */
function find(node, segments, at) {
  const segment = segments[at];
  if (segment === undefined) return node.route ?? node.rest;
  const literal = node.literal.get(segment);
  return (
    (literal && find(literal, segments, at + 1)) ||
    (node.parameter && find(node.parameter, segments, at + 1)) ||
    node.rest
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

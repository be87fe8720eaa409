// SDKs of sellers that take only the facilitator's URL have their API key in it: /facilitator/k/<key>/verify.
import { splitTarget } from "./target.mjs";

const FACILITATOR = "/facilitator/";
const KEYED = /^\/facilitator\/+k(?:\/|$)/;
const TAKES_KEY = /^\/facilitator\/k\/([^/]+)\/(verify|settle)$/;
const SUPPORTED = "supported";

/**
 * Moves the key of a facilitator's URL into the Authorization header, before anything reads or logs the path; elsewhere below
 * `/facilitator/k` it is removed. Also merges doubled slashes: SDKs append `/verify` to a URL that ends with one.
 *
 * @param {Pick<import("node:http").IncomingMessage, "url" | "headers">} req
 */
export function moveSellerKey(req) {
  const { path, query } = splitTarget(req.url ?? "");
  if (!path.startsWith(FACILITATOR)) return;
  const plainPath = path.replace(/\/{2,}/g, "/");
  const [, key, step] = TAKES_KEY.exec(plainPath) ?? [];
  if (key !== undefined) req.headers.authorization = `Bearer ${key}`;
  req.url = `${FACILITATOR}${step ?? restOf(plainPath)}${query && `?${query}`}`;
}

/** @param {string} path */
function restOf(path) {
  if (!KEYED.test(path)) return path.slice(FACILITATOR.length);
  return path.endsWith(`/${SUPPORTED}`) && path.split("/").length === 5 ? SUPPORTED : "k";
}

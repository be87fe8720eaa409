import { parseUrl } from "../../../x402/src/url.ts";
import type { X402Rule } from "./rules.ts";

/** The URL of a resource and its faults. `url` is null when it cannot be parsed. */
export type Resource = { url: URL | null; faults: X402Rule[] };

/** A longer resource is invalid. */
export const LENGTH_MAX = 2048;

export function readResource(text: unknown): Resource {
  if (typeof text !== "string" || text.length > LENGTH_MAX || hasForbidden(text)) return invalid("urlInvalid");
  if (/^\/(?!\/)/.test(text)) return invalid("urlRelative");
  const url = /^https?:\/\/[^/?#]/i.test(text) ? parseUrl(text) : null;
  if (!url) return invalid("urlInvalid");
  const faults: X402Rule[] = [];
  if (url.username !== "" || url.password !== "") faults.push("urlCredentials");
  if (url.protocol !== "https:") faults.push("urlPlain");
  if (isPrivate(hostOf(url))) faults.push("urlPrivate");
  if (/(?:^|\.)xn--/.test(url.hostname)) faults.push("urlForeignLetters");
  if (ENCODED_SEPARATOR.test(pathOf(text))) faults.push("urlEncodedPath");
  return { url, faults };
}

/**
 * Whether `url` equals `prefix` or is below it: same origin, whole path segments, and every query parameter of
 * `prefix`.
 */
export function isUnder(url: URL, prefix: URL): boolean {
  const isSameOrigin = url.protocol === prefix.protocol && hostOf(url) === hostOf(prefix) && url.port === prefix.port;
  if (!isSameOrigin || url.username !== "" || url.password !== "") return false;
  if (prefix.search !== "") return url.pathname === prefix.pathname && startsAt(url.search, prefix.search, "&");
  // A server that decodes the path before it splits it would find another path.
  if (url.pathname !== prefix.pathname && ENCODED_SEPARATOR.test(url.pathname)) return false;
  const path = prefix.pathname.endsWith("/") ? prefix.pathname.slice(0, -1) : prefix.pathname;
  return startsAt(url.pathname, path, "/");
}

const ENCODED_SEPARATOR = /%(?:2e|2f|5c|00|25)/i;

export const hostOf = (url: URL): string => url.hostname.replace(/\.$/, "");

const invalid = (fault: X402Rule): Resource => ({ url: null, faults: [fault] });

const startsAt = (text: string, prefix: string, separator: string): boolean =>
  text === prefix || text.startsWith(prefix.endsWith(separator) ? prefix : `${prefix}${separator}`);

/** White space, control characters and backslashes, which URL parsers treat differently. */
function hasForbidden(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code <= 0x20 || code === 0x5c || code === 0x7f || code === 0xa0) return true;
  }
  return text === "";
}

/** The path as written, before a parser resolves dots. */
function pathOf(text: string): string {
  const start = text.indexOf("/", text.indexOf("//") + 2);
  return start === -1 ? "" : (text.slice(start).split(/[?#]/, 1)[0] ?? "");
}

function isPrivate(host: string): boolean {
  if (host.startsWith("[") || /^\d{1,3}(?:\.\d{1,3}){3}$/.test(host)) return true;
  return !host.includes(".") || /\.(?:localhost|local|internal|lan|home|test|onion)$/.test(host);
}

import { parseUrl } from "@tessera/x402/url";

/**
 * Normalises a host of a mandate's allow-list: name with optional port, after IDNA, lower case, without a trailing dot
 * (WHATWG URL). Returns null for a scheme, path, userinfo, wildcard or white space.
 */
export function normalizeHost(text: string): string | null {
  if (!/^[^\s/\\@?#*%]+$/u.test(text) || text.length > 255) return null;
  const url = parseUrl(`http://${text}/`);
  const name = url?.pathname === "/" ? nameOf(url) : null;
  if (!url || name === null) return null;
  // The URL parser drops http's default port. Keep it: an entry without a port matches every port.
  const port = url.port || (/:0*80$/.test(text) ? "80" : "");
  return port ? `${name}:${port}` : name;
}

/** Without the dot that ends a full name; null if a part of it is empty: lists would not know it as the name that it looks like. */
function nameOf({ hostname }: URL): string | null {
  const name = hostname.replace(/\.$/, "");
  return name.split(".").every(Boolean) ? name : null;
}

/** The entry of a mandate's list that covers payouts, which have no host. */
export const PAYOUT_HOST = "payout";

/** The host of an absolute http(s) URL without credentials, with the port unless it is the scheme's default; or null. */
export function hostOfResource(resource: string): string | null {
  const url = parseUrl(resource);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) return null;
  const name = nameOf(url);
  return url.port && name !== null ? `${name}:${url.port}` : name;
}

/**
 * A URL for people to read, as browsers send it: the host after IDNA, and escapes in place of other characters that are not ASCII, so
 * that none looks like another or turns the text around.
 */
export const readableUrl = (url: string): string => parseUrl(url)?.href ?? url;

/** The scheme, host and port of a URL that `hostOfResource` accepts; otherwise null. */
export function originOfResource(resource: string): string | null {
  const host = hostOfResource(resource);
  return host === null ? null : `${new URL(resource).protocol}//${host}`;
}

/** A query and a fragment may contain keys. */
export const withoutQuery = (url: string): string => url.replace(/[?#].*$/s, "");

/** Whether an allow-list's `entry` covers `host`. An entry without a port matches every port. */
export function hostMatches(entry: string, host: string, defaultPort: string): boolean {
  if (entry === host) return true;
  const [name, port] = splitHost(host);
  const [entryName, entryPort] = splitHost(entry);
  return entryName === name && (entryPort === null || entryPort === (port ?? defaultPort));
}

/** All allow-list entries that `hostMatches` accepts for `host`. */
export function entriesFor(host: string, defaultPort: string): string[] {
  const [name, port] = splitHost(host);
  return [...new Set([host, name, `${name}:${port ?? defaultPort}`])];
}

function splitHost(host: string): [name: string, port: string | null] {
  const match = /^(.*?)(?::(\d+))?$/.exec(host);
  return [match?.[1] ?? host, match?.[2] ?? null];
}

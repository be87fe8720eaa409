import { parseUrl } from "@tessera/x402/url";

const HOME = "/dashboard";

/** Our paths contain no dots, escapes or empty segments, which two parsers could read differently. */
const PAGE = /^\/(?!api(?:\/|$))(?:[\w-]+(?:\/[\w-]+)*)?$/;

/**
 * The page to open after signing in: `next` if it is on this site, otherwise the dashboard. Checks the URL as a browser parses it, because
 * browsers read "/x/..//elsewhere" as "//elsewhere".
 */
export function destination(next: string | string[] | undefined, baseUrl: string): string {
  const url = typeof next === "string" && next.startsWith("/") ? parseUrl(next, baseUrl) : null;
  if (!url) return HOME;
  const { origin, pathname, search, hash } = url;
  if (origin !== new URL(baseUrl).origin || !PAGE.test(pathname)) return HOME;
  return `${pathname}${search}${hash}`;
}

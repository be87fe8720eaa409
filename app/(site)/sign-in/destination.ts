const HOME = "/dashboard";

/** Our paths contain no dots, escapes or empty segments, which two parsers could read differently. */
const PAGE = /^\/(?!api(?:\/|$))(?:[\w-]+(?:\/[\w-]+)*)?$/;

/**
 * The page to open after signing in: `next` if it is on this site, otherwise the dashboard. Checks the URL as a browser parses it, because
 * browsers read "/x/..//elsewhere" as "//elsewhere".
 */
export function destination(next: string | string[] | undefined, baseUrl: string): string {
  if (typeof next !== "string" || !next.startsWith("/") || !URL.canParse(next, baseUrl)) return HOME;
  const { origin, pathname, search, hash } = new URL(next, baseUrl);
  if (origin !== new URL(baseUrl).origin || !PAGE.test(pathname)) return HOME;
  return `${pathname}${search}${hash}`;
}

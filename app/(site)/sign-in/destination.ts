const HOME = "/dashboard";

/** What the paths of our pages are made of: no dots, no escapes, no empty segments, which two programs could read differently. */
const PAGE = /^\/(?!api(?:\/|$))(?:[\w-]+(?:\/[\w-]+)*)?$/;

/**
 * Where a sign-in leads: the page asked for when it is one of our own, else the dashboard. What is judged is what a browser
 * makes of the text, since it takes "/x/..//elsewhere" for "//elsewhere".
 */
export function destination(asked: string | string[] | undefined, baseUrl: string): string {
  if (typeof asked !== "string" || !asked.startsWith("/") || !URL.canParse(asked, baseUrl)) return HOME;
  const { origin, pathname, search, hash } = new URL(asked, baseUrl);
  if (origin !== new URL(baseUrl).origin || !PAGE.test(pathname)) return HOME;
  return `${pathname}${search}${hash}`;
}

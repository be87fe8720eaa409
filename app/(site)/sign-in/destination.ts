const HOME = "/dashboard";

/** Where a sign-in leads: the path asked for when it is one of our own, else the dashboard. */
export function destination(asked: string | string[] | undefined, baseUrl: string): string {
  if (typeof asked !== "string" || !asked.startsWith("/") || !URL.canParse(asked, baseUrl)) return HOME;
  const url = new URL(asked, baseUrl);
  // "//elsewhere" and "/\elsewhere" begin like paths and are not.
  if (url.origin !== new URL(baseUrl).origin) return HOME;
  return `${url.pathname}${url.search}${url.hash}`;
}

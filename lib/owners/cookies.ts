/** The cookie names of next-auth, one of each. They depend on the scheme of the service's own URL. */
export type CookieNames = { session: string; csrf: string; callback: string };

/**
 * Under https a browser accepts a `__Host-` cookie only from this exact host, over TLS and for every path, so no sibling
 * host can set one. Plain http on a developer's machine has no such prefix. Source: RFC 6265bis, 4.1.3.2.
 */
export function cookieNames(baseUrl: string): CookieNames {
  const prefix = baseUrl.startsWith("https:") ? "__Host-" : "";
  return {
    session: `${prefix}next-auth.session-token`,
    csrf: `${prefix}next-auth.csrf-token`,
    callback: `${prefix}next-auth.callback-url`,
  };
}

/** The browsers' limit for one cookie. */
const VALUE_CHARACTERS_MAX = 4096;

/**
 * The value of the cookie called `name`, or null when it is missing, empty or too long, or occurs twice: another host may
 * have set one of the two. Names are case-sensitive.
 */
export function onlyCookie(header: string | null, name: string): string | null {
  const [value, ...duplicates] = valuesOf(header, name);
  if (value === undefined || duplicates.length > 0) return null;
  return value !== "" && value.length <= VALUE_CHARACTERS_MAX ? value : null;
}

/** The first of `names` that occurs more than once, or null. */
export const repeatedCookie = (header: string | null, names: CookieNames): string | null =>
  Object.values(names).find((name) => valuesOf(header, name).length > 1) ?? null;

/** A name without `=` counts too: another cookie parser might read it as an empty value. */
function valuesOf(header: string | null, name: string): string[] {
  return (header ?? "").split(";").flatMap((pair) => {
    const index = pair.indexOf("=");
    const cookieName = (index === -1 ? pair : pair.slice(0, index)).trim();
    return cookieName === name ? [index === -1 ? "" : pair.slice(index + 1).trim()] : [];
  });
}

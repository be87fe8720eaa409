import { bareHost, isAddress, isLoopback, isPublicAddress } from "./ip";

export type UrlFault = "url_invalid" | "url_has_credentials" | "url_not_https" | "url_not_public";

/**
 * The URL to store, or why it is rejected. Rejects only what can never work; the addresses of a name are checked on each
 * connection. On a devnet, receivers on the same machine are allowed, also without TLS.
 */
export function readUrl(text: string, isDevnet: boolean): { url: string } | { fault: UrlFault } {
  if (!URL.canParse(text)) return { fault: "url_invalid" };
  const url = new URL(text);
  url.hash = "";
  if (url.username || url.password) return { fault: "url_has_credentials" };
  const host = bareHost(url);
  const isOwnMachine = isDevnet && (host === "localhost" || isLoopback(host));
  if (url.protocol !== "https:" && !(isOwnMachine && url.protocol === "http:")) return { fault: "url_not_https" };
  if (isOwnMachine) return { url: url.href };
  const isPublic = isAddress(host) ? isPublicAddress(host) : host.includes(".");
  return isPublic ? { url: url.href } : { fault: "url_not_public" };
}

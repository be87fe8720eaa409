import { parseUrl } from "@tessera/x402/url";
import { bareHost, isAddress, isLoopback, isPublicAddress } from "./ip";

export type UrlFault = "url_invalid" | "url_has_credentials" | "url_not_https" | "url_not_public";

type ReadUrl = { type: "valid"; url: string } | { type: "invalid"; fault: UrlFault };
const invalid = (fault: UrlFault): ReadUrl => ({ type: "invalid", fault });

/**
 * Returns the URL to store, or the fault. Rejects only URLs that can never work; the addresses of a name are checked on each
 * connection. A devnet also allows receivers on the same machine, with or without TLS.
 */
export function readUrl(text: string, isDevnet: boolean): ReadUrl {
  const url = parseUrl(text);
  if (!url) return invalid("url_invalid");
  url.hash = "";
  if (url.username || url.password) return invalid("url_has_credentials");
  const host = bareHost(url);
  const isOwnMachine = isDevnet && (host === "localhost" || isLoopback(host));
  if (url.protocol !== "https:" && !(isOwnMachine && url.protocol === "http:")) return invalid("url_not_https");
  if (isOwnMachine) return { type: "valid", url: url.href };
  const isPublic = isAddress(host) ? isPublicAddress(host) : host.includes(".");
  return isPublic ? { type: "valid", url: url.href } : invalid("url_not_public");
}

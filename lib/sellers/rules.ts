import { parseUrl } from "@tessera/x402/url";
import { isAddress } from "@/lib/core/ip";

export const DOMAINS_MAX = 10;
/** How often the proof of a verified domain is checked. */
export const RECHECK_SECONDS = 86_400;
/** How long the proof may be missing, for example while a site moves, before the domain is no longer verified. */
export const MISSING_SECONDS_MAX = 7 * 86_400;

export const PROOF_PATH = "/.well-known/tessera-verification.txt";
export const proofText = (token: string): string => `tessera-verification=${token}`;

/**
 * The origin of a domain as typed, or null: a public host name over https. `allowsLocal`: for a devnet, also localhost with
 * a port, over http.
 */
export function originOfDomain(typed: string, allowsLocal: boolean): string | null {
  const text = typed.trim().toLowerCase();
  if (!/^[^\s/\\@?#*%]{1,253}$/u.test(text)) return null;
  if (allowsLocal && /^localhost:\d{1,5}$/.test(text)) return parseUrl(`http://${text}`) ? `http://${text}` : null;
  const url = text.includes(":") ? null : parseUrl(`https://${text}`);
  if (!url) return null;
  const { hostname, origin } = url;
  const labels = hostname.split(".");
  const isName = labels.length > 1 && labels.every((label) => /^[a-z0-9-]{1,63}$/.test(label));
  if (!isName || isAddress(hostname) || LOCAL.test(hostname)) return null;
  return origin;
}

/** Names that are not in public DNS (RFC 6761, RFC 8375) or belong to another network, such as onion. */
const LOCAL = /\.(?:localhost|local|internal|test|invalid|onion|arpa)$/;

/** Whether the TXT records of a host show the token. The strings of one record are concatenated. */
export const isInRecords = (records: readonly (readonly string[])[], token: string): boolean =>
  records.some((parts) => parts.join("").trim() === proofText(token));

/** Whether a line of the file shows the token. */
export const isInFile = (text: string, token: string): boolean =>
  text.split(/\r?\n/).some((line) => line.trim() === proofText(token));

export type DomainStanding = { verifiedAt: Date | null; missingSince: Date | null };

/** The standing of a domain after a check of its proof at `now`. */
export function afterCheck({ verifiedAt, missingSince }: DomainStanding, isShown: boolean, now: Date): DomainStanding {
  if (isShown) return { verifiedAt: verifiedAt ?? now, missingSince: null };
  if (verifiedAt === null) return { verifiedAt: null, missingSince: null };
  const since = missingSince ?? now;
  const isOver = now.getTime() - since.getTime() >= MISSING_SECONDS_MAX * 1_000;
  return isOver ? { verifiedAt: null, missingSince: null } : { verifiedAt, missingSince: since };
}

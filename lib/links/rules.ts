import { parseUrl } from "@tessera/x402/url";
import type { OwnerId } from "@/lib/core/ids";
import type { paymentLinks, ReceivedSource } from "./tables";

// Defined here, not in the contract, because browser forms must not import zod: it probes for eval, which the CSP forbids.
export const DESCRIPTION_MAX = 1000;
export const REFERENCE_MAX = 200;
export const CONTENT_MAX = 32_768;
export const USES_MAX = 2 ** 31 - 1;

export type Link = typeof paymentLinks.$inferSelect;
/** Number of a link's settled payments, and of those that can still settle (open, or declined and still valid). */
export type Uses = { settled: number; open: number };
export type Unavailable = "LINK_DISABLED" | "LINK_EXPIRED" | "LINK_SOLD_OUT";

/** The state of a link as shown to people. */
export const LINK_STATES = ["active", "disabled", "expired", "sold_out"] as const;
export type LinkState = (typeof LINK_STATES)[number];

export const SALE_STATUSES = ["pending", "settled", "failed", "refunded"] as const;
export type SaleStatus = (typeof SALE_STATUSES)[number];
export const SALE_SOURCES = ["payment_link", "upl"] as const satisfies readonly ReceivedSource[];
export type SaleSource = (typeof SALE_SOURCES)[number];

/** Who is paid at a link: its agent's receiver, as long as the agent still has the owner for whom the link was created. */
export const payeeFor = <R extends { ownerId: OwnerId }>(
  { ownerId }: Pick<Link, "ownerId">,
  receiver: R | null,
): R | null => (receiver?.ownerId === ownerId ? receiver : null);

/** Why a link cannot be paid at `now`, or null. A pending payment counts as a use until the chain shows that it can never settle. */
export function unavailable(
  link: Pick<Link, "status" | "expiresAt" | "maxUses">,
  uses: Uses,
  now: Date,
): Unavailable | null {
  if (link.status === "disabled") return "LINK_DISABLED";
  if (link.expiresAt && link.expiresAt <= now) return "LINK_EXPIRED";
  if (link.maxUses !== null && uses.settled + uses.open >= link.maxUses) return "LINK_SOLD_OUT";
  return null;
}

/** The changed fields, for the link's history. Leaves the content and the secret headers out. */
export function fromTo(
  link: Link,
  { resourceContent: _, sealedUpstreamHeaders: _headers, ...edit }: Partial<Link>,
): { from: object; to: object } {
  const previousEntries = Object.entries(link).filter(([name]) => name in edit);
  return { from: Object.fromEntries(previousEntries), to: edit };
}

export function stateOf(link: Parameters<typeof unavailable>[0], uses: Uses, now: Date): LinkState {
  const reason = unavailable(link, uses, now);
  return reason === null ? "active" : STATES[reason];
}

const STATES = {
  LINK_DISABLED: "disabled",
  LINK_EXPIRED: "expired",
  LINK_SOLD_OUT: "sold_out",
} as const satisfies Record<Unavailable, LinkState>;

/** Whether a search text looks like part of an address. Requires 0x, because hexadecimal digits alone could be a word. */
export const isAddressLike = (text: string): boolean => /^0x[0-9a-f]{0,40}$/i.test(text);

/** The service's own pages that are allowed as redirect targets: the front page, a payment link, a receipt. None is an open redirect. */
const OWN_PAGE = /^\/(?:(?:pay|receipt)\/\w+)?$/;

export type RedirectRules = {
  /** Allowed origins of other sites. */
  allowed: readonly string[];
  /** The service's own origin; only paths that match OWN_PAGE are allowed there. */
  own: string;
};

/** `@` only after the authority, where it begins no host. */
const REDIRECT = /^https?:\/\/[^\s\\@/?#]*(?:[/?#][^\s\\]*)?$/i;

/**
 * The normalised redirect target, or null. Its origin, parsed as a browser parses it, must be `own` or in `allowed`. Text that
 * parsers may read differently (backslashes, white space, credentials, a missing scheme) is rejected. Plain http is allowed only to
 * this machine.
 */
export function redirectTarget(text: string, { allowed, own: ownOrigin }: RedirectRules): string | null {
  const url = REDIRECT.test(text) ? parseUrl(text) : null;
  if (!url || !mayBeSentTo(url) || url.username || url.password) return null;
  if (url.origin === ownOrigin) return OWN_PAGE.test(url.pathname) ? url.href : null;
  return allowed.includes(url.origin) ? url.href : null;
}

/** Whether `origin` can be a redirect target. */
export function isRedirectOrigin(origin: string): boolean {
  const url = parseUrl(origin);
  return url !== null && mayBeSentTo(url);
}

const mayBeSentTo = ({ protocol, hostname }: URL): boolean =>
  protocol === "https:" || (protocol === "http:" && LOCAL.has(hostname));

const LOCAL = new Set(["localhost", "127.0.0.1", "[::1]"]);

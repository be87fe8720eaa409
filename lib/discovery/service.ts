import { PAYMENT_IDENTIFIER } from "@tessera/x402/offers";
import type { Address } from "@/lib/core/address";
import type { LinkId } from "@/lib/core/ids";
import { SCAN_KINDS } from "@/lib/core/scans";
import * as firewall from "@/lib/firewall/service";
import * as checkouts from "@/lib/links/checkout/service";
import * as listings from "@/lib/links/listings/service";
import * as links from "@/lib/links/service";
import * as upstreams from "@/lib/links/upstream/service";
import { paidUrl, soldApiUrl } from "@/lib/links/urls";
import type { System } from "@/lib/platform/context";
import { BAZAAR } from "@/lib/x402/discovery";
import type { NetworkName } from "@/lib/x402/networks";
import type { Requirement } from "@/lib/x402/requirement";

/** A publicly listed paid resource. */
export type ListedResource = {
  requirement: Requirement;
  updatedAt: Date;
  serviceName: string;
  /** The URL of the OpenAPI document of the API that a link sells. */
  openApiUrl?: string;
};

export type ResourceFilter = {
  type?: string | undefined;
  payTo?: Address | undefined;
  scheme?: string | undefined;
  /** Null for an unknown network. */
  network?: NetworkName | null;
  extensions?: string | undefined;
};

export type ResourcePage = { resources: ListedResource[]; total: number };

/** Number of search words that are used; further words are ignored. */
export const WORDS_MAX = 8;

/** `updatedAt` of the firewall's scans: their prices and rules change only with a restart. */
const startedAt = new Date();

/**
 * A page of the matching listed resources: the firewall's scans first, then links in the order of `lib/links/listings`. `words`
 * match case-insensitively. Results may be two seconds old.
 */
export async function listResources(
  system: System,
  { type, payTo, scheme, network, extensions }: ResourceFilter,
  { words: terms = [], offset, limit }: { words?: readonly string[]; offset: number; limit: number },
): Promise<ResourcePage> {
  const isServed = (type ?? "http") === "http" && (scheme ?? "exact") === "exact" && network !== null;
  if (!isServed || (extensions !== undefined && !EXTENSIONS.has(extensions))) return { resources: [], total: 0 };
  const sought = terms.slice(0, WORDS_MAX).map((term) => term.toLowerCase());
  const scans = SCAN_KINDS.flatMap((kind): ListedResource[] => {
    const requirement = firewall.pricesOf(system, kind)?.requirement;
    if (!requirement) return [];
    const text = `${requirement.description} ${requirement.resource}`.toLowerCase();
    const isMatch =
      (payTo === undefined || requirement.payTo === payTo) &&
      (network === undefined || requirement.network === network) &&
      sought.every((term) => text.includes(term));
    return isMatch ? [{ requirement, updatedAt: startedAt, serviceName: "Tessera firewall" }] : [];
  });
  const pageScans = scans.slice(offset, offset + limit);
  const { rows, total } = await listings.readPage(
    system,
    {
      ...{ payTo, network, words: sought },
      urlPrefix: links.linkUrl(system, "" as LinkId),
      callPrefix: paidUrl(system.config.baseUrl, "" as LinkId),
    },
    { offset: Math.max(0, offset - scans.length), limit: limit - pageScans.length },
  );
  const pageLinks = rows.map(({ call, ...listing }): ListedResource => {
    const { linkId, payTo: payee, updatedAt } = listing;
    if (!call) {
      const requirement = checkouts.requirementOf(system, listing, payee);
      return { requirement, updatedAt, serviceName: "Tessera payment link" };
    }
    const requirement = upstreams.listedRequirement(system, { ...listing, ...call }, payee);
    const openApiUrl = soldApiUrl(system.config.baseUrl, linkId);
    return { requirement, updatedAt, serviceName: "Tessera paid API", openApiUrl };
  });
  return { resources: [...pageScans, ...pageLinks], total: scans.length + total };
}

/** The extensions that every listed resource declares. */
const EXTENSIONS = new Set<string>([PAYMENT_IDENTIFIER, BAZAAR]);

import { PAYMENT_IDENTIFIER } from "@tessera/x402/offers";
import type { Address } from "@/lib/core/address";
import type { LinkId } from "@/lib/core/ids";
import { SCAN_KINDS } from "@/lib/core/scans";
import * as firewall from "@/lib/firewall/service";
import * as checkouts from "@/lib/links/checkout/service";
import * as listings from "@/lib/links/listings/service";
import * as links from "@/lib/links/service";
import type { System } from "@/lib/platform/context";
import { BAZAAR } from "@/lib/x402/discovery";
import type { NetworkName } from "@/lib/x402/networks";
import type { Requirement } from "@/lib/x402/requirement";

/** A paid resource that anybody may find. */
export type Resource = { requirement: Requirement; updatedAt: Date; serviceName: string };

export type Filter = {
  type?: string | undefined;
  payTo?: Address | undefined;
  scheme?: string | undefined;
  /** Null: a network that the service does not know. */
  network?: NetworkName | null;
  extensions?: string | undefined;
};

export type Page = { resources: Resource[]; total: number };

/** Words of a search that are read; all others are ignored. */
export const WORDS_MAX = 8;

/** When our own scans last changed: prices and rules change only with a restart. */
const startedAt = new Date();

/**
 * A page of the listed resources that match: the firewall's scans, then links in the order of the directory
 * (lib/links/listings). `words` are matched in any letter case. Up to two seconds old.
 */
export async function listResources(
  system: System,
  { type, payTo, scheme, network, extensions }: Filter,
  { words = [], offset, limit }: { words?: readonly string[]; offset: number; limit: number },
): Promise<Page> {
  const isServed = (type ?? "http") === "http" && (scheme ?? "exact") === "exact" && network !== null;
  if (!isServed || (extensions !== undefined && !EXTENSIONS.has(extensions))) return { resources: [], total: 0 };
  const sought = words.slice(0, WORDS_MAX).map((word) => word.toLowerCase());
  const scans = scansOf(system).filter(({ requirement }) => {
    const text = `${requirement.description} ${requirement.resource}`.toLowerCase();
    return (
      (payTo === undefined || requirement.payTo === payTo) &&
      (network === undefined || requirement.network === network) &&
      sought.every((word) => text.includes(word))
    );
  });
  const shown = scans.slice(offset, offset + limit);
  const { rows, total } = await listings.readPage(
    system,
    { payTo, network, words: sought, urlPrefix: links.linkUrl(system, "" as LinkId) },
    { offset: Math.max(0, offset - scans.length), limit: limit - shown.length },
  );
  return { resources: [...shown, ...rows.map((row) => resourceOf(system, row))], total: scans.length + total };
}

/** What every listed resource declares. */
const EXTENSIONS = new Set<string>([PAYMENT_IDENTIFIER, BAZAAR]);

const scansOf = (system: System): Resource[] =>
  SCAN_KINDS.flatMap((kind) => {
    const prices = firewall.pricesOf(system, kind);
    return prices ? [{ requirement: prices.requirement, updatedAt: startedAt, serviceName: "Tessera firewall" }] : [];
  });

const resourceOf = (system: System, listing: listings.Listing): Resource => ({
  requirement: checkouts.requirementOf(system, listing, listing.payTo),
  updatedAt: listing.updatedAt,
  serviceName: "Tessera payment link",
});

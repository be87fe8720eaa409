import type { Address } from "@/lib/core/address";
import { SCAN_KINDS } from "@/lib/core/scans";
import * as firewall from "@/lib/firewall/service";
import * as checkouts from "@/lib/links/checkout/service";
import * as links from "@/lib/links/service";
import type { System } from "@/lib/platform/context";
import type { NetworkName } from "@/lib/x402/networks";
import { extensionsOf, type Requirement } from "@/lib/x402/requirement";

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

/** Older listed links are left out. */
const LINKS_MAX = 1000;

/** When our own scans last changed: prices and rules change only with a restart. */
const startedAt = new Date();

/** The listed resources that match: the firewall's scans, then links, newest first. `words` are matched in any letter case. */
export async function listResources(
  system: System,
  { type, payTo, scheme, network, extensions }: Filter,
  words: readonly string[] = [],
): Promise<Resource[]> {
  if ((type ?? "http") !== "http" || (scheme ?? "exact") !== "exact") return [];
  const all = [...scansOf(system), ...(await linksOf(system))];
  return all.filter(({ requirement }) => {
    const text = `${requirement.description} ${requirement.resource}`.toLowerCase();
    return (
      (payTo === undefined || requirement.payTo === payTo) &&
      (network === undefined || requirement.network === network) &&
      (extensions === undefined || Object.hasOwn(extensionsOf(requirement), extensions)) &&
      words.every((word) => text.includes(word.toLowerCase()))
    );
  });
}

const scansOf = (system: System): Resource[] =>
  SCAN_KINDS.flatMap((kind) => {
    const prices = firewall.pricesOf(system, kind);
    return prices ? [{ requirement: prices.requirement, updatedAt: startedAt, serviceName: "Tessera firewall" }] : [];
  });

async function linksOf(system: System): Promise<Resource[]> {
  const views = await links.listListed(system, LINKS_MAX);
  return views.flatMap(({ link, payTo }) => {
    if (payTo === null) return [];
    const requirement = checkouts.requirementOf(system, link, payTo);
    return [{ requirement, updatedAt: link.updatedAt, serviceName: "Tessera payment link" }];
  });
}

import type { Price } from "@tessera/x402/payment-info";
import { z } from "zod";
import { AppError } from "@/lib/core/errors";
import { isThisDevice } from "@/lib/core/ip";
import { guardJson, WITHHELD } from "@/lib/firewall/service";
import { isSignedFor } from "@/lib/payees/outbound";
import type { Agent, Ctx, System } from "@/lib/platform/context";
import { isOwnUrl } from "@/lib/platform/outbound-guard";
import { purchaseErrors } from "../errors";
import { type SellerTransport, sellerUrl } from "../fetch";
import { type CatalogueMatches, searchCatalogues } from "./catalogues";
import { cleanText, type Listing } from "./formats";
import { orFailure, readSite, type SiteOffers } from "./sites";

/** Whose word a listing is. `host`: with its port, if it has one. */
export type Source = { type: "site" | "catalogue"; host: string };

/** A service as others describe it. Their texts are cleaned, bounded and guarded by the firewall; nothing here decides about money. */
export type ServiceView = {
  url: string;
  method?: string;
  description: string;
  prices: Price[];
  statedPrice?: string;
  canBePaid?: false;
  source: Source;
  /** The source speaks of another host than its own. */
  isAboutOtherHost?: true;
};

export type CatalogueView = Pick<CatalogueMatches, "host" | "state" | "isWhole">;

export type SiteView =
  | { host: string; title: string; about: string; isWhole: boolean }
  | { host: string; error: { code: string; message: string } };

export type Elsewhere = { services: ServiceView[]; hasMore: boolean; catalogues: CatalogueView[] };

const DESCRIPTION_MAX = 300;
const TITLE_MAX = 100;

/** What the catalogues of others list. */
export async function searchElsewhere(system: System, words: readonly string[], limit: number): Promise<Elsewhere> {
  const catalogues = await searchCatalogues(system, { words });
  return { ...toServices(listedBy(catalogues), limit), catalogues: catalogues.map(toCatalogueView) };
}

/** A host or URL that a caller named, as the root of a site; null for this service. Throws invalid_url. */
export function readSiteName(system: System, text: string): URL | null {
  const hasScheme = /^[a-z][a-z\d+.-]*:\/\//i.test(text);
  const url = sellerUrl(hasScheme ? text : `https://${text}`);
  const site = new URL("/", url);
  if (!hasScheme && system.config.mode === "devnet" && isThisDevice(site)) site.protocol = "http:";
  return isOwnUrl(system, site) ? null : site;
}

/**
 * What a site offers by its own word, and by that of the catalogues. If the site cannot be read, `site` has the error, and what the
 * catalogues say of it remains.
 */
export async function searchSite(
  ctx: Ctx<Agent>,
  { site, words, limit }: { site: URL; words: readonly string[]; limit: number },
  transport: SellerTransport,
): Promise<Elsewhere & { site: SiteView }> {
  const [offers, catalogues] = await Promise.all([
    orFailure(() => readSignedSite(ctx, site, transport)),
    searchCatalogues(ctx, { words, host: site.host }),
  ]);
  const listed = listedBy(catalogues);
  const views = catalogues.map(toCatalogueView);
  if (offers instanceof AppError) {
    const { code, message } = offers;
    return { ...toServices(listed, limit), catalogues: views, site: { host: site.host, error: { code, message } } };
  }
  return {
    ...toServices([...offeredBy(offers, words), ...listed], limit),
    catalogues: views,
    site: toSiteView(offers),
  };
}

export type SiteOffersView = Pick<Elsewhere, "services" | "hasMore"> & Extract<SiteView, { title: string }>;

const BESIDE_A_PRICE_MAX = 10;

/** What the site of a URL offers; null if it offers nothing, is this service, or cannot be read. The caller checks who has signed. */
export async function offersOfSite(
  ctx: Ctx<Agent>,
  url: URL,
  transport: SellerTransport,
): Promise<SiteOffersView | null> {
  if (isOwnUrl(ctx, url)) return null;
  const offers = await orFailure(() => readSite(ctx, new URL("/", url), transport));
  if (offers instanceof AppError || offers.listings.length === 0) return null;
  return { ...toSiteView(offers), ...toServices(offeredBy(offers, []), BESIDE_A_PRICE_MAX) };
}

async function readSignedSite(ctx: Ctx<Agent>, site: URL, transport: SellerTransport): Promise<SiteOffers> {
  if (!(await isSignedFor(ctx))) throw purchaseErrors.owner_signature_required();
  return readSite(ctx, site, transport);
}

type Sourced = Listing & { source: Source };

function offeredBy({ listings }: SiteOffers, words: readonly string[]): Sourced[] {
  const sought = words.map((word) => word.toLowerCase());
  return listings
    .filter(({ url, description }) => {
      const text = `${url} ${description}`.toLowerCase();
      return sought.every((word) => text.includes(word));
    })
    .map(({ host, ...listing }) => ({ ...listing, source: { type: "site", host } }));
}

const listedBy = (catalogues: readonly CatalogueMatches[]): Sourced[] =>
  catalogues.flatMap(({ host, matches }) =>
    matches.map((listing): Sourced => ({ ...listing, source: { type: "catalogue", host } })),
  );

/** Each operation once, as the first source has it. */
function toServices(all: readonly Sourced[], limit: number): Pick<Elsewhere, "services" | "hasMore"> {
  const first = new Map<string, Sourced>();
  for (const listing of all) {
    const key = `${listing.method} ${listing.url}`;
    if (!first.has(key)) first.set(key, listing);
    if (first.size > limit) break;
  }
  const shown = [...first.values()].slice(0, limit);
  const descriptions = guarded(shown.map(({ description }) => cleanText(description, DESCRIPTION_MAX)));
  const urls = guarded(shown.map(({ url }) => url));
  const services = shown.flatMap((listing, index): ServiceView[] =>
    // A URL that speaks to its reader is of no use without its words.
    urls[index] === WITHHELD ? [] : [toServiceView(listing, descriptions[index] ?? WITHHELD)],
  );
  return { services, hasMore: first.size > limit };
}

const toServiceView = (
  { url, method, prices, statedPrice, canBePaid, source }: Sourced,
  description: string,
): ServiceView => ({
  url,
  ...(method !== null && { method }),
  description,
  prices,
  ...(statedPrice !== null && { statedPrice }),
  ...(canBePaid === false && { canBePaid }),
  source,
  ...(new URL(url).host !== source.host && { isAboutOtherHost: true }),
});

function toSiteView({ host, title, about, isWhole }: SiteOffers): Extract<SiteView, { title: string }> {
  const [shownTitle = WITHHELD, shownAbout = WITHHELD] = guarded([
    cleanText(title, TITLE_MAX),
    cleanText(about, DESCRIPTION_MAX),
  ]);
  return { host, title: shownTitle, about: shownAbout, isWhole };
}

const toCatalogueView = ({ host, state, isWhole }: CatalogueMatches): CatalogueView => ({ host, state, isWhole });

const texts = z.array(z.string());

/** Texts that instruct their reader, each alone or several together, are withheld. */
const guarded = (strangers: readonly string[]): string[] => texts.parse(guardJson(strangers, "a site or catalogue"));

import { setBounded } from "@/lib/core/bounded";
import { AppError } from "@/lib/core/errors";
import { limit } from "@/lib/http/limit";
import type { Agent, Ctx } from "@/lib/platform/context";
import type { Send } from "@/lib/platform/outbound";
import { isOwnUrl, sendFor } from "@/lib/platform/outbound-guard";
import { purchaseErrors } from "../errors";
import { pathTo, request, type SellerTransport } from "../fetch";
import { LISTINGS_MAX, type Listing, SITE_FORMATS, type SiteWords } from "./formats";

/** What a document of a site says. `host`: the one that sent it, also after a redirect. */
type Document = SiteWords & { host: string; isProse: boolean };

/** What a site says that it offers. `host`: whose title it is, the first that a document was read from. `isWhole`: each document was read, or does not exist. */
export type SiteOffers = {
  host: string;
  title: string;
  about: string;
  listings: (Listing & { host: string })[];
  isWhole: boolean;
};

type Outcome = { type: "read"; document: Document } | { type: "absent" } | { type: "failed"; error: AppError };

const DOCUMENT_BYTES_MAX = 2_000_000;
/** For all documents together. */
const READING_MS_MAX = 10_000;
const FRESH_MS = 60_000;
const SITES_MAX = 100;

/** What this process read in the last minute, by origin. */
const recent = new Map<string, SiteOffers>();

/**
 * Reads what the site of a URL offers, in the documents of SITE_FORMATS, through the outbound guard. Throws the errors of a purchase's
 * request if no document can be requested. The caller checks that an owner has signed for the agent.
 */
export async function readSite(ctx: Ctx<Agent>, site: URL, { signal }: SellerTransport): Promise<SiteOffers> {
  // What is cached counts, too: its texts are guarded again.
  await limit(ctx, "site_per_owner", ctx.actor.ownerId ?? ctx.actor.agentId);
  const last = recent.get(site.origin);
  if (last) return last;
  const sendOutside = sendFor(ctx, { replyBytesMax: DOCUMENT_BYTES_MAX });
  // No URL of this service, also after a redirect: what it sells is in its own list.
  const send: Send = async (url, init) =>
    isOwnUrl(ctx, url) ? { isAnswered: false, why: "address_refused" } : sendOutside(url, init);
  const path = { ...pathTo(ctx, { send, ...(signal && { signal }) }), deadline: Date.now() + READING_MS_MAX };
  const outcomes = await Promise.all(
    SITE_FORMATS.map(async ({ path: name, mediaTypes, isProse = false, read }): Promise<Outcome> => {
      const httpRequest = { url: new URL(name, site), method: "GET", headers: {}, body: undefined };
      const reply = await orFailure(() => request(ctx, path, httpRequest));
      if (reply instanceof AppError) return { type: "failed", error: reply };
      const mediaType = (reply.headers["content-type"] ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
      if (reply.status !== 200 || !mediaTypes.test(mediaType)) return { type: "absent" };
      if (reply.end !== "whole") return { type: "failed", error: purchaseErrors.url_unreachable({ why: reply.end }) };
      return { type: "read", document: { host: reply.url.host, isProse, ...read(reply.bytes, reply.url) } };
    }),
  );
  const failures = outcomes.flatMap((outcome) => (outcome.type === "failed" ? [outcome.error] : []));
  const [failure] = failures;
  if (failure && failures.length === outcomes.length) throw failure;
  const documents = outcomes.flatMap((outcome) => (outcome.type === "read" ? [outcome.document] : []));
  const host = documents[0]?.host ?? site.host;
  const own = documents.filter((document) => document.host === host);
  const offers: SiteOffers = {
    host,
    title: own.find(({ title }) => title !== "")?.title ?? "",
    about: own.find(({ about }) => about !== "")?.about ?? "",
    listings: mergeListings(documents),
    isWhole: failures.length === 0,
  };
  if (offers.isWhole) {
    setBounded(recent, site.origin, offers, SITES_MAX);
    setTimeout(() => recent.delete(site.origin), FRESH_MS).unref();
  }
  return offers;
}

/** Returns an expected failure instead of throwing it: others read on. */
export async function orFailure<T>(work: () => Promise<T>): Promise<T | AppError> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

/** Each operation once: the first document that names it describes it, the first with prices prices it. Prose only if nothing else names any. */
function mergeListings(documents: readonly Document[]): SiteOffers["listings"] {
  const byUrl = new Map<string, SiteOffers["listings"]>();
  for (const { host, isProse, listings } of documents) {
    if (isProse && byUrl.size > 0) continue;
    for (const listing of listings) {
      const operations = byUrl.get(listing.url) ?? [];
      const known = operations.filter(
        ({ method }) => method === listing.method || method === null || listing.method === null,
      );
      for (const operation of known)
        if (operation.prices.length === 0 && listing.prices.length > 0)
          Object.assign(operation, { prices: listing.prices, canBePaid: listing.canBePaid });
      if (known.length === 0) byUrl.set(listing.url, [...operations, { ...listing, host }]);
    }
  }
  return [...byUrl.values()].flat().slice(0, LISTINGS_MAX);
}

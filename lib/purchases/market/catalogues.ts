import { fieldsOf } from "@tessera/x402/json";
import type { System } from "@/lib/platform/context";
import type { Send } from "@/lib/platform/outbound";
import { isOwnUrl, sendFor } from "@/lib/platform/outbound-guard";
import { NETWORKS } from "@/lib/x402/networks";
import { type Listing, parseLoosely, rawText, readItem } from "./formats";

/**
 * The catalogues that the operator names in CATALOGUES: facilitators with the discovery API of x402 (`GET /discovery/resources`). Each
 * process reads a catalogue as a whole, so that no catalogue learns what is searched for. Their listings are the catalogues' words.
 */

/** `text`: what a search compares, in lower case. */
type Entry = Listing & { text: string; isTestnet: boolean };

/** `isWhole`: false if the catalogue has more than is kept, or its end could not be read. */
type Snapshot = { entries: Entry[]; isWhole: boolean; readAtMs: number };

/** `reading` never rejects. */
type Catalogue = { snapshot: Snapshot | null; reading: Promise<void> | null; triedAtMs: number };

const PAGE = 100;
const PAGE_BYTES_MAX = 2_000_000;
const PAGE_MS_MAX = 10_000;
const PAGE_ITEMS_MAX = 1_000;
const PAGES_MAX = 250;
const READING_MS_MAX = 120_000;
const ENTRIES_MAX = 10_000;
/** Of all entries, as JSON. They take up to twice as many bytes of memory. */
const ENTRY_CHARACTERS_MAX = 10_000_000;
const FRESH_MS = 3_600_000;
const RETRY_MS = 300_000;
/** A list that could not be read for so long is no longer shown. */
const STALE_MS = 86_400_000;
/** How long a search waits for the first reading of a catalogue. Later readings replace what is there. */
const WAIT_MS = 3_000;

/** Of this process, by URL. */
const catalogues = new Map<string, Catalogue>();

export type CatalogueMatches = {
  host: string;
  /** `being_read`: nothing is known yet. `unreadable`: the last attempt failed, and nothing older is there. */
  state: "read" | "being_read" | "unreadable";
  isWhole: boolean;
  matches: Listing[];
};

/** The listings of each catalogue whose URL or description has every word, real money first. `host`: of the listing. */
export function searchCatalogues(
  system: System,
  { words, host }: { words: readonly string[]; host?: string | undefined },
): Promise<CatalogueMatches[]> {
  const sought = words.map((word) => word.toLowerCase());
  return Promise.all(
    system.config.catalogues.map(async (url): Promise<CatalogueMatches> => {
      const catalogue = await readLately(system, url);
      const { snapshot, reading } = catalogue;
      const matches = (snapshot?.entries ?? []).filter(
        (entry) =>
          sought.every((word) => entry.text.includes(word)) && (host === undefined || new URL(entry.url).host === host),
      );
      return {
        host: new URL(url).host,
        state: snapshot ? "read" : reading ? "being_read" : "unreadable",
        isWhole: snapshot?.isWhole ?? false,
        matches: [...matches.filter(({ isTestnet }) => !isTestnet), ...matches.filter(({ isTestnet }) => isTestnet)],
      };
    }),
  );
}

/** The catalogue as it was last read. Starts a reading when it is old, and waits for it only if there is nothing else. */
async function readLately(system: System, url: string): Promise<Catalogue> {
  const catalogue = catalogues.get(url) ?? { snapshot: null, reading: null, triedAtMs: Number.NEGATIVE_INFINITY };
  catalogues.set(url, catalogue);
  const now = Date.now();
  const ageMs = now - (catalogue.snapshot?.readAtMs ?? Number.NEGATIVE_INFINITY);
  if (ageMs > STALE_MS) catalogue.snapshot = null;
  const isFresh = ageMs < FRESH_MS;
  if (!isFresh && catalogue.reading === null && now - catalogue.triedAtMs >= RETRY_MS) {
    catalogue.triedAtMs = now;
    catalogue.reading = readAll(system, url)
      .then((snapshot) => {
        catalogue.snapshot = snapshot;
      })
      .catch((err: unknown) => system.log.warn({ host: new URL(url).host, err }, "catalogue.read_failed"))
      .finally(() => {
        catalogue.reading = null;
      });
  }
  if (catalogue.snapshot === null && catalogue.reading !== null) {
    let timer: NodeJS.Timeout | undefined;
    const wait = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, WAIT_MS);
    });
    await Promise.race([catalogue.reading, wait]);
    clearTimeout(timer);
  }
  return catalogue;
}

/** Throws if the first page cannot be read. What is read of later ones is kept. */
async function readAll(system: System, url: string): Promise<Snapshot> {
  const send = sendFor(system, { replyBytesMax: PAGE_BYTES_MAX });
  const deadline = Date.now() + READING_MS_MAX;
  const entries = new Map<string, Entry>();
  const named = new Set<string>();
  let charactersLeft = ENTRY_CHARACTERS_MAX;
  const isFull = () => entries.size >= ENTRIES_MAX || charactersLeft <= 0;
  const end = (isWhole: boolean): Snapshot => ({ entries: [...entries.values()], isWhole, readAtMs: Date.now() });
  for (let page = 0, offset = 0; page < PAGES_MAX && !isFull(); page++) {
    const msMax = Math.min(PAGE_MS_MAX, deadline - Date.now());
    if (msMax <= 0) return end(false);
    const reply = await readPage(system, send, { url, offset, msMax });
    if (reply.type === "failed") {
      if (page === 0) throw new Error(`the catalogue's list could not be read: ${reply.why}`);
      return end(false);
    }
    const { items, total } = reply;
    if (items.length === 0) return end(true);
    const namedBefore = named.size;
    for (const item of items.slice(0, PAGE_ITEMS_MAX)) {
      const listing = readItem(item, new URL(url));
      const key = `${listing?.method} ${listing?.url ?? rawText(JSON.stringify(item).slice(0, 100))}`;
      if (named.has(key)) continue;
      named.add(key);
      const isListed = listing?.canBePaid && !isOwnUrl(system, new URL(listing.url));
      if (!isListed || isFull()) continue;
      const entry = toEntry(listing);
      entries.set(key, entry);
      charactersLeft -= JSON.stringify(entry).length;
    }
    offset += items.length;
    if (items.length > PAGE_ITEMS_MAX) return end(false);
    if (total !== null && offset >= total) return end(!isFull());
    // A list that ignores the offset would never end.
    if (named.size === namedBefore) return end(false);
  }
  return end(false);
}

const toEntry = (listing: Listing): Entry => ({
  ...listing,
  text: `${listing.url} ${listing.description}`.toLowerCase(),
  isTestnet: listing.prices.every(({ network }) => NETWORKS[network].isTestnet),
});

type Page = { type: "read"; items: unknown[]; total: number | null } | { type: "failed"; why: string };

/** Redirects are not followed: the operator names the catalogue itself. */
async function readPage(
  { config }: System,
  send: Send,
  { url, offset, msMax }: { url: string; offset: number; msMax: number },
): Promise<Page> {
  const target = new URL(`${url.replace(/\/+$/, "")}/discovery/resources`);
  target.search = new URLSearchParams({ type: "http", limit: `${PAGE}`, offset: `${offset}` }).toString();
  const headers = { accept: "application/json", "user-agent": `Tessera (+${config.baseUrl})` };
  const reply = await send(target, { method: "GET", headers, msMax });
  if (!reply.isAnswered) return { type: "failed", why: reply.why };
  if (reply.status !== 200 || reply.end !== "whole")
    return { type: "failed", why: `status ${reply.status}, ${reply.end}` };
  const { items, resources, pagination } = fieldsOf(parseLoosely(reply.bytes));
  const listed = Array.isArray(items) ? items : resources;
  if (!Array.isArray(listed)) return { type: "failed", why: "no list in its JSON" };
  const { total } = fieldsOf(pagination);
  return { type: "read", items: listed, total: Number.isSafeInteger(total) ? Number(total) : null };
}

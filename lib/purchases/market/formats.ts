import { isIP } from "node:net";
import { fieldsOf, textOf } from "@tessera/x402/json";
import { type Price, readPaymentInfo, readPrices } from "@tessera/x402/payment-info";
import { parseUrl } from "@tessera/x402/url";
import { firstCharacters } from "@/lib/core/characters";
import { bareHost, isPublicAddress, isThisDevice } from "@/lib/core/ip";
import { withoutInvisible } from "@/lib/core/shown";

/**
 * The formats in which sites and catalogues say what is for sale. All of it is a stranger's word: a price is shown if the chooser of
 * offers could pay it, and the 402 alone states what is paid.
 */

/** Something for sale. `description` is raw: `cleanText` makes it fit to show. */
export type Listing = {
  /** Braces of a path's parameters stay. */
  url: string;
  method: string | null;
  description: string;
  prices: Price[];
  /** A price in words, such as "0.02 USD". */
  statedPrice: string | null;
  /** Null if nothing says how it is paid. */
  canBePaid: boolean | null;
};

/** What one document of a site says. `about` is raw. */
export type SiteWords = { title: string; about: string; listings: Listing[] };

/** `isProse`: for people and models; most of its links are no offers. */
type Format = { path: string; mediaTypes: RegExp; isProse?: true; read: (bytes: Buffer, from: URL) => SiteWords };

const JSON_TYPES = /^(?:application\/(?:[\w.-]+\+)?json|text\/(?:json|plain)|application\/octet-stream|)$/;
const TEXT_TYPES = /^(?:text\/(?:plain|markdown|x-markdown)|application\/octet-stream|)$/;

/** The documents of a site. An HTML page, which many sites send for any path, is none. */
export const SITE_FORMATS: readonly Format[] = [
  { path: "/openapi.json", mediaTypes: JSON_TYPES, read: (bytes, from) => readOpenApi(parseLoosely(bytes), from) },
  {
    path: "/.well-known/x402",
    mediaTypes: JSON_TYPES,
    read: (bytes, from) => readWellKnown(parseLoosely(bytes), from),
  },
  {
    path: "/llms.txt",
    mediaTypes: TEXT_TYPES,
    isProse: true,
    read: (bytes, from) => readLlmsText(bytes.toString("utf8"), from),
  },
];

/** The JSON of a document; undefined if it is none. Repeated members are not looked for, as for a 402: it takes 40 ms a megabyte. */
export function parseLoosely(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

export const LISTINGS_MAX = 200;
const PATHS_MAX = 1_000;
const OFFERS_MAX = 64;
const URL_CHARACTERS_MAX = 400;
/** UTF-16 units that are kept of a raw text. */
const RAW_MAX = 600;
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

/** A stranger's text on one line, without what cannot be seen. */
export const cleanText = (raw: string, max: number): string =>
  firstCharacters(
    withoutInvisible(raw.slice(0, 2 * RAW_MAX))
      .replace(/\s+/g, " ")
      .trim(),
    max,
  );

/** The beginning of a text, as a copy: a slice, such as a line of a document, keeps the whole document in memory. */
export const rawText = (value: unknown): string => Buffer.from((textOf(value) ?? "").slice(0, RAW_MAX)).toString();

const listOf = (value: unknown, max: number): unknown[] => (Array.isArray(value) ? value.slice(0, max) : []);

/** A name with two parts, not of a network of its own. */
const PUBLIC_NAME = /^[a-z\d.-]+\.(?!(?:local|localhost|internal)$)[a-z\d-]+$/;

/** Null for what no buyer on the internet can request. `from`: who says it; one on this machine (a devnet) may name others there. */
export function readUrl(text: unknown, from: URL): string | null {
  if (typeof text !== "string" || text.length > URL_CHARACTERS_MAX) return null;
  const url = parseUrl(text, from);
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "") return null;
  const host = bareHost(url);
  const isPublic = isIP(host) === 0 ? PUBLIC_NAME.test(host) : isPublicAddress(host);
  url.hash = "";
  const href = url.href.replaceAll("%7B", "{").replaceAll("%7D", "}");
  const isReachable = isPublic || (isThisDevice(from) && isThisDevice(url));
  return isReachable && href.length <= URL_CHARACTERS_MAX ? href : null;
}

const readMethod = (value: unknown): string | null =>
  METHODS.find((method) => method === textOf(value)?.toUpperCase()) ?? null;

/**
 * An entry of `/.well-known/x402` or of a catalogue (x402 v1 and v2): a URL, "POST /path", or an object with `accepts`. Null if it names no
 * URL of the web, such as a tool of an MCP server.
 */
export function readItem(item: unknown, from: URL): Listing | null {
  if (typeof item === "string") {
    const [, method = null, target] = /^(?:([A-Z]{3,7})\s+)?(\S+)$/.exec(item.slice(0, URL_CHARACTERS_MAX + 8)) ?? [];
    const url = readUrl(target, from);
    return url === null ? null : { ...UNPRICED, url, method: readMethod(method) };
  }
  const { resource, url: target, type, accepts, description, metadata, extensions, method } = fieldsOf(item);
  const url = readUrl(textOf(resource) ?? fieldsOf(resource).url ?? target, from);
  if (url === null || (type !== undefined && type !== "http")) return null;
  const entries = listOf(accepts, OFFERS_MAX).map(fieldsOf);
  const [first = {}] = entries;
  const prices = entries.flatMap((entry) => readPrices("maxAmountRequired" in entry ? 1 : 2, entry, "x402"));
  const input = fieldsOf(
    fieldsOf(fieldsOf(fieldsOf(extensions).bazaar).info).input ?? fieldsOf(first.outputSchema).input,
  );
  return {
    url,
    method: readMethod(method ?? input.method),
    description:
      [description, fieldsOf(resource).description, first.description, fieldsOf(metadata).description]
        .map(rawText)
        .find((text) => text !== "") ?? "",
    prices,
    statedPrice: null,
    canBePaid: entries.length > 0 ? prices.length > 0 : null,
  };
}

const UNPRICED = { method: null, description: "", prices: [], statedPrice: null, canBePaid: null };

function readWellKnown(json: unknown, from: URL): SiteWords {
  const { resources, items, name, title, description } = fieldsOf(json);
  const listings = listOf(resources ?? items, LISTINGS_MAX).flatMap((item) => readItem(item, from) ?? []);
  return { title: rawText(title ?? name), about: rawText(description), listings };
}

/** Operations with `x-payment-info`, in the form of MPP's discovery draft or of AgentCash. */
function readOpenApi(json: unknown, from: URL): SiteWords {
  const { info, servers, paths } = fieldsOf(json);
  const server = readUrl(fieldsOf(listOf(servers, 1)[0]).url, from);
  const base = server === null ? from.origin : server.replace(/\/+$/, "");
  const listings = Object.entries(fieldsOf(paths))
    .slice(0, PATHS_MAX)
    .flatMap(([path, operations]) =>
      METHODS.flatMap((method): Listing[] => {
        const operation = fieldsOf(fieldsOf(operations)[method.toLowerCase()]);
        const payment = operation["x-payment-info"];
        if (typeof payment !== "object" || payment === null || !path.startsWith("/")) return [];
        const url = readUrl(base + path, from);
        if (url === null) return [];
        const description = rawText(operation.summary ?? operation.description);
        return [{ url, method, description, ...readPaymentInfo(fieldsOf(payment)) }];
      }),
    );
  const { title, description } = fieldsOf(info);
  return { title: rawText(title), about: rawText(description), listings: listings.slice(0, LISTINGS_MAX) };
}

const LINES_MAX = 2_000;

/** The title, the summary and the links of the llms.txt convention. Prices in its prose are not read. */
function readLlmsText(text: string, from: URL): SiteWords {
  const lines = text.split(/\r?\n/, LINES_MAX);
  const firstAfter = (mark: string) => rawText(lines.find((line) => line.startsWith(mark))?.slice(mark.length));
  const listings = lines.flatMap((line): Listing[] => {
    const [, name, target, note = ""] = /^\s*[-*] \[([^\]]{1,200})\]\(([^)\s]{1,400})\)(.*)$/.exec(line) ?? [];
    const url = readUrl(target, from);
    return url === null ? [] : [{ ...UNPRICED, url, description: rawText(`${name}${note}`) }];
  });
  return { title: firstAfter("# "), about: firstAfter("> "), listings: listings.slice(0, LISTINGS_MAX) };
}

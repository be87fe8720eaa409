import { DEFAULT_LANGUAGE, isLanguage, type Language } from "@/lib/core/language";
import { readRanges } from "./accept";

/** Set by proxy.ts only: a value sent by the client is overwritten. */
export const LANGUAGE_HEADER = "x-tessera-language";

/** The paths of pages for buyers. */
const FOR_BUYERS = /^\/(?:pay|embed\/pay|receipt|invoice)\/[^/]+\/?$/;

/** Whether the page at `path` is for buyers, and therefore in the language that they choose. */
export const isForBuyers = (path: string): boolean => FOR_BUYERS.test(path);

export type LanguageSources = {
  /** The parameter of the URL. */
  parameter: string | null | undefined;
  /** The visitor's last choice. */
  cookie: string | null | undefined;
  /** The header Accept-Language. */
  accepted: string | null | undefined;
};

/** The language of a page: from its URL, otherwise the visitor's last choice, otherwise the browser's preference. */
export function languageOf({ parameter, cookie, accepted }: LanguageSources): Language {
  if (isLanguage(parameter)) return parameter;
  if (isLanguage(cookie)) return cookie;
  return preferredLanguage(accepted) ?? DEFAULT_LANGUAGE;
}

/** The language that proxy.ts chose for a request of a page. */
export function requestedLanguage(headers: Pick<Headers, "get">): Language {
  const language = headers.get(LANGUAGE_HEADER);
  return isLanguage(language) ? language : DEFAULT_LANGUAGE;
}

/**
 * The supported language with the highest quality in an Accept-Language header (RFC 9110, 12.5.4); of two with the same quality, the
 * one named first. `de-AT` is German. `*` is the default, unless the header names it. Null: none is acceptable.
 */
export function preferredLanguage(header: string | null | undefined): Language | null {
  // An invalid weight counts as 0: what the visitor meant is unknown.
  const ranges = readRanges(header).map(({ name, quality }) => ({
    language: name.split("-", 1)[0] ?? "",
    quality: quality ?? 0,
  }));
  const named = new Set(ranges.map(({ language }) => language));
  let best: { language: Language; quality: number } | null = null;
  for (const { language, quality } of ranges) {
    const candidate = language === "*" && !named.has(DEFAULT_LANGUAGE) ? DEFAULT_LANGUAGE : language;
    if (isLanguage(candidate) && quality > (best?.quality ?? 0)) best = { language: candidate, quality };
  }
  return best?.language ?? null;
}

import { DEFAULT_LANGUAGE, isLanguage, type Language } from "@/lib/core/language";

/** Set by proxy.ts only: a value sent by the client is overwritten. */
export const LANGUAGE_HEADER = "x-tessera-language";

/** More ranges than a browser sends; the rest of a longer header is ignored. */
const RANGES_MAX = 50;

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
  const ranges = (header ?? "").split(",", RANGES_MAX).map((range) => {
    const [tag = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
    const weight = parameters.find((parameter) => /^q\s*=/.test(parameter))?.replace(/^q\s*=\s*/, "");
    // An invalid weight counts as 0: what the visitor meant is unknown.
    const isValid = weight === undefined || /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight);
    return { language: tag.split("-", 1)[0] ?? "", quality: isValid ? Number(weight ?? 1) : 0 };
  });
  const named = new Set(ranges.map(({ language }) => language));
  let best: { language: Language; quality: number } | null = null;
  for (const { language, quality } of ranges) {
    const candidate = language === "*" && !named.has(DEFAULT_LANGUAGE) ? DEFAULT_LANGUAGE : language;
    if (isLanguage(candidate) && quality > (best?.quality ?? 0)) best = { language: candidate, quality };
  }
  return best?.language ?? null;
}

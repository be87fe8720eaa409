/** The languages of buyers' pages, by their tags (BCP 47). Other pages are in English. */
export const LANGUAGES = ["en", "de"] as const;

export type Language = (typeof LANGUAGES)[number];

/** Of pages that exist in one language only, and of visitors who prefer no language that exists here. */
export const DEFAULT_LANGUAGE = "en" satisfies Language;

export const isLanguage = (text: unknown): text is Language => LANGUAGES.some((language) => language === text);

/** For numbers and dates. */
export const LOCALES = { en: "en-GB", de: "de-DE" } as const satisfies Record<Language, string>;

/** The value of `dir`. */
export const DIRECTIONS = { en: "ltr", de: "ltr" } as const satisfies Record<Language, "ltr" | "rtl">;

/** The parameter of a page's URL. */
export const LANGUAGE_PARAMETER = "lang";

/** The choice of a visitor who pressed the switch. Its value is a tag and nothing else. */
export const LANGUAGE_COOKIE = "tessera.language";

/** Between a number and its unit. DIN 5008 wants one at which no line ends. */
export const UNIT_SPACES = { en: " ", de: "\u00a0" } as const satisfies Record<Language, string>;

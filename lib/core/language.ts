/** The languages of buyers' pages, by their tags (BCP 47). Other pages are in English. */
export const LANGUAGES = ["en", "de"] as const;

export type Language = (typeof LANGUAGES)[number];

/** The language of untranslated pages, and of visitors whose preferred languages are not supported. */
export const DEFAULT_LANGUAGE = "en" satisfies Language;

export const isLanguage = (text: unknown): text is Language => LANGUAGES.some((language) => language === text);

/** The locales for numbers and dates. */
export const LOCALES = { en: "en-GB", de: "de-DE" } as const satisfies Record<Language, string>;

/** The HTML `dir` attribute of each language. */
export const DIRECTIONS = { en: "ltr", de: "ltr" } as const satisfies Record<Language, "ltr" | "rtl">;

/** The query parameter that selects the language of a page. */
export const LANGUAGE_PARAMETER = "lang";

/** Stores the language that a visitor selected. Its value is a language tag only. */
export const LANGUAGE_COOKIE = "tessera.language";

/** The space between a number and its unit. DIN 5008 requires a no-break space. */
export const UNIT_SPACES = { en: " ", de: "\u00a0" } as const satisfies Record<Language, string>;

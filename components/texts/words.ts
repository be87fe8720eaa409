import type { Language } from "@/lib/core/language";
import * as de from "./de";
import * as en from "./en";
import type { Words } from "./template";

const CATALOGUES = { en, de } as const satisfies Record<Language, object>;

/**
 * The texts of an area in one language. For server components only: the browser receives only the texts that they pass on. Pages import
 * this function; components get texts as a prop or from context.tsx.
 */
export const wordsOf = <Area extends keyof typeof en>(language: Language, area: Area): Words<(typeof en)[Area]> => ({
  language,
  texts: (CATALOGUES[language] as typeof en)[area],
});

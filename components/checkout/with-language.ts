import { inLanguage } from "@/components/texts/in-language";
import { LANGUAGE_PARAMETER } from "@/lib/core/language";

/** The address of another page for buyers, in the language that this page's URL names, if it names one. In the browser only. */
export const withLanguage = (href: string): string =>
  inLanguage(href, new URLSearchParams(location.search).get(LANGUAGE_PARAMETER));

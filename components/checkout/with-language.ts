import { inLanguage } from "@/components/texts/in-language";
import { LANGUAGE_PARAMETER } from "@/lib/core/language";

/** The URL of another page for buyers, with the language parameter of the current URL if there is one. In the browser only. */
export const withLanguage = (href: string): string =>
  inLanguage(href, new URLSearchParams(location.search).get(LANGUAGE_PARAMETER));

import { isLanguage, LANGUAGE_PARAMETER } from "@/lib/core/language";

/** The address of another page for buyers, in the language that the URL of this one names. `href` unchanged if it names none. */
export function inLanguage(href: string, named: unknown): string {
  if (!isLanguage(named)) return href;
  const [path = "", query = ""] = href.split("?", 2);
  const parameters = new URLSearchParams(query);
  parameters.set(LANGUAGE_PARAMETER, named);
  return `${path}?${parameters}`;
}

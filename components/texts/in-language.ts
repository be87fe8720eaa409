import { isLanguage, LANGUAGE_PARAMETER } from "@/lib/core/language";

/** The URL of another page for buyers, with the language parameter of the current one. Unchanged if `named` is no language. */
export function inLanguage(href: string, named: unknown): string {
  if (!isLanguage(named)) return href;
  const [path = "", query = ""] = href.split("?", 2);
  const parameters = new URLSearchParams(query);
  parameters.set(LANGUAGE_PARAMETER, named);
  return `${path}?${parameters}`;
}

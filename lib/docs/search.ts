import { type Section, sectionsOf } from "./markdown";
import type { Page, Site } from "./site";

export type Hit = { readonly href: string; readonly page: string; readonly heading: string; readonly excerpt: string };

export const QUERY_CHARACTERS_MAX = 100;
const WORDS_MAX = 8;
const HITS_MAX = 20;
const HITS_OF_PAGE_MAX = 2;
const EXCERPT_CHARACTERS = 180;

const POINTS = { label: 12, heading: 8, text: 1 } as const;

/** The words of a query in lower case: letters, digits and underscores. */
export const wordsOf = (query: string): readonly string[] =>
  [
    ...new Set(
      query
        .slice(0, QUERY_CHARACTERS_MAX)
        .toLowerCase()
        .match(/[\p{L}\p{N}_]+/gu) ?? [],
    ),
  ].slice(0, WORDS_MAX);

export const hitsText = (query: string, hits: readonly Hit[]): string => {
  const items = hits.map(({ href, page, heading, excerpt }) => `- [${heading}](${href}) (${page}): ${excerpt}`);
  return `# Results for “${wordsOf(query).join(" ")}”\n\n${items.join("\n") || "No page has all of these words."}\n`;
};

/** The sections that contain every word, best first, at most two per page. */
export function search(site: Site, query: string): readonly Hit[] {
  const terms = wordsOf(query);
  if (terms.length === 0) return [];
  const scoredHits = [site.home, ...site.pages].flatMap((page) => hitsIn(page, terms));
  return scoredHits
    .sort((a, b) => b.score - a.score)
    .slice(0, HITS_MAX)
    .map(({ hit }) => hit);
}

type Searchable = Section & { readonly lower: Record<"heading" | "text", string> };

/** Cached sections of each page: lexing takes longer than the search. */
const sectionsByPage = new WeakMap<Page, readonly Searchable[]>();

function sectionsIn(page: Page): readonly Searchable[] {
  const sections =
    sectionsByPage.get(page) ??
    sectionsOf(page.markdown).map((section) => ({
      ...section,
      lower: { heading: section.heading.toLowerCase(), text: section.text.toLowerCase() },
    }));
  sectionsByPage.set(page, sections);
  return sections;
}

function hitsIn(page: Page, terms: readonly string[]): { score: number; hit: Hit }[] {
  const label = page.label.toLowerCase();
  return sectionsIn(page)
    .map((section) => {
      const scores = terms.map((term) => scoreOf({ label, ...section.lower }, term, section.id === ""));
      return { section, score: scores.includes(0) ? 0 : scores.reduce((sum, score) => sum + score, 0) };
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, HITS_OF_PAGE_MAX)
    .map(({ section: { id, heading, text, lower }, score }) => {
      const href = id === "" ? page.path : `${page.path}#${id}`;
      return { score, hit: { href, page: page.label, heading, excerpt: excerptOf(text, lower.text, terms) } };
    });
}

/** The page's label counts for its first section only; otherwise it would match all of them. */
function scoreOf(places: Record<keyof typeof POINTS, string>, term: string, isFirst: boolean): number {
  const exact = isFirst && places.label === term ? POINTS.label : 0;
  return (Object.keys(POINTS) as (keyof typeof POINTS)[])
    .filter((place) => (place !== "label" || isFirst) && places[place].includes(term))
    .reduce((sum, place) => sum + POINTS[place], exact);
}

/** The text around the first match. */
function excerptOf(text: string, lower: string, terms: readonly string[]): string {
  const places = terms.map((term) => lower.indexOf(term)).filter((index) => index >= 0);
  const first = Math.max(0, Math.min(...places, text.length) - EXCERPT_CHARACTERS / 3);
  const from = first === 0 || places.length === 0 ? 0 : text.indexOf(" ", first) + 1;
  const part = text.slice(from, from + EXCERPT_CHARACTERS);
  return `${from > 0 ? "… " : ""}${part}${from + EXCERPT_CHARACTERS < text.length ? " …" : ""}`;
}

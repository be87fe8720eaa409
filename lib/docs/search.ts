import { type Section, sectionsOf } from "./markdown";
import type { Page, Site } from "./site";

export type Hit = { readonly href: string; readonly page: string; readonly heading: string; readonly excerpt: string };

export const QUERY_CHARACTERS_MAX = 100;
const WORDS_MAX = 8;
const HITS_MAX = 20;
const HITS_OF_PAGE_MAX = 2;
const EXCERPT_CHARACTERS = 180;

/** The points of a word in each place, and of a part of a word. */
const POINTS = {
  label: { whole: 16, part: 6 },
  summary: { whole: 12, part: 4 },
  heading: { whole: 10, part: 4 },
  text: { part: 1 },
} as const;
type Place = keyof typeof POINTS;
const NAMES = ["label", "summary", "heading"] as const satisfies readonly Place[];

/** For a query that is the label of a page, or the heading of a section. */
const SAME_POINTS = 30;
/** The pages of single errors are many and alike: others come first, unless the query is the code. */
const UNLISTED_FACTOR = 0.25;

/** Words of questions, which every page has: "how much does it cost". */
const STOP_WORDS = new Set(
  "a an and are at by can do does for from how i in is it me much my of on or the to what when where which who why with you".split(
    " ",
  ),
);

const WORD = /[\p{L}\p{N}_]+/gu;

/** The words of a query in lower case: letters, digits and underscores. */
export const wordsOf = (query: string): readonly string[] =>
  [...new Set(query.slice(0, QUERY_CHARACTERS_MAX).toLowerCase().match(WORD) ?? [])].slice(0, WORDS_MAX);

export const hitsText = (query: string, hits: readonly Hit[]): string => {
  const items = hits.map(({ href, page, heading, excerpt }) => `- [${heading}](${href}) (${page}): ${excerpt}`);
  return `# Results for “${wordsOf(query).join(" ")}”\n\n${items.join("\n") || "No page has all of these words."}\n`;
};

/** The sections that contain every word, best first, at most two per page. The index is not searched: it repeats the pages. */
export function search(site: Site, query: string): readonly Hit[] {
  const words = wordsOf(query);
  const meaningful = words.filter((word) => !STOP_WORDS.has(word));
  const terms = stemsOf(meaningful.length > 0 ? meaningful : words);
  if (terms.length === 0) return [];
  const scoredHits = site.pages.flatMap((page) => hitsIn(page, terms));
  return scoredHits
    .sort((a, b) => b.score - a.score)
    .slice(0, HITS_MAX)
    .map(({ hit }) => hit);
}

/** English plurals are searched as their singular: "fees" finds "fee". */
const stemOf = (word: string): string => (word.length > 3 && /[^su]s$/.test(word) ? word.slice(0, -1) : word);

type Searchable = Section & {
  readonly lower: Readonly<Record<Place, string>>;
  /** Of the text, which is long, a part of a word counts as much as a whole one. */
  readonly words: Readonly<Record<(typeof NAMES)[number], ReadonlySet<string>>>;
};

const stemsOf = (words: readonly string[]): readonly string[] => [...new Set(words.map(stemOf))];

const stemsIn = (lower: string): ReadonlySet<string> => new Set(stemsOf(lower.match(WORD) ?? []));

/** Cached sections of each page: lexing takes longer than the search. */
const sectionsByPage = new WeakMap<Page, readonly Searchable[]>();

function sectionsIn(page: Page): readonly Searchable[] {
  const sections =
    sectionsByPage.get(page) ??
    sectionsOf(page.markdown).map((section) => {
      // A page's label and summary count for its first section only; otherwise they would match all of them.
      const isFirst = section.id === "";
      const lower = {
        label: isFirst ? page.label.toLowerCase() : "",
        summary: isFirst ? page.summary.toLowerCase() : "",
        heading: section.heading.toLowerCase(),
        text: section.text.toLowerCase(),
      };
      const words = {
        label: stemsIn(lower.label),
        summary: stemsIn(lower.summary),
        heading: stemsIn(lower.heading),
      };
      return { ...section, lower, words };
    });
  sectionsByPage.set(page, sections);
  return sections;
}

function hitsIn(page: Page, terms: readonly string[]): { score: number; hit: Hit }[] {
  return sectionsIn(page)
    .map((section) => ({ section, score: scoreOf(section, terms, page.isListed) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, HITS_OF_PAGE_MAX)
    .map(({ section: { id, heading, text, lower }, score }) => {
      const href = id === "" ? page.path : `${page.path}#${id}`;
      return { score, hit: { href, page: page.label, heading, excerpt: excerptOf(text, lower.text, terms) } };
    });
}

/** 0 unless the section has every word. */
function scoreOf({ lower, words }: Searchable, terms: readonly string[], isListed: boolean): number {
  const scores = terms.map((term) => {
    const inNames = NAMES.reduce((sum, place) => {
      const { whole, part } = POINTS[place];
      return sum + (words[place].has(term) ? whole : lower[place].includes(term) ? part : 0);
    }, 0);
    return inNames + (lower.text.includes(term) ? POINTS.text.part : 0);
  });
  if (scores.includes(0)) return 0;
  const isSame = ([words.label, words.heading] as const).some(
    (name) => [...name].filter((word) => !STOP_WORDS.has(word)).join(" ") === terms.join(" "),
  );
  const score = scores.reduce((sum, points) => sum + points, 0);
  if (isSame) return score + SAME_POINTS;
  return isListed ? score : score * UNLISTED_FACTOR;
}

/** The text around the first match. */
function excerptOf(text: string, lower: string, terms: readonly string[]): string {
  const places = terms.map((term) => lower.indexOf(term)).filter((index) => index >= 0);
  const first = Math.max(0, Math.min(...places, text.length) - EXCERPT_CHARACTERS / 3);
  const from = first === 0 || places.length === 0 ? 0 : text.indexOf(" ", first) + 1;
  const part = text.slice(from, from + EXCERPT_CHARACTERS);
  return `${from > 0 ? "… " : ""}${part}${from + EXCERPT_CHARACTERS < text.length ? " …" : ""}`;
}

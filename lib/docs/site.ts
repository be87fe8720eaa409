import type { Calls } from "./calls";
import type { Generated } from "./generated";
import { DOCS } from "./links";
import { GROUPS } from "./pages";
import { HOME_FILE, readDocs } from "./read";

/** A page of the site. `path` is "/docs" or begins with "/docs/". Links are relative to `file`. */
export type Page = {
  readonly path: string;
  readonly label: string;
  /** One sentence without a full stop. */
  readonly summary: string;
  readonly group: string;
  readonly markdown: string;
  readonly file: string;
  /** Whether the navigation lists the page. Pages of single errors are not listed. */
  readonly isListed: boolean;
  readonly calls?: Calls;
};

export type Site = { readonly home: Page; readonly pages: readonly Page[] };

/** The group that comes after the generated pages. */
const OPERATORS = "Operate";

/** All pages in order. `baseUrl` is this service's origin. */
export function siteOf(baseUrl: string, generated: readonly Generated[]): Site {
  const written = GROUPS.flatMap(({ title: group, pages }) =>
    pages.map(({ slug, file, label, summary }): Page => {
      // The marker is for our tests.
      const markdown = readDocs(file, baseUrl).replace(/^(```\w+) runnable$/gm, "$1");
      return { path: `${DOCS}/${slug}`, label, summary, group, markdown, file, isListed: true };
    }),
  );
  const generatedPages = generated.map(({ slug, ...page }): Page => ({ path: `${DOCS}/${slug}`, file: "", ...page }));
  const isLater = ({ group }: Page) => group === OPERATORS;
  const pages = [...written.filter((page) => !isLater(page)), ...generatedPages, ...written.filter(isLater)];
  return { home: homeOf(baseUrl, pages), pages };
}

function homeOf(baseUrl: string, pages: readonly Page[]): Page {
  const markdown = `${readDocs(HOME_FILE, baseUrl)}\n${listOf(
    // The overview of the reference lists these.
    pages.filter(({ path }) => !path.startsWith(`${DOCS}/reference/`)),
    ({ path }) => path,
  )}`;
  return {
    path: DOCS,
    label: "Documentation",
    summary: "How agents pay and are paid, and how to run the service",
    group: "",
    markdown,
    file: HOME_FILE,
    isListed: false,
  };
}

/** The listed pages by group, with their summaries, as Markdown. */
export const listOf = (pages: readonly Page[], addressOf: (page: Page) => string): string =>
  groupsOf(pages)
    .map(({ title, pages: ofGroup }) => {
      const items = ofGroup.map((page) => `- [${page.label}](${addressOf(page)}): ${page.summary}.`);
      return `## ${title}\n\n${items.join("\n")}\n`;
    })
    .join("\n");

export type PageGroup = { readonly title: string; readonly pages: readonly Page[] };

/** The listed pages by group, in order. */
export function groupsOf(pages: readonly Page[]): readonly PageGroup[] {
  const listed = pages.filter(({ isListed }) => isListed);
  return [...new Set(listed.map(({ group }) => group))].map((title) => ({
    title,
    pages: listed.filter(({ group }) => group === title),
  }));
}

/** The page at a path. Paths of error pages are case-insensitive. */
export const pageAt = ({ home, pages }: Site, path: string): Page | undefined =>
  [home, ...pages].find((page) => page.path === path) ??
  pages.find((page) => !page.isListed && page.path.toLowerCase() === path.toLowerCase());

/** The listed pages before and after `page`. */
export function neighboursOf({ pages }: Site, page: Page): { previous: Page | undefined; next: Page | undefined } {
  const listed = groupsOf(pages).flatMap((group) => group.pages);
  const index = listed.indexOf(page);
  return index < 0
    ? { previous: undefined, next: undefined }
    : { previous: listed[index - 1], next: listed[index + 1] };
}

import { posix } from "node:path";
import { FILES, PUBLISHED_FILES } from "./pages";

export const DOCS = "/docs";

/**
 * The site address of a link in a Markdown file. The same link also works in the repository. `file` is relative to docs/. Null for
 * a repository file that the site does not publish.
 */
export function siteAddress(href: string, file: string): string | null {
  if (/^(?:[a-z]+:|#|\/)/.test(href)) return href;
  const [path = "", anchor] = href.split("#");
  const target = posix.join(posix.dirname(file), path);
  const hash = anchor === undefined ? "" : `#${anchor}`;
  const page = FILES.find((pageFile) => pageFile.file === target);
  if (page) return `${DOCS}/${page.slug}${hash}`;
  return PUBLISHED_FILES.includes(target) ? `${DOCS}/${target}` : null;
}

/** Rewrites links to the Markdown versions of the site's pages. */
export const withSiteLinks = (markdown: string, file: string): string =>
  markdown.replace(/\[([^[\]]*)\]\(([^()\s]+)\)/g, (link, text: string, href: string) => {
    const address = siteAddress(href, file);
    if (address === null) return text;
    const [path = "", anchor] = address.split("#");
    const isPage =
      path === DOCS || (path.startsWith(`${DOCS}/`) && !PUBLISHED_FILES.includes(path.slice(DOCS.length + 1)));
    if (!isPage) return href === address ? link : `[${text}](${address})`;
    return `[${text}](${path}.md${anchor === undefined ? "" : `#${anchor}`})`;
  });

import { DOCS, withSiteLinks } from "./links";
import { PUBLISHED_FILES } from "./pages";
import { readDocs } from "./read";
import { markdownResponse, noSuchPage, plainResponse } from "./responses";
import { hitsText, search } from "./search";
import { docsSite } from "./service";
import { pageAt } from "./site";

/** The text version of a path below /docs: a page or search result as Markdown, or a published file. */
export function textAt(baseUrl: string, path: readonly string[], query: string): Response {
  const file = path.join("/");
  if (PUBLISHED_FILES.includes(file)) return plainResponse(readDocs(file, baseUrl));
  const site = docsSite(baseUrl);
  if (file === "search") return markdownResponse(hitsText(query, search(site, query)));
  const page = pageAt(site, [DOCS, ...path].join("/"));
  return page ? markdownResponse(withSiteLinks(page.markdown, page.file)) : noSuchPage();
}

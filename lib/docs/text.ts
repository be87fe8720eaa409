import { DOCS, withSiteLinks } from "./links";
import { PUBLISHED_FILES } from "./pages";
import { readDocs } from "./read";
import { jsonResponse, markdownResponse, noSuchPage, plainResponse } from "./responses";
import { hitsText, search } from "./search";
import { type DocsConfig, docsSite } from "./service";
import { pageAt } from "./site";

/** The text version of a path below /docs: a page or search result as Markdown, hits as JSON, or a published file. */
export function textAt(config: DocsConfig, path: readonly string[], query: string): Response {
  const file = path.join("/");
  if (PUBLISHED_FILES.includes(file)) return plainResponse(readDocs(file, config.baseUrl));
  const site = docsSite(config);
  if (file === "search") return markdownResponse(hitsText(query, search(site, query)));
  if (file === "search.json") return jsonResponse(search(site, query));
  const page = pageAt(site, [DOCS, ...path].join("/"));
  return page ? markdownResponse(withSiteLinks(page.markdown, page.file)) : noSuchPage();
}

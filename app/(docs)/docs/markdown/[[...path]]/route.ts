import { DOCS, withSiteLinks } from "@/lib/docs/links";
import { markdownResponse, noSuchPage } from "@/lib/docs/responses";
import { docsSite } from "@/lib/docs/service";
import { pageAt } from "@/lib/docs/site";
import { system } from "@/lib/wiring";

/** The Markdown of a page: next.config.ts rewrites `.md` and `Accept: text/markdown` to it. */
export async function GET(_: Request, { params }: { params: Promise<{ path?: string[] }> }) {
  const { path = [] } = await params;
  const page = pageAt(docsSite(system().config.baseUrl), [DOCS, ...path].join("/"));
  return page ? markdownResponse(withSiteLinks(page.markdown, page.file)) : noSuchPage();
}

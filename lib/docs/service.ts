import { REFUSALS } from "@/lib/checkout/replies";
import { openApi } from "@/lib/openapi/document";
import { ENDPOINTS } from "@/lib/openapi/endpoints";
import type { ApiDocument } from "./api-document";
import { type CostConfig, costsPage } from "./costs";
import { catalogueOf, errorPages } from "./errors";
import { type Rendered, renderMarkdown } from "./markdown";
import { endpointAddress, referencePages } from "./reference";
import { type Page, type Site, siteOf } from "./site";

let built: { baseUrl: string; site: Site } | undefined;

export type DocsConfig = CostConfig;

/** The site with this service's origin. Built once per process, except in development, where files change. */
export function docsSite(config: DocsConfig): Site {
  const { baseUrl } = config;
  if (built?.baseUrl !== baseUrl || process.env.NODE_ENV === "development") {
    built = { baseUrl, site: build(config) };
  }
  return built.site;
}

const renderedPages = new WeakMap<Page, Rendered>();

/** A page as HTML. Cached, because rendering takes tens of milliseconds and the pages are public. */
export function renderedPage(page: Page): Rendered {
  const rendered = renderedPages.get(page) ?? renderMarkdown(page.markdown, page.file);
  renderedPages.set(page, rendered);
  return rendered;
}

/** Every error code of the service. */
export const errorCatalogue = () =>
  catalogueOf(
    ENDPOINTS.map(({ endpoint }) => endpoint),
    REFUSALS,
  );

function build(config: DocsConfig): Site {
  const { baseUrl } = config;
  // The JSON form that clients receive, without undefined members.
  const document = JSON.parse(JSON.stringify(openApi(baseUrl))) as ApiDocument;
  const addressOf = ({ method, path }: { method: string; path: string }) => endpointAddress(document, method, path);
  return siteOf(baseUrl, [
    costsPage(config),
    ...errorPages(errorCatalogue(), addressOf),
    ...referencePages(baseUrl, document),
  ]);
}

import { openApi } from "@/lib/openapi/document";
import type { ApiDocument } from "./api-document";
import { errorCatalogue, errorPages } from "./errors";
import { type Rendered, renderMarkdown } from "./markdown";
import { endpointAddress, referencePages } from "./reference";
import { type Page, type Site, siteOf } from "./site";

let built: { baseUrl: string; site: Site } | undefined;

/** The site with this service's origin. Built once per process, except in development, where files change. */
export function docsSite(baseUrl: string): Site {
  if (built?.baseUrl !== baseUrl || process.env.NODE_ENV === "development") {
    built = { baseUrl, site: build(baseUrl) };
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

function build(baseUrl: string): Site {
  // The JSON form that clients receive, without undefined members.
  const document = JSON.parse(JSON.stringify(openApi(baseUrl))) as ApiDocument;
  const addressOf = ({ method, path }: { method: string; path: string }) => endpointAddress(document, method, path);
  return siteOf(baseUrl, [...errorPages(errorCatalogue(), addressOf), ...referencePages(baseUrl, document)]);
}

import { type Site, siteOf } from "./site";

let built: { baseUrl: string; site: Site } | undefined;

/** The site with this service's origin in its text. Built once per process, except in development, where files change. */
export function docsSite(baseUrl: string): Site {
  if (built?.baseUrl !== baseUrl || process.env.NODE_ENV === "development") {
    built = { baseUrl, site: siteOf(baseUrl, []) };
  }
  return built.site;
}

import { gzipSync } from "node:zlib";

/** Limits of compressed scripts per page in KB: home, checkout, the public tools before the first scan, and all others. */
export const KB_MAX = { home: 90, checkout: 130, firewall: 250, other: 203 };
export const REQUESTS_MAX = 20;
/** All sections of the dashboard. */
export const DASHBOARD = [
  ...["", "/wallet", "/approvals", "/agents", "/mandates", "/payments", "/activity", "/links", "/invoices", "/payouts"],
  ...["/facilitator", "/webhooks", "/keys", "/settings"],
].map((page) => `/dashboard${page}`);

/** Compressed scripts of a document, and the number of files that it loads: itself, scripts, styles, fonts. */
export async function loaded(html: string, baseUrl: string): Promise<{ kilobytes: number; requests: number }> {
  const scripts = await Promise.all(scriptsIn(html).map(async (path) => compressed(new URL(path, baseUrl).href)));
  const others = new Set([...html.matchAll(/\/_next\/static\/[^"'\\]+\.(?:css|woff2)/g)].map(([path]) => path));
  const bytes = scripts.reduce((sum, script) => sum + script, 0);
  return { kilobytes: bytes / 1_000, requests: 1 + scripts.length + others.size };
}

/** Scripts that the document runs or preloads, except those for legacy browsers (nomodule). */
const scriptsIn = (html: string): string[] => {
  const tags = [...html.matchAll(/<(?:script|link)\b[^>]*>/g)].map(([tag]) => tag);
  const current = tags.filter((tag) => !/\bnomodule\b/i.test(tag));
  return [...new Set(current.flatMap((tag) => /(\/_next\/static\/[^"]+\.js)"/.exec(tag)?.[1] ?? []))];
};

/** The size of a file as the server compresses it. */
async function compressed(url: string): Promise<number> {
  const response = await fetch(url, { headers: { "accept-encoding": "gzip" } });
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  // The response has no length, and fetch decodes it, so it is compressed again.
  return gzipSync(await response.text(), { level: 6 }).length;
}

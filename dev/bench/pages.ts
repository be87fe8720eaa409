import { gzipSync } from "node:zlib";
import { getPaywallHtml } from "x402/paywall";
import { z } from "zod";
import { expectBody } from "../actors/api";
import type { Bench } from "./actors";
import { alone, compared, type Figure } from "./figures";

const created = z.object({ paymentLink: z.object({ linkId: z.string(), payTo: z.string() }) });

/** Compressed scripts that a page may have, in KB: home, checkout, and any other but the firewall's playground. */
const KB_MAX = { home: 90, checkout: 130, other: 200 };
const REQUESTS_MAX = 20;
/** Every section of the dashboard. */
const DASHBOARD = [
  ...["", "/wallet", "/approvals", "/agents", "/mandates", "/payments", "/activity", "/links", "/invoices", "/payouts"],
  ...["/facilitator", "/webhooks", "/settings"],
];

/** What a browser loads for a page before anything is pressed; the checkout beside the page of the reference implementation. */
export async function pageFigures({ stack: { baseUrl }, vendor, owner, progress }: Bench): Promise<Figure[]> {
  progress("Scripts of the pages");
  const answer = await vendor.call("POST", "/api/payment-links", { amount: "1000000", description: "Bench" });
  const { linkId, payTo } = expectBody(answer, 200, created, "/api/payment-links").paymentLink;
  const url = `${baseUrl}/pay/${linkId}`;
  const [home, docs] = [await fetchPage(baseUrl), await fetchPage(`${baseUrl}/docs`)];
  const checkout = await loaded(await fetchPage(url), baseUrl);
  const reference = gzipSync(inlineScripts(referencePage(url, payTo))).length / 1_000;
  const unit = "KB";
  const figures = [
    alone("scripts of the home page", (await loaded(home, baseUrl)).kilobytes, { unit, goal: { atMost: KB_MAX.home } }),
    alone("scripts of /docs", (await loaded(docs, baseUrl)).kilobytes, { unit, goal: { atMost: KB_MAX.other } }),
    alone("scripts of the checkout", checkout.kilobytes, { unit, goal: { atMost: KB_MAX.checkout } }),
    compared("scripts of the checkout", [checkout.kilobytes, reference], { unit, is: "paywall of npm x402" }),
  ];
  let most = checkout.requests;
  for (const path of DASHBOARD.map((page) => `/dashboard${page}`)) {
    const { status, text } = await owner.call("GET", path);
    if (status !== 200) throw new Error(`${path} answered ${status}`);
    const { kilobytes, requests } = await loaded(text, baseUrl);
    most = Math.max(most, requests);
    figures.push(alone(`scripts of ${path}`, kilobytes, { unit, goal: { atMost: KB_MAX.other } }));
  }
  return [
    ...figures,
    alone("most files of one of these pages", most, { unit: "files", goal: { atMost: REQUESTS_MAX } }),
  ];
}

async function fetchPage(url: string): Promise<string> {
  const answer = await fetch(url, { headers: { accept: "text/html" } });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}`);
  return answer.text();
}

/** The compressed scripts of a document, and how many files it loads: itself, scripts, styles, fonts. */
async function loaded(html: string, baseUrl: string): Promise<{ kilobytes: number; requests: number }> {
  const scripts = await Promise.all(scriptsIn(html).map(async (path) => compressed(new URL(path, baseUrl).href)));
  const others = new Set([...html.matchAll(/\/_next\/static\/[^"'\\]+\.(?:css|woff2)/g)].map(([path]) => path));
  const bytes = scripts.reduce((sum, script) => sum + script, 0);
  return { kilobytes: bytes / 1_000, requests: 1 + scripts.length + others.size };
}

/** Every script the document runs or preloads, without those for legacy browsers (nomodule). */
const scriptsIn = (html: string): string[] => {
  const tags = [...html.matchAll(/<(?:script|link)\b[^>]*>/g)].map(([tag]) => tag);
  const current = tags.filter((tag) => !/\bnomodule\b/i.test(tag));
  return [...new Set(current.flatMap((tag) => /(\/_next\/static\/[^"]+\.js)"/.exec(tag)?.[1] ?? []))];
};

const inlineScripts = (html: string): string =>
  [...html.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/g)].map(([, script]) => script).join("\n");

/** The length of a file as the server compresses it. */
async function compressed(url: string): Promise<number> {
  const answer = await fetch(url, { headers: { "accept-encoding": "gzip" } });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}`);
  // Chunked without a length, and decoded by fetch.
  return gzipSync(await answer.text(), { level: 6 }).length;
}

function referencePage(url: string, payTo: string): string {
  return getPaywallHtml({
    amount: 1,
    currentUrl: url,
    testnet: false,
    paymentRequirements: [
      {
        scheme: "exact",
        network: "base",
        maxAmountRequired: "1000000",
        resource: url as `${string}://${string}`,
        description: "Bench",
        mimeType: "application/json",
        payTo,
        maxTimeoutSeconds: 60,
        asset: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
      },
    ],
  });
}

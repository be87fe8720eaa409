import { gzipSync } from "node:zlib";
import { z } from "zod";
import { expectBody } from "../actors/api";
import type { Bench } from "./actors";
import { alone, compared, type Figure } from "./figures";
import { DASHBOARD, KB_MAX, loaded, REQUESTS_MAX } from "./page-scripts";
import { loadStock } from "./stock";

const created = z.object({ paymentLink: z.object({ linkId: z.string(), payTo: z.string() }) });

/** What a browser loads for a page before any interaction. The checkout is compared with the reference implementation's page. */
export async function pageFigures({ stack: { baseUrl }, vendor, owner, progress }: Bench): Promise<Figure[]> {
  progress("Scripts of the pages");
  const response = await vendor.call("POST", "/api/payment-links", { amount: "1000000", description: "Bench" });
  const { linkId, payTo } = expectBody(response, 200, created, "/api/payment-links").paymentLink;
  const url = `${baseUrl}/pay/${linkId}`;
  const [home, docs] = [await fetchPage(baseUrl), await fetchPage(`${baseUrl}/docs`)];
  const checkout = await loaded(await fetchPage(url), baseUrl);
  const reference = gzipSync(inlineScripts(await referencePage(url, payTo))).length / 1_000;
  const unit = "KB";
  const figures = [
    alone("scripts of the home page", (await loaded(home, baseUrl)).kilobytes, { unit, goal: { atMost: KB_MAX.home } }),
    alone("scripts of /docs", (await loaded(docs, baseUrl)).kilobytes, { unit, goal: { atMost: KB_MAX.other } }),
    alone("scripts of the checkout", checkout.kilobytes, { unit, goal: { atMost: KB_MAX.checkout } }),
    compared("scripts of the checkout", [checkout.kilobytes, reference], { unit, is: "paywall of npm x402" }),
  ];
  let most = checkout.requests;
  for (const path of DASHBOARD) {
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
  const response = await fetch(url, { headers: { accept: "text/html" } });
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return response.text();
}

const inlineScripts = (html: string): string =>
  [...html.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/g)].map(([, script]) => script).join("\n");

async function referencePage(url: string, payTo: string): Promise<string> {
  const { getPaywallHtml } = await loadStock();
  return getPaywallHtml({
    amount: 1,
    currentUrl: url,
    testnet: false,
    paymentRequirements: [
      {
        scheme: "exact",
        network: "base",
        maxAmountRequired: "1000000",
        resource: url,
        description: "Bench",
        mimeType: "application/json",
        payTo,
        maxTimeoutSeconds: 60,
        asset: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
      },
    ],
  });
}

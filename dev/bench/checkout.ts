import { gzipSync } from "node:zlib";
import { getPaywallHtml } from "x402/paywall";
import { z } from "zod";
import type { AgentActor } from "../actors/agents";
import { expectBody } from "../actors/api";
import type { Figure } from "./identity";

const created = z.object({ paymentLink: z.object({ linkId: z.string(), payTo: z.string() }) });

/** Bytes a buyer's browser loads before connecting a wallet, compared with the page of the reference implementation. */
export async function checkoutFigures(baseUrl: string, vendor: AgentActor): Promise<Figure[]> {
  const answer = await vendor.call("POST", "/api/payment-links", { amount: "1000000", description: "Bench" });
  const { linkId, payTo } = expectBody(answer, 200, created, "/api/payment-links").paymentLink;
  const url = `${baseUrl}/pay/${linkId}`;
  const page = await download(url, { accept: "text/html" });
  const scripts = await Promise.all(scriptsIn(page.text).map((path) => download(new URL(path, baseUrl).href)));
  const ours = scripts.reduce((bytes, script) => bytes + script.bytes, 0);
  return [
    {
      what: "scripts of the checkout page, compressed",
      ours: ours / 1000,
      other: gzipSync(inlineScripts(referencePage(url, payTo))).length / 1000,
      baseline: "paywall of the x402 reference",
      unit: "KB",
    },
  ];
}

/** Every script the document runs or preloads, without those for legacy browsers (nomodule). */
const scriptsIn = (html: string): string[] => {
  const tags = [...html.matchAll(/<(?:script|link)\b[^>]*>/g)].map(([tag]) => tag);
  const current = tags.filter((tag) => !/\bnomodule\b/i.test(tag));
  return [...new Set(current.flatMap((tag) => /(\/_next\/static\/[^"]+\.js)"/.exec(tag)?.[1] ?? []))];
};

const inlineScripts = (html: string): string =>
  [...html.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/g)].map(([, script]) => script).join("\n");

/** A response and its length on the wire. */
async function download(url: string, headers: Record<string, string> = {}) {
  const answer = await fetch(url, { headers: { "accept-encoding": "gzip", ...headers } });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}`);
  const text = await answer.text();
  // Chunked without a length: compress the decoded body again as the server does.
  return { text, bytes: gzipSync(text, { level: 6 }).length };
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

import { setTimeout as sleep } from "node:timers/promises";
import { HTTPFacilitatorClient } from "@x402/core/server";
import {
  extractDiscoveryInfo,
  extractDiscoveryInfoV1,
  isValidRouteTemplate,
  validateDiscoveryExtension,
  validateDiscoveryExtensionSpec,
  withBazaar,
} from "@x402/extensions/bazaar";
import { afterEach, describe, expect, test, vi } from "vitest";
import { LISTINGS_MIN } from "@/lib/links/listings/rules";
import { SHARED_SECONDS } from "@/lib/links/listings/service";
import { type Answer, BASE_URL, call, fetchPath } from "../support/http";
import { type Json, linkedPair, type Parties } from "../support/mandates";
import { runService } from "../support/service";

runService();
afterEach(() => vi.unstubAllGlobals());

const body = (response: Answer) => response.body as Json;
const decoded = (response: Answer): Json =>
  JSON.parse(Buffer.from(response.headers.get("payment-required") ?? "", "base64").toString());

let seller: Parties | undefined;
let listed = 0;
async function newLink(change: { isListed?: boolean } & Record<string, unknown> = {}): Promise<Json> {
  if (change.isListed && listed++ % LISTINGS_MIN === 0) seller = undefined;
  seller ??= await linkedPair();
  const json = { amount: "250000", description: "Weather of Bern", resourceContent: "the secret", ...change };
  return body(await call("POST", "/api/payment-links", { bearer: seller.agent.jwt, json })).paymentLink;
}
const change = (linkId: string, json: object) =>
  call("PATCH", `/api/payment-links/${linkId}`, { bearer: seller?.agent.jwt ?? "", json });

/** The catalogue as the client from npm reads it. */
function catalogue() {
  const realFetch = fetch;
  vi.stubGlobal("fetch", (input: string | URL | Request, init?: RequestInit) =>
    String(input).startsWith(`${BASE_URL}/`)
      ? fetchPath("GET", String(input).slice(BASE_URL.length))
      : realFetch(input, init),
  );
  return withBazaar(new HTTPFacilitatorClient({ url: BASE_URL })).extensions.bazaar;
}

const SCAN = "/api/transaction-firewall/sentinel/api/prompt-scan";

describe("the discovery declaration of", () => {
  test.each<[string, () => Promise<Answer>]>([
    ["a listed link", async () => call("GET", `/paymentlink/${(await newLink({ isListed: true })).linkId}`)],
    ["a scan, requested without a body", () => call("POST", SCAN)],
    ["a scan, requested with a body that is no JSON", () => call("POST", SCAN, { raw: "{" })],
    ["a UPL", async () => call("GET", await upl())],
  ])("%s is valid for the public npm package, in x402 v1 and v2", async (_, request) => {
    const response = await request();
    expect(response.status).toBe(402);
    const required = decoded(response);
    const { bazaar } = required.extensions;
    expect(validateDiscoveryExtensionSpec(bazaar)).toEqual({ valid: true });
    expect(validateDiscoveryExtension(bazaar)).toEqual({ valid: true });
    const payload = { x402Version: 2, ...required, accepted: required.accepts[0], payload: {} };
    expect(extractDiscoveryInfo(payload as never, required.accepts[0])).toMatchObject({
      method: bazaar.info.input.method,
      x402Version: 2,
    });
    const [v1] = body(response).accepts;
    expect(v1.outputSchema.input).toMatchObject({ type: "http", method: bazaar.info.input.method });
    // x402 v1 has no templates, so that a UPL would be an entry for each agent.
    const discoveryInfo = extractDiscoveryInfoV1(v1);
    expect(discoveryInfo === null).toBe(bazaar.routeTemplate !== undefined);
  });

  test("a UPL is one entry for all agents", async () => {
    const { routeTemplate } = decoded(await call("GET", await upl())).extensions.bazaar;
    expect(routeTemplate).toBe("/unifypaymentlink/agentid/:agentId");
    expect(isValidRouteTemplate(routeTemplate)).toBe(true);
  });

  test("an unlisted link is absent", async () => {
    const response = await call("GET", `/paymentlink/${(await newLink()).linkId}`);
    expect(Object.keys(decoded(response).extensions)).toEqual([
      "payment-identifier",
      "offer-receipt",
      "sign-in-with-x",
    ]);
    expect(extractDiscoveryInfoV1(body(response).accepts[0])).toBeNull();
  });
});

async function upl(): Promise<string> {
  seller ??= await linkedPair();
  return `/unifypaymentlink/agentid/${seller.agent.agentId}?amount=250000&asset=usdc`;
}

describe("the discovery catalogue", () => {
  /** What a reading shows that begins now. */
  const fresh = async <T>(read: () => Promise<T>): Promise<T> => {
    await sleep(SHARED_SECONDS * 1_000);
    return read();
  };
  const urls = async (filter: object = {}) =>
    (await catalogue().listResources({ limit: 100, ...filter })).items.map(({ resource }) => resource);

  test("lists the scans and the listed links with their prices, without their content", async () => {
    const listed = await newLink({ isListed: true });
    const hidden = await newLink();
    expect([listed.isListed, hidden.isListed]).toEqual([true, false]);
    const { items, pagination } = await fresh(() => catalogue().listResources({ limit: 100 }));
    expect(pagination).toEqual({ limit: 100, offset: 0, total: items.length });
    expect(items.map(({ resource }) => resource)).toContain(`${BASE_URL}${SCAN}`);
    expect(items.map(({ resource }) => resource)).not.toContain(hidden.url);
    expect(items.find(({ resource }) => resource === listed.url)).toMatchObject({
      type: "http",
      x402Version: 2,
      accepts: [{ scheme: "exact", network: "eip155:8453", amount: "250000", payTo: listed.payTo }],
      description: "Weather of Bern",
      lastUpdated: listed.updatedAt,
    });
    expect(JSON.stringify(items)).not.toContain("the secret");
  });

  test("drops a link within seconds after it is unlisted, disabled or deleted", async () => {
    const { linkId, url } = await newLink({ isListed: true });
    expect(await fresh(urls)).toContain(url);
    for (const [json, back] of [
      [{ isListed: false }, { isListed: true }],
      [{ status: "disabled" }, { status: "active" }],
    ]) {
      expect(await change(linkId, json ?? {})).toMatchObject({ status: 200 });
      expect(await fresh(urls)).not.toContain(url);
      await change(linkId, back ?? {});
      expect(await fresh(urls)).toContain(url);
    }
    const path = `/api/payment-links/${linkId}`;
    await call("DELETE", path, { bearer: seller?.agent.jwt ?? "" });
    expect(await fresh(urls)).not.toContain(url);
  });

  test("can be filtered and paged", async () => {
    const { url, payTo } = await newLink({ isListed: true, network: "base-sepolia" });
    expect(await fresh(() => urls({ network: "eip155:84532" }))).toContain(url);
    expect(await urls({ network: "base" })).not.toContain(url);
    expect(await urls({ payTo: payTo.toLowerCase() })).toContain(url);
    for (const nothing of [{ type: "mcp" }, { scheme: "upto" }, { network: "solana" }, { extensions: "toString" }]) {
      expect(await urls(nothing)).toEqual([]);
    }
    expect(await urls({ extensions: "bazaar", type: "http", scheme: "exact" })).toContain(url);
    const all = await fresh(urls);
    expect(await urls({ limit: 2, offset: 1 })).toEqual(all.slice(1, 3));
  });

  test("can be searched by words", async () => {
    const { url } = await newLink({ isListed: true, description: "Snow depth of the Alps" });
    const { resources, pagination, partialResults } = await catalogue().search({ query: "ALPS snow" });
    expect(resources.map(({ resource }) => resource)).toEqual([url]);
    expect([pagination, partialResults]).toEqual([{ limit: 20, cursor: null }, false]);
    expect((await catalogue().search({ query: "alps rain" })).resources).toEqual([]);
    const first = await catalogue().search({ query: "api", limit: 1 });
    expect(first.pagination?.cursor).toBe("1");
    const second = await catalogue().search({ query: "api", limit: 1, cursor: "1" });
    expect(second.resources[0]?.resource).not.toBe(first.resources[0]?.resource);
  });

  test.each([
    "limit=0",
    "limit=101",
    "limit=x",
    "offset=-1",
    "payTo=0x1",
    `type=${"x".repeat(201)}`,
    "limit=1&limit=2",
  ])("refuses the query ?%s", async (query) => {
    const response = await call("GET", `/discovery/resources?${query}`);
    expect(response).toMatchObject({ status: 400, body: { code: "INVALID_REQUEST" } });
  });

  test("is announced at the paths that crawlers read", async () => {
    const { url } = await newLink({ isListed: true });
    const response = await fresh(() => call("GET", "/.well-known/x402"));
    expect(response).toMatchObject({ status: 200, body: { version: 1, instructions: expect.any(String) } });
    expect(body(response).resources).toEqual(expect.arrayContaining([url, `${BASE_URL}${SCAN}`]));
    for (const resource of body(response).resources) {
      const { pathname } = new URL(resource);
      const path = pathname.replace(/^\/pay\//, "/paymentlink/");
      expect((await call(path.startsWith("/api/") ? "POST" : "GET", path)).status).toBe(402);
    }
  });
});

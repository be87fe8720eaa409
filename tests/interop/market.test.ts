import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { HTTPFacilitatorClient } from "@x402/core/server";
import { ExactEvmScheme } from "@x402/evm/exact/server";
import { paymentMiddleware, x402ResourceServer } from "@x402/express";
import {
  bazaarResourceServerExtension,
  declareDiscoveryExtension,
  extractDiscoveryInfo,
  withBazaar,
} from "@x402/extensions";
import express from "express";
import { assets, charge } from "mppx/evm/server";
import { discovery } from "mppx/express";
import { Mppx } from "mppx/server";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { ListDiscoveryResourcesResponseSchema } from "x402/types";
import { useFacilitator } from "x402/verify";
import type { Address } from "@/lib/core/address";
import { newOwner } from "../support/actors";
import { newKey, type SellerKey } from "../support/facilitator";
import { BASE_URL, fetchPath } from "../support/http";
import { freshAddress, type Json, signedMandate } from "../support/mandates";
import { connectV1, type McpClient } from "../support/mcp";
import { funded } from "../support/payouts";
import { startReceiver } from "../support/receiver";
import { until } from "../support/replica";
import { runService } from "../support/service";
import { server } from "../support/wiring";

/** Sites and catalogues made of published parts, unmodified, as search_services reads them. */
const service = runService();
const closing: (() => unknown)[] = [];
let client: McpClient;
let key: SellerKey;
let payTo: Address;

beforeAll(async () => {
  await server();
  payTo = freshAddress();
  key = await newKey((await newOwner()).session);
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});
afterAll(async () => {
  await service.restart({ CATALOGUES: "" });
});

async function connect(): Promise<void> {
  const mandate = await signedMandate({ limitAmount: "5000000" });
  await funded(service.world, mandate.owner, 10_000_000n);
  const connected = await connectV1(mandate.agent.token);
  closing.push(() => connected.close());
  client = connected;
}

async function listen(app: RequestListener): Promise<string> {
  const listening: Server = createServer(app).listen(0, "localhost");
  await new Promise((resolve) => listening.once("listening", resolve));
  closing.push(() => {
    listening.closeAllConnections();
    listening.close();
  });
  return `localhost:${(listening.address() as AddressInfo).port}`;
}

const search = async (args: object): Promise<Json> => (await client.call("search_services", args)).value;

test("the discovery document of mppx/express is read, with the price that its 402 states", async () => {
  await connect();
  const mppx = Mppx.create({
    methods: [charge({ currency: assets.base.USDC, recipient: payTo, settle: async () => ({ reference: "none" }) })],
    realm: "weather.example",
    secretKey: "a secret of the seller that only it has",
  });
  const handler = mppx.charge({ amount: "0.02", description: "Weather in “Bern”" });
  const app = express();
  // Its adapters' types come from their own copy.
  discovery(app as never, mppx as never, {
    info: { title: "Weather", version: "1.0.0" },
    routes: [{ method: "get", path: "/weather", handler: handler as never, summary: "Weather in Bern" }],
  });
  app.get("/weather", async (req, res) => {
    const answer = await handler(new Request(`http://${req.headers.host}${req.url}`));
    if (answer.status !== 402) return void res.end();
    const challenge = answer.challenge as Response;
    res.writeHead(402, Object.fromEntries(challenge.headers)).end(await challenge.text());
  });
  const host = await listen(app);
  const found = await search({ site: host });
  expect(found).toMatchObject({
    site: { host, title: "Weather", isWhole: true },
    services: [{ method: "GET", description: "Weather in Bern", source: { type: "site", host } }],
  });
  const [{ url, prices }] = found.services;
  expect(prices).toEqual([{ amount: "20000", network: "base", protocol: "mpp" }]);
  const { value } = await client.call("check_price", { url });
  expect(value).toMatchObject({ canBePaid: true, options: [{ amount: prices[0].amount, network: "base" }] });
});

/** A seller with the discovery extension, and the catalogue's entry that its published parser makes of the seller's 402. */
async function bazaarSeller() {
  const createAuthHeaders = async () => {
    const headers = { Authorization: `Bearer ${key.secret}` };
    return { verify: headers, settle: headers, supported: headers };
  };
  const facilitator = new HTTPFacilitatorClient({ url: `${BASE_URL}/facilitator`, createAuthHeaders });
  const resources = new x402ResourceServer(facilitator).register("eip155:8453", new ExactEvmScheme());
  resources.registerExtension(bazaarResourceServerExtension);
  const route = {
    accepts: [{ scheme: "exact" as const, price: "$0.25", network: "eip155:8453" as const, payTo }],
    description: "Snow depth by station",
    mimeType: "application/json",
    extensions: declareDiscoveryExtension({ input: { station: "Andermatt" } }),
  };
  const app = express();
  app.use(paymentMiddleware({ "GET /snow": route }, resources));
  app.get("/snow", (_, res) => void res.json({ depth: 120 }));
  const host = await listen(app);
  const header = (await fetch(`http://${host}/snow`)).headers.get("payment-required") ?? "";
  const { accepts, resource, extensions } = JSON.parse(Buffer.from(header, "base64").toString());
  const [accepted] = accepts;
  const discovered = extractDiscoveryInfo({ x402Version: 2, resource, accepted, extensions, payload: {} }, accepted);
  if (!discovered) throw new Error("the 402 declares nothing");
  return {
    url: `http://${host}/snow`,
    item: {
      resource: discovered.resourceUrl,
      type: "http",
      x402Version: 2,
      accepts: [accepted],
      lastUpdated: "2026-01-01T00:00:00.000Z",
      description: discovered.description,
      extensions: discovered.extensions,
    },
    accepted,
  };
}

test("what @x402/extensions catalogues of an @x402/express seller is found and bought, and x402 1.x reads it as v1", async () => {
  const { url, item, accepted } = await bazaarSeller();
  const { amount, ...terms } = accepted;
  const v1 = {
    resource: "https://v1.example/snow",
    type: "http",
    x402Version: 1,
    accepts: [
      {
        ...terms,
        network: "base",
        maxAmountRequired: amount,
        resource: "https://v1.example/snow",
        description: "Snow of old",
        mimeType: "application/json",
        outputSchema: { input: { type: "http", method: "POST", discoverable: true } },
      },
    ],
    lastUpdated: "2026-01-01T00:00:00.000Z",
  };
  const list = (x402Version: number, items: object[]) => ({
    x402Version,
    items,
    pagination: { limit: 100, offset: 0, total: items.length },
  });
  const lists: Record<string, object> = {
    "/v2/discovery/resources": list(2, [item]),
    "/v1/discovery/resources": list(1, [v1]),
  };
  const host = await listen((req, res) => {
    const { pathname } = new URL(req.url ?? "", "http://x");
    res.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(lists[pathname] ?? {}));
  });
  // The published clients read the same lists.
  const bazaar = withBazaar(new HTTPFacilitatorClient({ url: `http://${host}/v2` })).extensions.bazaar;
  expect((await bazaar.listResources({ type: "http" })).items).toMatchObject([{ resource: url }]);
  const listed = await useFacilitator({ url: `http://${host}/v1` }).list();
  const dated = listed.items.map((one) => ({ ...one, lastUpdated: new Date(one.lastUpdated) }));
  expect(ListDiscoveryResourcesResponseSchema.parse({ ...listed, items: dated }).items).toHaveLength(1);
  await service.restart({ CATALOGUES: `http://${host}/v2,http://${host}/v1` });
  await server();
  await connect();
  const isRead = async () => (await search({ query: "snow" })).services.length === 2;
  await until(isRead, "the catalogues to be read");
  const source = { type: "catalogue", host };
  const prices = [{ amount: "250000", network: "base", protocol: "x402" }];
  expect((await search({ query: "snow" })).services).toEqual([
    { url, method: "GET", description: "Snow depth by station", prices, source, isAboutOtherHost: true },
    {
      url: "https://v1.example/snow",
      method: "POST",
      description: "Snow of old",
      prices,
      source,
      isAboutOtherHost: true,
    },
  ]);
  const bought = await client.call("pay_url", { url, maxAmount: "250000", idempotencyKey: "snow-1" });
  expect(bought.value).toMatchObject({ outcome: "delivered", payment: { amount: "250000", payTo } });
  expect(JSON.parse(bought.value.answer.body)).toEqual({ depth: 120 });
});

test("this service's own documents and list can be read as those of another site and catalogue", async () => {
  const proxy = await startReceiver();
  closing.push(() => proxy.close());
  const host = `localhost:${proxy.port}`;
  proxy.answer(({ path }, res) => {
    fetchPath("GET", path)
      .then(async (answer) => res.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text()))
      .catch((error: unknown) => res.destroy(error as Error));
  });
  await service.restart({ CATALOGUES: `http://${host}` });
  await server();
  await connect();
  const isRead = async () => (await search({ query: "scan" })).catalogues[0].state === "read";
  await until(isRead, "the catalogue to be read");
  const found = await search({ query: "scan" });
  expect(found.catalogues).toEqual([{ host, state: "read", isWhole: true }]);
  // What a catalogue says of this service's own offers is not repeated.
  expect(found.services.length).toBeGreaterThan(0);
  expect(new Set(found.services.map(({ source }: Json) => source.type))).toEqual(new Set(["this_service"]));
  const site = await search({ site: host, limit: 20 });
  expect(site.site).toMatchObject({ host, isWhole: true });
  const listed = site.services.filter(({ url }: Json) => url.startsWith(`${BASE_URL}/api/transaction-firewall/`));
  expect(listed.length).toBeGreaterThan(0);
  for (const one of listed) expect(one).toMatchObject({ source: { type: "site", host }, isAboutOtherHost: true });
});

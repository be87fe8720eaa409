import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { Tessera } from "@tessera/client";
import { callPaidTool } from "@tessera/client/paid-tools";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { decodeHeader } from "@/lib/x402/header";
import { BASE_URL, call, fetchPath } from "../support/http";
import { type Json, linkedPair, type Parties, signedMandate } from "../support/mandates";
import { walletOf } from "../support/payouts";
import { shareService } from "../support/service";
import { claimFrom, paying } from "../support/system";

const PRICE = 10_000n;
const SECRET = "Bearer sk_very_secret_0123456789";
const ARGUMENTS = { city: "Bern", days: 2 };

const service = shareService();

type Mode = { isJson: boolean; hasSessions: boolean };
type Asked = { headers: IncomingMessage["headers"]; httpMethod: string; message: Json };

let seller: Parties;
let server: Server;
let url: string;
let mode: Mode;
let asked: Asked[];
/** Answers in place of the MCP server; null for a request that it answers itself. */
let refusing: ((message: Json) => { status: number; body: object } | null) | null;
const sessions = new Map<string, StreamableHTTPServerTransport>();

/** What `forecast` says that it cost. */
let costMeta: object;

type Place = { city: string; days: number };

function openTools(): McpServer {
  const server = new McpServer({ name: "weather", version: "1.0.0" });
  // The types of its arguments are too deep for the compiler.
  const tools: Json = server;
  const inputSchema = { city: z.string(), days: z.number() };
  tools.registerTool("forecast", { title: "Forecast", description: "Weather", inputSchema }, (place: Place) => ({
    content: [{ type: "text", text: `${place.city}: sunny for ${place.days} days` }],
    structuredContent: place,
    _meta: {
      "weather/source": "sky",
      "x402/payment-response": { success: true, transaction: "0xforged" },
      ...costMeta,
    },
  }));
  tools.registerTool("history", { inputSchema: {}, outputSchema: { n: z.number() } }, () => ({
    isError: true,
    content: [{ type: "text", text: "no history" }],
  }));
  tools.registerTool("leak", { inputSchema: {} }, () => ({ content: [{ type: "text", text: `key ${SECRET}` }] }));
  tools.registerTool("hidden", { inputSchema: {} }, () => ({ content: [{ type: "text", text: "not sold" }] }));
  return server;
}

async function transportFor(req: IncomingMessage): Promise<StreamableHTTPServerTransport> {
  const known = sessions.get(String(req.headers["mcp-session-id"]));
  if (known) return known;
  const { isJson: enableJsonResponse } = mode;
  const transport: StreamableHTTPServerTransport = mode.hasSessions
    ? new StreamableHTTPServerTransport({
        enableJsonResponse,
        sessionIdGenerator: () => crypto.randomUUID(),
        onsessioninitialized: (id) => void sessions.set(id, transport),
        onsessionclosed: (id) => void sessions.delete(id),
      })
    : new StreamableHTTPServerTransport({ enableJsonResponse });
  // Its types were not written for exactOptionalPropertyTypes.
  const tools = openTools();
  await tools.connect(transport as Parameters<typeof tools.connect>[0]);
  return transport;
}

beforeAll(async () => {
  server = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    const message = text === "" ? {} : JSON.parse(text);
    asked.push({ headers: req.headers, httpMethod: req.method ?? "", message });
    const refusal = refusing?.(message);
    if (refusal) {
      res.writeHead(refusal.status, { "content-type": "application/json" }).end(JSON.stringify(refusal.body));
      return;
    }
    await (await transportFor(req)).handleRequest(req, res, text === "" ? undefined : message);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://localhost:${(server.address() as AddressInfo).port}/mcp`;
  seller = await linkedPair();
});

afterAll(() => {
  server?.closeAllConnections();
  server?.close();
});

beforeEach(() => {
  mode = { isJson: true, hasSessions: false };
  [asked, costMeta] = [[], { "tessera/cost": "1" }];
  refusing = null;
});

const create = (upstream: object) =>
  call("POST", "/api/payment-links", {
    bearer: seller.agent.jwt,
    json: { amount: PRICE.toString(), title: "Weather", upstream: { kind: "mcp", url, ...upstream } },
  });

async function sells(upstream: object = {}): Promise<Json> {
  const response = await create({ headers: { Authorization: SECRET }, ...upstream });
  expect([response.status, response.body]).toMatchObject([200, { success: true }]);
  return (response.body as Json).paymentLink;
}

const toService = async (target: string | URL | Request, { method = "GET", headers, body }: RequestInit = {}) => {
  const { pathname, search } = new URL(target instanceof Request ? target.url : target);
  return fetchPath(method, pathname + search, { headers: new Headers(headers), ...(body && { body }) });
};

async function connect(link: Json, headers: Record<string, string> = {}): Promise<Client> {
  const client = new Client({ name: "buyer", version: "1.0.0" });
  const transport = new StreamableHTTPClientTransport(new URL(link.upstream.mcpUrl), {
    fetch: toService,
    requestInit: { headers },
  });
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  return client;
}

const proofFor = ({ payTo }: Json, amount = PRICE) =>
  decodeHeader(Object.values(paying(claimFrom(service.payer(), payTo, amount)))[0] ?? "");

const callTool = async (client: Client, name: string, args: object, payment?: unknown): Promise<Json> =>
  client.callTool({
    name,
    arguments: { ...args },
    ...(payment !== undefined && { _meta: { "x402/payment": payment } }),
  });

const callsMade = () => asked.filter(({ message }) => message.method === "tools/call");
const settled = async (link: Json): Promise<number> => {
  const [row] = await service.opened.sql`select count(*)::int as n from settlements
    where subject = ${link.linkId} and state = 'settled'`;
  return row?.n;
};

describe("a link to an MCP server", () => {
  test("shows its tools and its address, also while the server is down, and keeps its headers", async () => {
    const link = await sells({ url: "http://localhost:9/mcp/", tools: [{ name: "forecast", amount: "20000" }] });
    expect(link.upstream).toMatchObject({
      kind: "mcp",
      url: "http://localhost:9/mcp/",
      headerNames: ["authorization"],
      tools: [{ name: "forecast", amount: "20000" }],
      mcpUrl: `${BASE_URL}/mcp/${link.linkId}`,
    });
    const client = await connect(link);
    await expect(client.listTools()).rejects.toThrow(/does not list its tools \(unreachable\)/);
    const quote = await callTool(client, "forecast", ARGUMENTS);
    expect(quote).toMatchObject({ isError: true, structuredContent: { error: { code: "unavailable" } } });
    await client.close();
  });

  test.each([
    [{ methods: ["POST"] }, "upstream.methods"],
    [{ paths: [{ path: "/forecast" }] }, "upstream.paths"],
    [{ tools: [{ name: "a/b" }] }, "upstream.tools.0.name"],
    [{ tools: [{ name: ".." }] }, "upstream.tools.0.name"],
    [{ tools: [{ name: "a" }, { name: "A" }] }, "upstream.tools"],
    [{ kind: "http", tools: [] }, "upstream.tools"],
    [{ kind: "sse" }, "upstream.kind"],
  ])("is not created with %j", async (upstream, field) => {
    expect(await create(upstream)).toMatchObject({ status: 400, body: { code: "INVALID_REQUEST", field } });
  });

  test("has an address only for MCP, and an API has none", async () => {
    const api = await create({ kind: "http" });
    const { linkId } = (api.body as Json).paymentLink;
    const json = { jsonrpc: "2.0", id: 1, method: "tools/list" };
    for (const id of [linkId, `lnk_${"0".repeat(24)}`])
      expect(await call("POST", `/mcp/${id}`, { json })).toMatchObject({
        status: 404,
        body: { code: "LINK_NOT_FOUND" },
      });
    expect((await call("GET", `/mcp/${linkId}`)).status).toBe(405);
  });

  test("stays one, also after its upstream was removed: who paid may repeat a call", async () => {
    const { linkId, upstream } = await sells();
    const change = (to: object | null) =>
      call("PATCH", `/api/payment-links/${linkId}`, { bearer: seller.agent.jwt, json: { upstream: to } });
    const refusal = { status: 400, body: { code: "INVALID_REQUEST", field: "upstream.kind" } };
    expect(await change({ url: upstream.url })).toMatchObject(refusal);
    expect((await change(null)).status).toBe(200);
    expect(await change({ url: upstream.url, kind: "http" })).toMatchObject(refusal);
    expect((await change({ url: upstream.url, kind: "mcp" })).status).toBe(200);
  });

  test("takes no batch", async () => {
    const { linkId } = await sells();
    const json = [{ jsonrpc: "2.0", id: 1, method: "tools/list" }];
    expect(await call("POST", `/mcp/${linkId}`, { json })).toMatchObject({
      status: 400,
      body: { code: "INVALID_REQUEST" },
    });
  });

  test("is asked for its tools once, however many want to know a price", async () => {
    const link = await sells();
    const client = await connect(link);
    const quotes = Array.from({ length: 5 }, () => callTool(client, "forecast", ARGUMENTS));
    for (const quote of await Promise.all(quotes))
      expect(quote).toMatchObject({ structuredContent: { x402Version: 2 } });
    expect(asked.filter(({ message }) => message.method === "tools/list")).toHaveLength(1);
    await client.close();
  });
});

describe.each([
  ["JSON without sessions", { isJson: true, hasSessions: false }],
  ["events without sessions", { isJson: false, hasSessions: false }],
  ["JSON with sessions", { isJson: true, hasSessions: true }],
  ["events with sessions", { isJson: false, hasSessions: true }],
])("a server that answers with %s", (_, itsMode) => {
  beforeEach(() => {
    mode = itsMode;
  });

  test("has its sold tools listed with prices, and each call sold once", async () => {
    const link = await sells({ tools: [{ name: "forecast", amount: "20000" }, { name: "history" }] });
    const client = await connect(link);
    const { tools } = await client.listTools();
    expect(tools).toMatchObject([
      {
        name: "forecast",
        title: "Forecast",
        description: expect.stringMatching(/^Weather\n\nEach call costs 0.02 USDC on Base/),
        inputSchema: { type: "object", properties: { city: { type: "string" } } },
      },
      { name: "history", description: expect.stringMatching(/^Each call costs 0.01 USDC/) },
    ]);
    expect(tools[1]).not.toHaveProperty("outputSchema");

    const quote = await callTool(client, "forecast", ARGUMENTS);
    expect(quote).toMatchObject({
      isError: true,
      structuredContent: {
        x402Version: 2,
        resource: { url: `${link.upstream.paidUrl}/forecast` },
        accepts: [{ amount: "20000", payTo: link.payTo }],
      },
    });
    expect(JSON.parse(quote.content[0].text)).toEqual(quote.structuredContent);
    expect(quote._meta["x402/error"]).toEqual(quote.structuredContent);
    expect(callsMade()).toEqual([]);

    const proof = proofFor(link, 20_000n);
    const bought = await callTool(client, "forecast", ARGUMENTS, proof);
    expect(bought).toMatchObject({
      content: [{ type: "text", text: "Bern: sunny for 2 days" }],
      structuredContent: { city: "Bern", days: 2 },
      _meta: {
        "weather/source": "sky",
        "x402/payment-response": { success: true, payer: expect.any(String) },
      },
    });
    // The same arguments in another order are the same call, whose answer is kept.
    const again = await callTool(client, "forecast", { days: 2, city: "Bern" }, proof);
    expect(again.content).toEqual(bought.content);
    const other = await callTool(client, "forecast", { days: 3, city: "Bern" }, proof);
    expect(other).toMatchObject({ isError: true, structuredContent: { error: { code: "payment_already_used" } } });
    expect([callsMade().length, await settled(link)]).toEqual([1, 1]);
    const [{ headers = {} } = {}] = callsMade();
    expect(headers).toMatchObject({ authorization: SECRET, "idempotency-key": expect.stringMatching(/^stl_/) });
    expect(headers["tessera-payment"]).toEqual(expect.any(String));
    expect(headers["mcp-session-id"] !== undefined).toBe(itsMode.hasSessions);
    const withKey = asked.filter((request) => request.headers["idempotency-key"] !== undefined);
    expect(withKey.map(({ message }) => message.method)).toEqual(["tools/call"]);
    await client.close();
  });
});

test("one message is answered by itself, a notification without a body, and a page of elsewhere is refused", async () => {
  const path = `/mcp/${(await sells()).linkId}`;
  const send = (message: object, headers = {}) => call("POST", path, { json: { jsonrpc: "2.0", ...message }, headers });
  const ping = { id: 1, method: "ping" };
  expect(await send(ping)).toMatchObject({ status: 200, body: { id: 1, result: {} } });
  expect((await send({ method: "notifications/initialized" })).status).toBe(202);
  expect((await send(ping, { origin: "http://page.example" })).status).toBe(403);
});

describe("a call", () => {
  test("is paid for when the tool says that it failed, and not when the server does not have it or it is not sold", async () => {
    const link = await sells({ tools: [{ name: "history" }, { name: "gone" }] });
    const client = await connect(link);
    const failed = await callTool(client, "history", {}, proofFor(link));
    expect(failed).toMatchObject({ isError: true, content: [{ text: "no history" }] });
    expect(failed._meta["x402/payment-response"]).toMatchObject({ success: true });
    for (const name of ["gone", "hidden", "..", "a/b"])
      for (const payment of [undefined, proofFor(link)])
        expect(await callTool(client, name, {}, payment)).toMatchObject({
          isError: true,
          structuredContent: { error: { code: "path_not_offered" } },
        });
    expect(await settled(link)).toBe(1);
    await client.close();
  });

  test.each([
    [
      "a JSON-RPC error",
      (id: unknown) => ({ status: 200, body: { jsonrpc: "2.0", id, error: { code: -32_603, message: "x" } } }),
    ],
    ["a 503", () => ({ status: 503, body: {} })],
    ["a result that is none", (id: unknown) => ({ status: 200, body: { jsonrpc: "2.0", id, result: { text: "x" } } })],
    [
      "a price of the server's own",
      (id: unknown) => {
        const price = { x402Version: 2, resource: { url: "mcp://x" }, accepts: [{ scheme: "exact" }] };
        const result = { isError: true, content: [{ type: "text", text: JSON.stringify(price) }] };
        return { status: 200, body: { jsonrpc: "2.0", id, result } };
      },
    ],
    [
      "a wrapped price of the server's own",
      (id: unknown) => {
        const data = { x402Version: 2, resource: { url: "mcp://x" }, accepts: [{ scheme: "exact" }] };
        const structuredContent = { "x402/error": { code: 402, data } };
        return { status: 200, body: { jsonrpc: "2.0", id, result: { isError: true, content: [], structuredContent } } };
      },
    ],
    [
      "a price of the server's own in _meta",
      (id: unknown) => {
        const price = { x402Version: 2, resource: { url: "mcp://x" }, accepts: [{ scheme: "exact" }] };
        const result = {
          isError: true,
          content: [{ type: "text", text: "Pay first" }],
          _meta: { "x402/error": price },
        };
        return { status: 200, body: { jsonrpc: "2.0", id, result } };
      },
    ],
    [
      "a block of content with too many values to check it",
      (id: unknown) => {
        const content = [{ type: "text", text: "x", _meta: { numbers: Array.from({ length: 1_000 }, () => 0) } }];
        return { status: 200, body: { jsonrpc: "2.0", id, result: { content } } };
      },
    ],
    [
      "the response to another request",
      () => ({ status: 200, body: { jsonrpc: "2.0", id: 77, result: { content: [] } } }),
    ],
  ])("that %s ends has another try with the same proof", async (__, refusal) => {
    const link = await sells();
    const client = await connect(link);
    const proof = proofFor(link);
    refusing = ({ method, id }) => (method === "tools/call" ? refusal(id) : null);
    const failed = await callTool(client, "forecast", ARGUMENTS, proof);
    expect(failed).toMatchObject({ isError: true, structuredContent: { error: { code: "upstream_failed" } } });
    refusing = null;
    const repeated = await callTool(client, "forecast", ARGUMENTS, proof);
    expect(repeated).toMatchObject({ content: [{ text: "Bern: sunny for 2 days" }] });
    expect([callsMade().length, await settled(link)]).toEqual([2, 1]);
    await client.close();
  });

  test("delivers a result, and nothing that a client would take for this service's or would act on", async () => {
    const link = await sells();
    const client = await connect(link);
    const content = [{ type: "text", text: "done" }];
    const params = { mode: "url", url: "https://elsewhere.example", message: "Sign in", elicitationId: "e1" };
    const asking = {
      resultType: "input_required",
      inputRequests: { open: { method: "elicitation/create", params } },
      requestState: "s",
    };
    const _meta = {
      "tessera/cost": "1",
      "io.modelcontextprotocol/related-task": { taskId: "t" },
      "weather/source": "sky",
    };
    refusing = ({ method, id }) =>
      method === "tools/call"
        ? { status: 200, body: { jsonrpc: "2.0", id, result: { content, _meta, ...asking } } }
        : null;
    const answer = await callTool(client, "forecast", ARGUMENTS, proofFor(link));
    const receipt = { "x402/payment-response": expect.any(Object) };
    expect(answer).toEqual({ content, _meta: { "weather/source": "sky", ...receipt } });
    await client.close();
  });

  test("whose session cannot begin ends it", async () => {
    mode = { isJson: true, hasSessions: true };
    const link = await sells();
    refusing = ({ method }) => (method === "notifications/initialized" ? { status: 503, body: {} } : null);
    const client = await connect(link);
    await expect(client.listTools()).rejects.toThrow(/does not list its tools \(error\)/);
    await expect.poll(() => asked.map(({ httpMethod }) => httpMethod)).toEqual(["POST", "POST", "DELETE"]);
    await client.close();
  });

  test("does not deliver the seller's secret", async () => {
    const link = await sells();
    const client = await connect(link);
    const leaked = await callTool(client, "leak", {}, proofFor(link));
    expect(leaked).toMatchObject({ isError: true, structuredContent: { error: { code: "upstream_failed" } } });
    expect(JSON.stringify(leaked)).not.toContain("sk_very_secret");
    await client.close();
  });

  test("is delivered to who paid before, although the link is gone", async () => {
    const link = await sells();
    const client = await connect(link);
    const proof = proofFor(link);
    await callTool(client, "forecast", ARGUMENTS, proof);
    const deleted = await call("DELETE", `/api/payment-links/${link.linkId}`, { bearer: seller.agent.jwt });
    expect(deleted.status).toBe(200);
    const again = await callTool(client, "forecast", ARGUMENTS, proof);
    expect(again).toMatchObject({ content: [{ text: "Bern: sunny for 2 days" }] });
    await client.close();
  });

  test("is sold over HTTP too, where its body must be a JSON object", async () => {
    const link = await sells();
    const path = `/paid/${link.linkId}/forecast`;
    const headers = paying(claimFrom(service.payer(), link.payTo, PRICE));
    const refused = await call("POST", path, { json: [1], headers });
    expect(refused).toMatchObject({ status: 400, body: { code: "INVALID_JSON" } });
    const bought = await call("POST", path, { json: ARGUMENTS, headers });
    expect(bought).toMatchObject({ status: 200, body: { content: [{ text: "Bern: sunny for 2 days" }] } });
    expect(await call("GET", path)).toMatchObject({ status: 404, body: { code: "METHOD_NOT_OFFERED" } });
  });

  test("is bought by callPaidTool under a mandate, once when it is repeated with its key", async () => {
    const link = await sells();
    const buyer = await linkedPair();
    await service.world.mint(await walletOf(buyer.owner), 1_000_000n);
    const { mandateId } = await signedMandate({ hostAllowlist: ["localhost"] }, buyer);
    const { agentId, token } = buyer.agent;
    const tessera = new Tessera({ baseUrl: BASE_URL, agentId, token, fetch: toService });
    const client = await connect(link);
    const order = { tessera, serverUrl: link.upstream.mcpUrl, maxAmount: `${PRICE}`, mandateId, idempotencyKey: "one" };
    const buy = () => callPaidTool(client, { name: "forecast", arguments: ARGUMENTS }, order);
    const bought = await buy();
    expect(bought).toMatchObject({
      result: { content: [{ text: "Bern: sunny for 2 days" }] },
      settlement: { success: true, payer: bought.proof?.payer },
    });
    expect(await buy()).toMatchObject({
      result: { content: [{ text: "Bern: sunny for 2 days" }] },
      proof: bought.proof,
    });
    expect([callsMade().length, await settled(link)]).toEqual([1, 1]);
    await client.close();
  });

  async function connectOnPass(link: Json): Promise<Client> {
    const { pathname, search } = new URL(link.upstream.pass.url);
    const headers = paying(claimFrom(service.payer(), link.payTo, 15_000n));
    const { token } = ((await call("GET", pathname + search, { headers })).body as Json).pass;
    return connect(link, { Authorization: `Bearer ${token}` });
  }

  test("on a pass by use says what it took, whatever the server says", async () => {
    const client = await connectOnPass(await sells({ pass: { isByUse: true, amount: "15000" } }));
    for (const [cost, taken] of [
      ["2000", "2000"],
      [3_000, "3000"],
      ["90000", `${PRICE}`],
    ]) {
      costMeta = { "tessera/cost": cost };
      const { _meta } = await callTool(client, "forecast", ARGUMENTS);
      expect(_meta).toEqual({ "weather/source": "sky", "tessera/cost": taken });
    }
    await client.close();
  });

  test("is made on a pass, of a tool that the server lists", async () => {
    const link = await sells({ pass: { calls: 2, amount: "15000" } });
    const client = await connectOnPass(link);
    const unlisted = await callTool(client, "unlisted", {});
    expect(unlisted).toMatchObject({ isError: true, structuredContent: { error: { code: "path_not_offered" } } });
    expect(callsMade()).toEqual([]);
    for (const days of [1, 2]) {
      const { structuredContent, _meta } = await callTool(client, "forecast", { city: "Bern", days });
      // Nothing was paid for this call, whatever the server says.
      expect([structuredContent, _meta]).toEqual([{ city: "Bern", days }, { "weather/source": "sky" }]);
    }
    expect(await callTool(client, "forecast", ARGUMENTS)).toMatchObject({
      isError: true,
      structuredContent: { code: "PASS_USED_UP" },
    });
    await client.close();
  });

  test("is made on a pass of a tool that the link no longer sells", async () => {
    const link = await sells({ pass: { calls: 2, amount: "15000" }, tools: [{ name: "forecast" }] });
    const client = await connectOnPass(link);
    const upstream = { kind: "mcp", url: link.upstream.url, tools: [{ name: "history" }] };
    const path = `/api/payment-links/${link.linkId}`;
    expect((await call("PATCH", path, { bearer: seller.agent.jwt, json: { upstream } })).status).toBe(200);
    expect(await callTool(client, "forecast", ARGUMENTS)).toMatchObject({ structuredContent: ARGUMENTS });
    expect((await call("PATCH", path, { bearer: seller.agent.jwt, json: { upstream: null } })).status).toBe(200);
    expect(await callTool(client, "forecast", ARGUMENTS)).toMatchObject({ structuredContent: ARGUMENTS });
    await client.close();
  });
});

describe("the tools of a server", () => {
  const read = async (json: object) =>
    (
      await call("POST", "/api/upstream-document", {
        session: seller.owner.session,
        json: { kind: "mcp", url, ...json },
      })
    ).body;
  const result = (id: unknown, tools: object[]) => ({ status: 200, body: { jsonrpc: "2.0", id, result: { tools } } });
  const listing = (tools: object[]) => (message: Json) =>
    message.method === "tools/list" ? result(message.id, tools) : null;

  test("are read for the form of a link, with the headers that the seller typed", async () => {
    expect(await read({ headers: { Authorization: SECRET } })).toEqual({
      success: true,
      document: {
        url,
        title: "",
        methods: ["POST"],
        paths: ["forecast", "history", "leak", "hidden"].map((name) => ({ path: `/${name}`, amount: null })),
        leftOut: 0,
      },
      failure: null,
    });
    expect(asked.length).toBeGreaterThan(0);
    for (const { headers } of asked) expect(headers.authorization).toBe(SECRET);
  });

  test("are those that one link can sell", async () => {
    const names = ["a b", "Twice", "twice", ...Array.from({ length: 60 }, (_, index) => `tool_${index}`)];
    refusing = listing(names.map((name) => ({ name, inputSchema: { type: "object" } })));
    const { document } = (await read({})) as Json;
    expect([document.paths.length, document.paths[0].path, document.leftOut]).toEqual([50, "/twice", 13]);
  });

  test.each<[string, typeof refusing]>([
    ["refused", () => ({ status: 401, body: {} })],
    ["absent", () => ({ status: 404, body: {} })],
    ["unreadable", () => ({ status: 200, body: { text: "no MCP" } })],
    ["nothing_to_sell", listing([])],
  ])("are %s", async (failure, answer) => {
    refusing = answer;
    expect(await read({})).toEqual({ success: true, document: null, failure });
  });

  test("are not read where nothing answers, or at an address that is ours", async () => {
    expect(await read({ url: "http://localhost:9" })).toMatchObject({ document: null, failure: "unreachable" });
    expect(await read({ url: `${BASE_URL}/mcp` })).toMatchObject({
      code: "upstream_url_invalid",
      reason: "url_is_ours",
    });
  });
});

import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { BASE_URL, call } from "../support/http";
import { linkedPair, type Parties } from "../support/mandates";
import { shareService } from "../support/service";

shareService();

const DOCUMENT = {
  openapi: "3.1.0",
  info: { title: "Quotes" },
  servers: [{ url: "/v1" }],
  paths: { "/quotes/{symbol}": { get: { "x-payment-info": { price: "0.02" } } }, "/a/{b}/{c}": { get: {} } },
};

let api: Server;
let origin: string;
let seller: Parties;
let asked: { path: string; headers: object }[];
let documents: Record<string, { status?: number; headers?: Record<string, string>; body: string }>;

beforeAll(async () => {
  api = createServer(({ url: path = "", headers }, res) => {
    asked.push({ path, headers });
    const { status = 200, headers: sent = {}, body } = documents[path] ?? { status: 404, body: "" };
    res.writeHead(status, sent).end(body);
  });
  await once(api.listen(0, "127.0.0.1"), "listening");
  origin = `http://localhost:${(api.address() as AddressInfo).port}`;
  seller = await linkedPair();
});

afterAll(() => {
  api.closeAllConnections();
  api.close();
});

beforeEach(() => {
  asked = [];
  documents = {};
});

const read = (url = `${origin}/v1`) =>
  call("POST", "/api/upstream-document", { session: seller.owner.session, json: { url } });

describe("the OpenAPI document of an API", () => {
  test.each(["/v1/openapi.json", "/openapi.json"])("is read at %s, without a credential", async (path) => {
    documents = { [path]: { body: JSON.stringify(DOCUMENT) } };
    expect((await read()).body).toEqual({
      success: true,
      document: {
        url: `${origin}${path}`,
        title: "Quotes",
        methods: ["GET"],
        paths: [{ path: "/quotes/{symbol}", amount: "20000" }],
        leftOut: 1,
      },
      failure: null,
    });
    for (const { headers } of asked) expect(Object.keys(headers)).not.toContain("authorization");
  });

  test.each([
    ["absent", { status: 404, body: JSON.stringify(DOCUMENT) }],
    ["absent", { status: 302, headers: { location: "/v1/other.json" }, body: "" }],
    ["unreadable", { body: "openapi: 3.1.0" }],
    ["unreadable", { body: JSON.stringify({ ...DOCUMENT, padding: "x".repeat(1_000_000) }) }],
    ["unreadable", { body: "[".repeat(100_000) }],
    ["nothing_to_sell", { body: JSON.stringify({ ...DOCUMENT, paths: { "/a/{b}/{c}": { get: {} } } }) }],
  ])("is %s", async (failure, document) => {
    documents = { "/v1/openapi.json": document, "/openapi.json": document, "/v1/other.json": { body: "{}" } };
    expect((await read()).body).toEqual({ success: true, document: null, failure });
    expect(asked.map(({ path }) => path)).toEqual(["/v1/openapi.json", "/openapi.json"]);
  });

  test("is not read where nothing answers", async () => {
    expect((await read("http://localhost:9")).body).toEqual({ success: true, document: null, failure: "unreachable" });
  });

  test.each([
    ["url_is_ours", () => BASE_URL],
    ["url_not_https", () => "http://api.example.com"],
    ["url_not_public", () => "https://10.0.0.1"],
    ["url_has_query", () => `${origin}/?a=b`],
  ])("is not requested when %s", async (reason, url) => {
    const response = await read(url());
    expect([response.status, response.body]).toMatchObject([400, { code: "upstream_url_invalid", reason }]);
    expect(asked).toEqual([]);
  });
});

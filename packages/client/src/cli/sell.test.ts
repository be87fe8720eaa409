import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { BASE_URL, type Handler, json, scripted } from "../../testing/script.ts";
import { run } from "./run.ts";

const API = "https://api.example.com/v1";
const SECRET = "Bearer sk_secret_0123456789";
let directory: string;
const file = (name: string) => join(directory, name);

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "tessera-sell-"));
  writeFileSync(file("headers"), `Authorization: ${SECRET}\n\nX-Key: a:b\n`);
  writeFileSync(file("openapi.json"), JSON.stringify(DOCUMENT));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const DOCUMENT = {
  openapi: "3.1.0",
  info: { title: "Quotes" },
  paths: {
    "/quotes/{symbol}": { get: { "x-payment-info": { price: "0.02" } } },
    "/report": { get: {} },
    "/a/{b}/{c}": { get: {} },
  },
};

/** The service: it returns what it stores. */
const created: Handler = ({ body }) => {
  const { title = null, upstream } = JSON.parse(body);
  const paidUrl = `${BASE_URL}/paid/lnk_1`;
  return json(200, { paymentLink: { linkId: "lnk_1", title, upstream: { ...upstream, paidUrl } } });
};

async function sell(
  argv: string[],
  { input = "", handlers = {} }: { input?: string; handlers?: Record<string, Handler> } = {},
) {
  const written = { out: "", err: "" };
  const { fetch, sent } = scripted({ "POST /api/payment-links": created, ...handlers });
  const code = await run(["sell", ...argv], {
    env: {
      TESSERA_URL: BASE_URL,
      TESSERA_AGENT_ID: "a1",
      TESSERA_TOKEN: "tok",
      TESSERA_CONFIG_DIR: directory,
      API_KEY: SECRET.slice("Bearer ".length),
    },
    out: (text) => {
      written.out += text;
    },
    err: (text) => {
      written.err += text;
    },
    isTerminal: true,
    readIn: async () => input,
    lines: async function* () {},
    fetch,
    signal: new AbortController().signal,
  });
  expect(written.out + written.err).not.toContain("sk_secret");
  const creation = sent.find(({ url }) => url.endsWith("/api/payment-links"));
  return { code, ...written, body: creation && JSON.parse(creation.body) };
}

describe("the sell command", () => {
  test("puts a price on an API and prints where buyers request it", async () => {
    const paths = ["--path", "/quotes/{symbol}=0.02", "--path", "/report"];
    const header = ["--header", "Authorization: Bearer $API_KEY"];
    const { code, out, body } = await sell([API, "--price", "0.01", ...paths, ...header, "--method", "get,put"]);
    expect([code, out]).toEqual([
      0,
      `paidUrl: ${BASE_URL}/paid/lnk_1\nlinkId: lnk_1\nprices: /quotes/{symbol} 0.02, /report 0.01\n`,
    ]);
    expect(body).toEqual({
      amount: "10000",
      upstream: {
        url: API,
        headers: { Authorization: SECRET },
        methods: ["GET", "PUT"],
        paths: [
          { path: "/quotes/{symbol}", amount: "20000" },
          { path: "/report", amount: null },
        ],
      },
    });
  });

  test("sells every path if none is named, and prints JSON", async () => {
    const { code, out, body } = await sell([API, "--price", "0.01", "--title", "Quotes", "--json"]);
    expect([code, JSON.parse(out)]).toEqual([
      0,
      { paidUrl: `${BASE_URL}/paid/lnk_1`, linkId: "lnk_1", title: "Quotes", prices: [] },
    ]);
    expect(body.upstream).toEqual({ url: API, paths: [] });
  });

  test.each([
    ["headers", ""],
    ["-", `Authorization: ${SECRET}\r\nX-Key: a:b`],
  ])("reads headers from %s", async (source, input) => {
    const path = source === "-" ? source : file(source);
    const { body } = await sell([API, "--price", "0.01", "--headers", path], { input });
    expect(body.upstream.headers).toEqual({ Authorization: SECRET, "X-Key": "a:b" });
  });

  test.each(["file", "https://api.example.com/openapi.json"])(
    "reads paths and prices from the OpenAPI document at %s, and takes those that are named first",
    async (source) => {
      const handlers = { "/openapi.json": () => json(200, DOCUMENT) };
      const openapi = ["--openapi", source === "file" ? file("openapi.json") : source];
      const { out, body } = await sell([API, "--price", "0.01", "--path", "/report=5", ...openapi], { handlers });
      expect(out).toContain("title: Quotes\nprices: /report 5.00, /quotes/{symbol} 0.02\nleftOut: 1\n");
      expect(body).toEqual({
        amount: "10000",
        title: "Quotes",
        upstream: {
          url: API,
          methods: ["GET"],
          paths: [
            { path: "/report", amount: "5000000" },
            { path: "/quotes/{symbol}", amount: "20000" },
          ],
        },
      });
    },
  );

  test.each([
    [404, {}, "answered 404"],
    [200, { x: "x".repeat(1_000_001) }, "larger than 1 MB"],
  ])("exits with 1 if the document is answered %i", async (status, document, reason) => {
    const handlers = { "/openapi.json": () => json(status, document) };
    const result = await sell([API, "--price", "1", "--openapi", "https://api.example.com/openapi.json"], { handlers });
    expect(result).toMatchObject({ code: 1, err: expect.stringContaining(reason), body: undefined });
  });

  test.each([
    [[]],
    [["api.example.com", "--price", "1"]],
    [[API]],
    [[API, "--price", "1,5"]],
    [[API, "--price", "1", "--path", "quotes"]],
    [[API, "--price", "1", "--path", "/a=b"]],
    [[API, "--price", "1", "--path", "/v1/*=0.02"]],
    [[API, "--price", "1", "--method", "HEAD"]],
    [[API, "--price", "1", "--header", "Authorization"]],
    [[API, "--price", "1", "--header", "Authorization: $NOT_SET"]],
    [[API, "--price", "1", "--headers", "/no/such/file"]],
    [[API, "--price", "1", "--openapi", "/no/such/file"]],
  ])("with %j exits with 2 and creates nothing", async (argv) => {
    expect(await sell(argv)).toMatchObject({ code: 2, body: undefined });
  });

  test("exits with 2 if the document names nothing that can be sold", async () => {
    writeFileSync(file("empty.json"), JSON.stringify({ openapi: "3.1.0", paths: {} }));
    for (const name of ["empty.json", "headers"])
      expect(await sell([API, "--price", "1", "--openapi", file(name)])).toMatchObject({ code: 2, body: undefined });
  });
});

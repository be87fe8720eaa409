import { Agent, createServer, request as openRequest } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { buffer, text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { jsonResponse, toResponse, WholeResponse } from "@/lib/core/whole-response";
import { type Handler, openHandlers } from "./handlers.mjs";
import { createRouter } from "./routes.mjs";

const encode = (text: string) => new TextEncoder().encode(text);

const long = JSON.stringify({ text: "a".repeat(5_000) });
const TEXTS: Record<string, WholeResponse> = {
  short: jsonResponse('{"text":"grüße"}', { status: 200 }),
  priced: jsonResponse(long, {
    status: 402,
    headers: { "WWW-Authenticate": 'Payment id="1"', "PAYMENT-REQUIRED": "e30=", "Cache-Control": "no-store" },
  }),
  verbatim: jsonResponse(long, { status: 200, headers: { "Cache-Control": "no-store, no-transform" } }),
  empty: new WholeResponse(201, new Map([["content-type", "text/plain"]]), ""),
  binary: jsonResponse(long, { status: 200, headers: { "Content-Type": "application/octet-stream" } }),
  latin: jsonResponse('{"text":"€"}', { status: 503, headers: { "X-Name": "Zoë", "Retry-After": "2" } }),
};
const textOf = async (segments: { params: Promise<Record<string, string>> }): Promise<WholeResponse> => {
  const response = TEXTS[(await segments.params).name ?? ""];
  if (!response) throw new Error("no such text");
  return response;
};
const respondInFull: Handler = async (_, segments) => toResponse(await textOf(segments));

const HANDLERS: Record<string, Record<string, Handler>> = {
  "/full/{name}": { GET: respondInFull },
  "/text/{name}": {
    GET: Object.assign(() => Promise.reject(new Error("not called")), {
      serve: (_: Request, segments: Parameters<Handler>[1]) => textOf(segments),
    }),
  },
  "/things/{thingId}": {
    GET: async (req, { params }) =>
      Response.json({ ...(await params), url: req.url, caller: req.headers.get("x-caller") }),
    POST: async (req) => {
      const headers: [string, string][] = [
        ["set-cookie", "a=1"],
        ["set-cookie", "b=2"],
        ["content-type", "text/plain"],
      ];
      return new Response(await req.text(), { status: 201, headers });
    },
  },
  "/things/new": { GET: async () => Response.json({ is: "new" }) },
  "/signal": {
    POST: async (req) => {
      signals.push(req.signal);
      if (req.url.endsWith("?hangs")) await new Promise(() => {});
      return new Response("answered");
    },
  },
  "/unread": { POST: async () => Response.json({ error: "too large" }, { status: 413 }) },
  "/empty": { DELETE: async () => new Response(null, { status: 204 }) },
  "/long": { GET: async () => Response.json({ text: "a".repeat(5_000) }) },
  "/throws": { GET: () => Promise.reject(new Error("no")) },
  "/events": {
    GET: async () => {
      const start = (c: ReadableStreamDefaultController) => c.enqueue(encode("data: 1\n\n"));
      const cancel = () => {
        isCancelled = true;
      };
      return new Response(new ReadableStream({ start, cancel }), { headers: { "content-type": "text/event-stream" } });
    },
  },
  "/silent": {
    GET: async () => new Response(new ReadableStream(), { headers: { "content-type": "text/event-stream" } }),
  },
  "/passed/{thingId}/{...path}": {
    GET: async (req, { params }) => {
      const headers = { "content-type": "text/plain", "cache-control": "no-store, no-transform" };
      return new Response(`${new URL(req.url).pathname} ${(await params).thingId} ${"a".repeat(5_000)}`, { headers });
    },
  },
  "/lines": {
    GET: async (req) => {
      const fails = req.url.endsWith("?fails");
      let index = 0;
      const pull = async (c: ReadableStreamDefaultController) => {
        await sleep(5);
        index++;
        if (index <= 50) c.enqueue(encode(`line ${index},`));
        else if (fails) c.error(new Error("no more"));
        else c.close();
      };
      const length = req.url.endsWith("?measured") && { "content-length": `${lines.length}` };
      return new Response(new ReadableStream({ pull }), { headers: { "content-type": "text/csv", ...length } });
    },
  },
};
const lines = Array.from({ length: 50 }, (_, index) => `line ${index + 1},`).join("");
let isCancelled = false;
const signals: AbortSignal[] = [];

const router = createRouter({
  ...Object.fromEntries(
    Object.entries(HANDLERS).map(([path, handlers]) => [path, { methods: Object.keys(handlers), module: path }]),
  ),
  "/rest/{...path}": { methods: ["GET"], module: null },
  "/pay/{linkId}": { methods: ["GET"], module: null },
});

const server = createServer();
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
let port = 0;

beforeAll(async () => {
  const handlers = openHandlers(router, (module) => HANDLERS[module] ?? {});
  server.on("request", (req, res) => {
    req.headers["x-caller"] = "192.0.2.1";
    handlers.respond(req, res).then(
      (isAnswered) => isAnswered || res.writeHead(299).end("next"),
      (error: unknown) => res.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  port = (server.address() as AddressInfo).port;
});

afterAll(() => {
  agent.destroy();
  server.close();
});

type Sent = { method?: string; headers?: Record<string, string>; body?: string | Buffer };
type Got = { status: number; headers: Record<string, string | string[] | undefined>; text: string };

/** Sends the path as it is, over one connection. */
const send = (path: string, { method = "GET", headers = {}, body }: Sent = {}): Promise<Got> =>
  new Promise((resolve, reject) => {
    const req = openRequest({ agent, host: "127.0.0.1", port, path, method, headers }, (res) => {
      const chunks: Buffer[] = [];
      res.on("data", (chunk: Buffer) => chunks.push(chunk));
      res.once("error", reject);
      res.once("end", () =>
        resolve({ status: res.statusCode ?? 0, headers: res.headers, text: Buffer.concat(chunks).toString() }),
      );
    });
    req.once("error", reject);
    req.end(body);
  });

test("a handler gets the path parameters, the query as sent and the added headers", async () => {
  const { status, text } = await send("/things/7?a=%20b&__proto__=1");
  expect(status).toBe(200);
  expect(JSON.parse(text)).toEqual({
    thingId: "7",
    url: "http://localhost/things/7?a=%20b&__proto__=1",
    caller: "192.0.2.1",
  });
});

test("a literal path segment has priority over a parameter", async () => {
  expect((await send("/things/new")).text).toBe('{"is":"new"}');
});

describe("the server leaves to Next", () => {
  test.each([
    "/things",
    "/things/",
    "/things/7/",
    "/things/7/8",
    "//things/7",
    "/things/%37",
    "/Things/7",
    "/",
    "/rest/a",
    "/pay/lnk_1",
    "/page",
    "*",
  ])("the path %s", async (path) => {
    expect(await send(path)).toMatchObject({ status: 299, text: "next" });
  });

  test.each(["HEAD", "OPTIONS", "PUT"])("the method %s", async (method) => {
    expect((await send("/things/7", { method })).status).toBe(299);
  });
});

test("a handler can read a body, and every cookie is sent", async () => {
  const { status, headers, text } = await send("/things/7", { method: "POST", body: "grüße" });
  expect({ status, text }).toEqual({ status: 201, text: "grüße" });
  expect(headers["set-cookie"]).toEqual(["a=1", "b=2"]);
});

test("a handler can read a body longer than the buffers", async () => {
  const body = "x".repeat(3_000_000);
  expect((await send("/things/7", { method: "POST", body })).text).toHaveLength(body.length);
});

test("a body that the handler does not read does not block the connection", async () => {
  const body = Buffer.alloc(2_000_000);
  expect((await send("/unread", { method: "POST", body })).status).toBe(413);
  expect((await send("/things/new")).status).toBe(200);
});

test("a handler can respond without a body", async () => {
  expect(await send("/empty", { method: "DELETE" })).toMatchObject({ status: 204, text: "" });
});

test("a long response is compressed for clients that accept compression", async () => {
  const packed = await send("/long", { headers: { "accept-encoding": "br, gzip" } });
  expect(packed.headers).toMatchObject({ "content-encoding": "gzip", vary: "Accept-Encoding" });
  expect(packed.text.length).toBeLessThan(500);
  expect((await send("/long")).headers["content-encoding"]).toBeUndefined();
});

describe.each(Object.keys(TEXTS))("the text %s without a Response", (name) => {
  test.each(["gzip, deflate", "identity"])(
    "is the same on the wire as with one, for a client of %s",
    async (encoding) => {
      const [asText, inFull] = await Promise.all([rawAt(`/text/${name}`, encoding), rawAt(`/full/${name}`, encoding)]);
      expect(asText).toMatch(new RegExp(`^HTTP/1.1 ${TEXTS[name]?.status} `));
      expect(asText).toBe(inFull);
    },
  );
});

/** All bytes of a response, except its date. */
async function rawAt(path: string, encoding: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAccept-Encoding: ${encoding}\r\n\r\n`);
  return (await buffer(socket)).toString("latin1").replace(/^Date: .*\r\n/m, "");
}

test("a handler of a rest of a path gets every spelling of it, and what must not be transformed is not compressed", async () => {
  for (const path of ["/passed/7", "/passed/7/a/b", "/passed/7/a%2Fb//c/"]) {
    const { status, headers, text } = await send(path, { headers: { "accept-encoding": "gzip" } });
    expect([status, text.split(" ").slice(0, 2)]).toEqual([200, [path, "7"]]);
    expect(headers["content-encoding"]).toBeUndefined();
  }
});

test("the head of a stream of events is sent before its first event", async () => {
  const status = await new Promise((resolve, reject) => {
    const req = openRequest({ host: "127.0.0.1", port, path: "/silent" }, (res) => {
      resolve(res.statusCode);
      req.destroy();
    });
    req.once("error", reject);
    req.end();
  });
  expect(status).toBe(200);
});

test("a stream ends when its client disconnects", async () => {
  await new Promise<void>((done) => {
    const req = openRequest({ host: "127.0.0.1", port, path: "/events" }, (res) => {
      res.once("data", () => {
        req.destroy();
        done();
      });
    });
    req.once("error", () => {});
    req.end();
  });
  await expect.poll(() => isCancelled).toBe(true);
});

test("a handler learns that its client disconnected before the answer, and only then", async () => {
  signals.length = 0;
  expect((await send("/signal", { method: "POST", body: "{}" })).text).toBe("answered");
  const req = openRequest({ host: "127.0.0.1", port, path: "/signal?hangs", method: "POST" });
  req.once("error", () => {});
  req.end("{}");
  await expect.poll(() => signals.length).toBe(2);
  expect(signals[1]?.aborted).toBe(false);
  req.destroy();
  await expect.poll(() => signals[1]?.aborted).toBe(true);
  expect(signals[0]?.aborted).toBe(false);
});

test("an error in a handler rejects the call", async () => {
  expect(await send("/throws")).toMatchObject({ status: 500, text: "Error: no" });
});

test("a client that first writes and then reads gets the response, even if its body is not read", async () => {
  const socket = connect(port, "127.0.0.1");
  const part = Buffer.alloc(100_000, "a");
  const head = "POST /unread HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 500000\r\n\r\n";
  socket.pause();
  socket.write(head);
  for (let index = 0; index < 5; index++) {
    await sleep(20);
    await new Promise<void>((done, fail) => socket.write(part, (error) => (error ? fail(error) : done())));
  }
  expect(await text(socket)).toMatch(/^HTTP\/1.1 413 .*too large"}$/s);
});

describe("a response body that is produced in parts", () => {
  const get = (path: string, encoding: string) =>
    fetch(`http://127.0.0.1:${port}${path}`, { headers: { "accept-encoding": encoding } });

  test.each(["gzip", "identity"])("is sent as it is produced, and completely (%s)", async (encoding) => {
    const response = await get("/lines", encoding);
    expect([response.headers.get("content-encoding") ?? "identity", response.headers.get("content-length")]).toEqual([
      encoding,
      null,
    ]);
    expect(await response.text()).toBe(lines);
  });

  test.each(["gzip", "identity"])("is complete if the handler has measured it (%s)", async (encoding) => {
    const response = await get("/lines?measured", encoding);
    expect(response.headers.get("content-length")).toBe(encoding === "gzip" ? null : `${lines.length}`);
    expect(await response.text()).toBe(lines);
  });

  test.each(["gzip", "identity"])("ends the connection if it fails (%s)", async (encoding) => {
    const response = await get("/lines?fails", encoding);
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
  });
});

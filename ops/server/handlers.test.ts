import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { Agent, createServer, request as openRequest } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openHandlers } from "./handlers.mjs";

/** Handlers as a build has them: a module for each, whose exports are there once it has loaded. */
const ROUTES: Record<string, { path: string; code: string }> = {
  "/(a)/things/[thingId]/route": {
    path: "/things/[thingId]",
    code: `GET: async (req, { params }) => Response.json({ ...(await params), url: req.url, caller: req.headers.get("x-caller") }),
      POST: async (req) => new Response(await req.text(), { status: 201, headers: [["set-cookie", "a=1"], ["set-cookie", "b=2"], ["content-type", "text/plain"]] })`,
  },
  "/things/new/route": { path: "/things/new", code: `GET: async () => Response.json({ is: "new" })` },
  "/unread/route": {
    path: "/unread",
    code: `POST: async () => Response.json({ error: "too large" }, { status: 413 })`,
  },
  "/empty/route": { path: "/empty", code: "DELETE: async () => new Response(null, { status: 204 })" },
  "/long/route": { path: "/long", code: `GET: async () => Response.json({ text: "a".repeat(5_000) })` },
  "/throws/route": { path: "/throws", code: `GET: async () => { throw new Error("no") }` },
  "/events/route": {
    path: "/events",
    code: `GET: async () => new Response(new ReadableStream({
        start(c) { c.enqueue(new TextEncoder().encode("data: 1\\n\\n")); },
        cancel() { globalThis.eventsCancelled = true; },
      }), { headers: { "content-type": "text/event-stream" } })`,
  },
  "/lines/route": {
    path: "/lines",
    code: `GET: async (req) => {
        const fails = req.url.endsWith("?fails");
        let at = 0;
        return new Response(new ReadableStream({
          async pull(c) {
            await new Promise((done) => setTimeout(done, 5));
            if (++at > 50) return fails ? c.error(new Error("no more")) : c.close();
            c.enqueue(new TextEncoder().encode("line " + at + ","));
          },
        }), { headers: { "content-type": "text/csv" } });
      }`,
  },
  "/rest/[...path]/route": { path: "/rest/[...path]", code: "GET: async () => Response.json({})" },
  "/api/auth/[name]/route": { path: "/api/auth/[name]", code: "GET: async () => Response.json({})" },
  "/page/page": { path: "/page", code: "GET: async () => Response.json({})" },
};

const directory = mkdtempSync(join(tmpdir(), "tessera-handlers-"));
const server = createServer();
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
let port = 0;

beforeAll(async () => {
  write(
    "app-path-routes-manifest.json",
    JSON.stringify(Object.fromEntries(Object.entries(ROUTES).map(([name, { path }]) => [name, path]))),
  );
  for (const [name, { code }] of Object.entries(ROUTES)) {
    write(
      `server/app${name}.js`,
      `let userland; module.exports = { routeModule: { ensureUserland: async () => { userland = { ${code} }; }, get userland() { return userland; } } };`,
    );
  }
  const handlers = openHandlers(directory);
  server.on("request", (req, res) => {
    req.headers["x-caller"] = "192.0.2.1";
    handlers.respond(req, res).then(
      (isAnswered) => isAnswered || res.writeHead(299).end("next"),
      (thrown: unknown) => res.writeHead(500).end(String(thrown)),
    );
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  port = (server.address() as AddressInfo).port;
});

afterAll(() => {
  agent.destroy();
  server.close();
  rmSync(directory, { recursive: true });
});

function write(name: string, text: string): void {
  const file = join(directory, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

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

test("a handler gets the parameters, the query as sent and the headers that were added", async () => {
  const { status, text } = await send("/things/7?a=%20b&__proto__=1");
  expect(status).toBe(200);
  expect(JSON.parse(text)).toEqual({
    thingId: "7",
    url: "http://localhost/things/7?a=%20b&__proto__=1",
    caller: "192.0.2.1",
  });
});

test("a literal segment comes before a parameter", async () => {
  expect((await send("/things/new")).text).toBe('{"is":"new"}');
});

describe("left to Next", () => {
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
    "/api/auth/csrf",
    "/page",
    "*",
  ])("%s", async (path) => {
    expect(await send(path)).toMatchObject({ status: 299, text: "next" });
  });

  test.each(["HEAD", "OPTIONS", "PUT"])("the method %s", async (method) => {
    expect((await send("/things/7", { method })).status).toBe(299);
  });
});

test("a body, and every cookie", async () => {
  const { status, headers, text } = await send("/things/7", { method: "POST", body: "grüße" });
  expect({ status, text }).toEqual({ status: 201, text: "grüße" });
  expect(headers["set-cookie"]).toEqual(["a=1", "b=2"]);
});

test("a body longer than the buffers", async () => {
  const body = "x".repeat(3_000_000);
  expect((await send("/things/7", { method: "POST", body })).text).toHaveLength(body.length);
});

test("a body that nobody reads does not block the connection", async () => {
  const body = Buffer.alloc(2_000_000);
  expect((await send("/unread", { method: "POST", body })).status).toBe(413);
  expect((await send("/things/new")).status).toBe(200);
});

test("a response without a body", async () => {
  expect(await send("/empty", { method: "DELETE" })).toMatchObject({ status: 204, text: "" });
});

test("a long response is compressed for those who accept it", async () => {
  const packed = await send("/long", { headers: { "accept-encoding": "br, gzip" } });
  expect(packed.headers).toMatchObject({ "content-encoding": "gzip", vary: "Accept-Encoding" });
  expect(packed.text.length).toBeLessThan(500);
  expect((await send("/long")).headers["content-encoding"]).toBeUndefined();
});

test("a stream ends when its reader goes away", async () => {
  const shared = globalThis as { eventsCancelled?: boolean };
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
  await expect.poll(() => shared.eventsCancelled).toBe(true);
});

test("an error of a handler is the caller's", async () => {
  expect(await send("/throws")).toMatchObject({ status: 500, text: "Error: no" });
});

test("a client that reads after it has written gets the response to a body that nobody reads", async () => {
  const socket = connect(port, "127.0.0.1");
  const part = Buffer.alloc(100_000, "a");
  const head = "POST /unread HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 500000\r\n\r\n";
  socket.pause();
  socket.write(head);
  for (let at = 0; at < 5; at++) {
    await sleep(20);
    await new Promise<void>((done, fail) => socket.write(part, (error) => (error ? fail(error) : done())));
  }
  expect(await text(socket)).toMatch(/^HTTP\/1.1 413 .*too large"}$/s);
});

describe("a body that is still being made", () => {
  const lines = Array.from({ length: 50 }, (_, at) => `line ${at + 1},`).join("");
  const get = (path: string, encoding: string) =>
    fetch(`http://127.0.0.1:${port}${path}`, { headers: { "accept-encoding": encoding } });

  test.each(["gzip", "identity"])("is sent as it comes, and whole (%s)", async (encoding) => {
    const response = await get("/lines", encoding);
    expect([response.headers.get("content-encoding") ?? "identity", response.headers.get("content-length")]).toEqual([
      encoding,
      null,
    ]);
    expect(await response.text()).toBe(lines);
  });

  test.each(["gzip", "identity"])("ends the connection if it fails (%s)", async (encoding) => {
    const response = await get("/lines?fails", encoding);
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
  });
});

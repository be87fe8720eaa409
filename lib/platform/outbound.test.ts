import { once } from "node:events";
import { IncomingMessage } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { afterEach, describe, expect, test, vi } from "vitest";
import { createPost, createSend } from "./outbound";

/** All ways to write an address in a URL. */
const SPELLINGS = [
  "127.0.0.1",
  "127.0.0.1.",
  "127.1",
  "0x7f.1",
  "0x7f000001",
  "2130706433",
  "017700000001",
  "0177.0.0.1",
  "1２7.0.0.1",
  "①②⑦.0.0.1",
  "[::1]",
  "[::7f00:1]",
  "[::ffff:7f00:1]",
  "[::ffff:127.0.0.1]",
  "[0:0:0:0:0:ffff:127.0.0.1]",
  "[64:ff9b::127.0.0.1]",
  "10.1",
  "0",
  "0xa9fea9fe",
  "169.254.169.254",
  "[fd00:ec2::254]",
];

describe("an IP address in an outbound URL", () => {
  const post = createPost({
    allowsLoopback: false,
    resolve: async (host) => {
      throw new Error(`${host} was taken for a name`);
    },
  });

  test.each(SPELLINGS)("%s is refused without a connection", async (host) => {
    expect(await post(new URL(`https://${host}/`), {}, "{}")).toEqual({ isAnswered: false, why: "address_refused" });
  });
});

describe("a host name in an outbound URL", () => {
  const answeredBy = (...addresses: string[]) => createPost({ allowsLoopback: false, resolve: async () => addresses });
  const send = (post: ReturnType<typeof createPost>) => post(new URL("https://hooks.example.com/"), {}, "{}");

  test.each(["10.0.0.1", "127.0.0.1", "169.254.169.254", "::1", "::ffff:a00:1", "fe80::1"])(
    "that resolves to %s is refused",
    async (address) => {
      expect(await send(answeredBy(address))).toEqual({ isAnswered: false, why: "address_refused" });
    },
  );

  test("that also resolves to a private address is refused, whichever comes first", async () => {
    for (const found of [
      ["8.8.8.8", "10.0.0.1"],
      ["::1", "2606:4700::1111"],
    ]) {
      expect(await send(answeredBy(...found))).toEqual({ isAnswered: false, why: "address_refused" });
    }
  });

  test("that resolves to a public address which the caller refuses gets no request", async () => {
    const isRefused = (address: string) => address === "203.0.113.9";
    const post = createPost({ allowsLoopback: false, isRefused, resolve: async () => ["203.0.113.9"] });
    expect(await send(post)).toEqual({ isAnswered: false, why: "address_refused" });
  });

  test("that does not exist is reported as unknown", async () => {
    expect(await send(answeredBy())).toEqual({ isAnswered: false, why: "name_unknown" });
  });

  test("whose name server does not respond costs no more than the time limit", async () => {
    const post = createPost({ allowsLoopback: false, totalMsMax: 20, resolve: () => new Promise(() => {}) });
    expect(await send(post)).toEqual({ isAnswered: false, why: "timeout" });
  });
});

test.each([
  [
    "switches protocols",
    "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
    "not_http",
  ],
  ["closes without a word", "", "connection"],
  ["speaks something else", "220 ready\r\n", "not_http"],
])("a receiver that %s is reported at once", async (_, says, reason) => {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => (says ? socket.write(says) : socket.end()));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : address;
  // Far longer than a test may take.
  const post = createPost({ allowsLoopback: true, totalMsMax: 3_600_000 });
  expect(await post(new URL(`http://127.0.0.1:${port}/`), {}, "{}")).toEqual({ isAnswered: false, why: reason });
  server.close();
});

describe("a host name whose address changes", () => {
  const serving = async (body: string | Buffer) => {
    const server = createServer((socket) => {
      // The sender ends the connection at its limit.
      socket.on("error", () => socket.destroy());
      socket.once("data", () => socket.end(Buffer.concat([HEAD, Buffer.from(body)])));
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    const { port } = server.address() as { port: number };
    return { url: new URL(`http://shop.example.com:${port}/`), close: () => server.close() };
  };
  const HEAD = Buffer.from("HTTP/1.1 402 Payment Required\r\nX-Price: 1\r\nX-Price: 2\r\nConnection: close\r\n\r\n");
  const get = { method: "GET", headers: {} };

  test("is resolved once for each request, and checked each time", async () => {
    const shop = await serving("price");
    const found = [["127.0.0.1"], ["10.0.0.1"], ["169.254.169.254"]];
    let lookups = 0;
    const send = createSend({ allowsLoopback: true, resolve: async () => found[lookups++] ?? [] });
    expect(await send(shop.url, get)).toMatchObject({ isAnswered: true, status: 402, headers: { "x-price": "1, 2" } });
    expect(lookups).toBe(1);
    expect(await send(shop.url, get)).toEqual({ isAnswered: false, why: "address_refused" });
    expect(await send(shop.url, get)).toEqual({ isAnswered: false, why: "address_refused" });
    shop.close();
  });

  test.each([
    [100, "whole", 100],
    [101, "too_large", 100],
    [100_000, "too_large", 100],
  ] as const)("at most the limit is read of a response body with %i bytes", async (size, end, bytes) => {
    const shop = await serving("x".repeat(size));
    const send = createSend({ allowsLoopback: true, resolve: async () => ["127.0.0.1"], replyBytesMax: 100 });
    const reply = await send(shop.url, get);
    expect(reply.isAnswered && [reply.end, reply.bytes.length]).toEqual([end, bytes]);
    shop.close();
  });
});

test("an address is not given up while this process is busy", async () => {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => socket.end("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n"));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const send = createSend({ allowsLoopback: true, resolve: async () => ["127.0.0.1", "::1"] });
  const sent = send(new URL(`http://shop.example.com:${port}/`), { method: "GET", headers: {} });
  // Until the connection has begun; its end is seen only after these.
  for (let ticks = 0; ticks < 20; ticks += 1) await new Promise<void>((done) => process.nextTick(done));
  const until = performance.now() + 400;
  while (performance.now() < until);
  expect(await sent).toMatchObject({ isAnswered: true, status: 204 });
  server.close();
});

test("a body in many small pieces is read whole", async () => {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => {
      const letters = Array.from({ length: 20_000 }, (_, index) => String.fromCharCode(97 + (index % 26)));
      const pieces = letters.map((letter) => `1\r\n${letter}\r\n`);
      socket.end(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${pieces.join("")}0\r\n\r\n`);
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const send = createSend({ allowsLoopback: true });
  const reply = await send(new URL(`http://127.0.0.1:${port}/`), { method: "GET", headers: {} });
  expect(reply.isAnswered && [reply.end, reply.bytes.length, reply.bytes.toString("utf8", 0, 28)]).toEqual([
    "whole",
    20_000,
    "abcdefghijklmnopqrstuvwxyzab",
  ]);
  server.close();
});

/** The method that failed, which has no type. */
type Distinct = { _addHeaderLineDistinct: () => void };

describe("a response with header names that are properties of every object", () => {
  afterEach(() => vi.restoreAllMocks());

  test("is read like any other, also on a Node that cannot parse such headers", async () => {
    vi.spyOn(IncomingMessage.prototype as unknown as Distinct, "_addHeaderLineDistinct").mockImplementation(() => {
      throw new TypeError("dest[field].push is not a function");
    });
    const names = ["__proto__", "constructor", "toString", "valueOf", "hasOwnProperty"];
    const server = createServer((socket) => {
      socket.on("error", () => {});
      socket.once("data", () => {
        const lines = names.flatMap((name) => [`${name}: a`, `${name}: b`]);
        socket.end(`HTTP/1.1 503 No\r\n${lines.join("\r\n")}\r\nRetry-After: 7\r\nContent-Length: 2\r\n\r\nno`);
      });
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    const { port } = server.address() as AddressInfo;
    const url = new URL(`http://127.0.0.1:${port}/`);
    const outbound = { allowsLoopback: true, totalMsMax: 3_000 };
    expect(await createPost(outbound)(url, {}, "{}")).toEqual({
      isAnswered: true,
      status: 503,
      body: "no",
      retryAfter: "7",
    });
    const reply = await createSend(outbound)(url, { method: "GET", headers: {} });
    expect(reply).toMatchObject({ isAnswered: true, status: 503, end: "whole" });
    const headers = reply.isAnswered ? reply.headers : {};
    expect(Object.getPrototypeOf(headers)).toBe(Object.prototype);
    for (const name of names) expect(Object.getOwnPropertyDescriptor(headers, name.toLowerCase())?.value).toBe("a, b");
    server.close();
  });
});

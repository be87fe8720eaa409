import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createSend } from "@/lib/platform/outbound";
import { type Forwarded, forward } from "./forward";
import type { PaidRequest, Upstream } from "./rules";

const SECRET = 'Bearer sk_"very"/secret+0123456789';

type Asked = { method: string; path: string; headers: IncomingMessage["headers"]; body: string };

let server: Server;
let asked: Asked[];
let answer: (res: ServerResponse, req: IncomingMessage) => unknown;
let isReading: boolean;

beforeAll(async () => {
  server = createServer(async (req, res) => {
    const { method = "", url: path = "", headers } = req;
    let body = "";
    if (isReading) for await (const chunk of req) body += chunk;
    asked.push({ method, path, headers, body });
    answer(res, req);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

beforeEach(() => {
  asked = [];
  isReading = true;
  answer = (res) => res.writeHead(200, { "content-type": "application/json" }).end("{}");
});

function ask(request: Partial<PaidRequest> = {}, terms: Partial<Upstream> = {}): Promise<Forwarded> {
  const { port } = server.address() as AddressInfo;
  const upstream: Upstream = {
    kind: "http",
    url: `http://localhost:${port}/v1`,
    methods: ["GET"],
    paths: [],
    secondsMax: 3,
    answerBytesMax: 100_000,
    headerNames: ["authorization"],
    pass: null,
    ...terms,
  };
  const send = createSend({ allowsLoopback: true, replyBytesMax: upstream.answerBytesMax });
  const asking = { method: "GET" as const, path: "/a", search: "", headers: {}, body: Buffer.alloc(0), ...request };
  return forward(send, upstream, asking, { secrets: { authorization: SECRET }, own: { "idempotency-key": "stl_1" } });
}

async function failureOf(forwarded: Promise<Forwarded>) {
  const outcome = await forwarded;
  return outcome.type === "failed" ? outcome.failure : outcome.type;
}

test("a request is sent once, with the seller's headers over the buyer's, and none to keep an answer small", async () => {
  const outcome = await ask({
    method: "POST",
    path: "/a%20b",
    search: "?x=%2F",
    headers: { "content-type": "text/csv", accept: "text/html" },
    body: Buffer.from("1;2"),
  });
  expect(outcome).toMatchObject({
    type: "answered",
    answer: { status: 200, headers: { "content-type": "application/json" }, bytes: Buffer.from("{}") },
  });
  expect(asked).toMatchObject([
    {
      method: "POST",
      path: "/v1/a%20b?x=%2F",
      body: "1;2",
      headers: {
        authorization: SECRET,
        "content-type": "text/csv",
        accept: "text/html",
        "accept-encoding": "identity",
        "idempotency-key": "stl_1",
      },
    },
  ]);
});

test("headers of a connection, a cookie or a cache are not returned", async () => {
  answer = (res) =>
    res
      .writeHead(200, {
        connection: "close, x-hop",
        "x-hop": "1",
        "set-cookie": "a=b",
        "cache-control": "public",
        "content-language": "de",
      })
      .end("x");
  expect(await ask()).toMatchObject({ type: "answered", answer: { headers: { "content-language": "de" } } });
  const outcome = await ask();
  expect(outcome.type === "answered" && Object.keys(outcome.answer.headers)).toEqual(["content-language"]);
});

const endless = (res: ServerResponse) => {
  res.writeHead(200, { "content-length": "100000000" });
  const more = () => {
    while (!res.destroyed && res.write(Buffer.alloc(65_536)));
  };
  res.on("drain", more);
  more();
};

test.each<[string, string, typeof answer, Partial<Upstream>?]>([
  ["an error of its own", "error", (res) => res.writeHead(500).end("stack")],
  ["a redirect to a private address", "redirect", (res) => res.writeHead(302, { location: "http://10.0.0.1/" }).end()],
  ["a refusal of the seller's key", "refused_us", (res) => res.writeHead(401).end()],
  ["nothing", "timeout", () => {}, { secondsMax: 1 }],
  [
    "half, and then nothing",
    "timeout",
    (res) => res.writeHead(200, { "content-length": "9" }).write("x"),
    { secondsMax: 1 },
  ],
  ["a closed connection", "unreachable", (res) => res.destroy()],
  [
    "half, and a closed connection",
    "incomplete",
    (res) => res.writeHead(200, { "content-length": "9" }).write("x", () => res.destroy()),
  ],
  ["100 MB", "too_large", endless],
  [
    "something compressed",
    "encoded",
    (res) => res.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(SECRET)),
  ],
  ["its secret", "secret", (res, { headers }) => res.writeHead(200).end(JSON.stringify(headers))],
  [
    "its secret in a header",
    "secret",
    (res) => res.writeHead(200, { "content-disposition": SECRET.slice(7) }).end("x"),
  ],
  [
    "another protocol",
    "unreachable",
    (res) => res.socket?.end("HTTP/1.1 101 X\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n"),
  ],
  ["no HTTP", "unreachable", (res) => res.socket?.end("SSH-2.0\r\n\r\n")],
])("an upstream that answers with %s fails: %s", async (_, failure, answering, terms) => {
  answer = answering;
  expect(await failureOf(ask({}, terms))).toBe(failure);
  expect(asked).toHaveLength(1);
});

test("an answer before the request was read is an answer, or a failure that may be repeated", async () => {
  isReading = false;
  answer = (res) => res.writeHead(200, { connection: "close" }).end("early");
  const outcome = await ask({ method: "POST", body: Buffer.alloc(1_000_000, 32) });
  expect(["answered", "unreachable", "incomplete"]).toContain(
    outcome.type === "failed" ? outcome.failure : outcome.type,
  );
});

test("an answer without a body is none of events, whatever its type says", async () => {
  answer = (res) => res.writeHead(204, { "content-type": "text/event-stream" }).end();
  expect(await ask()).toMatchObject({ type: "answered", answer: { status: 204 } });
});

describe("a streamed answer", () => {
  const events = (res: ServerResponse) => res.writeHead(200, { "content-type": "text/event-stream" });

  async function open() {
    const outcome = await ask();
    if (outcome.type !== "streaming") throw new Error(`${outcome.type} and not streaming`);
    const reader = outcome.body.stream.getReader();
    const read = async () => {
      const { done, value } = await reader.read();
      return done ? null : new TextDecoder().decode(value);
    };
    return { ...outcome, reader, read };
  }

  test("of events passes on each of them at once, and ends whole", async () => {
    let response: ServerResponse | undefined;
    answer = (res) => {
      response = events(res);
      res.flushHeaders();
    };
    const { head, read, end } = await open();
    expect(head).toEqual({ status: 200, headers: { "content-type": "text/event-stream" } });
    for (const text of ["data: 1\n\n", "data: 2\n\n"]) {
      response?.write(text);
      expect(await read()).toBe(text);
    }
    response?.end();
    expect(await read()).toBeNull();
    expect(await end).toMatchObject({ type: "answered", answer: { bytes: Buffer.from("data: 1\n\ndata: 2\n\n") } });
  });

  test("of unknown length begins after a second; a quick one is whole", async () => {
    answer = async (res) => {
      res.writeHead(200).write("1");
      await sleep(1_400);
      res.end("2");
    };
    const { read } = await open();
    expect([await read(), await read(), await read()]).toEqual(["1", "2", null]);
    answer = async (res) => {
      res.writeHead(200).write("1");
      await sleep(50);
      res.end("2");
    };
    expect(await ask()).toMatchObject({ type: "answered", answer: { bytes: Buffer.from("12") } });
  });

  test("breaks off with the upstream, too much or no more time, and does not look whole", async () => {
    answer = (res) => {
      events(res).write("data: 1\n\n");
      setTimeout(() => res.destroy(), 100);
    };
    const broken = await open();
    expect(await broken.read()).toBe("data: 1\n\n");
    await expect(broken.read()).rejects.toThrow();
    expect(await broken.end).toMatchObject({ type: "failed", failure: "incomplete" });
    answer = (res) => events(res).write(Buffer.alloc(200_000));
    const large = await open();
    expect(await large.end).toMatchObject({ type: "failed", failure: "too_large" });
  });

  test("never has a secret, also in pieces", async () => {
    answer = async (res) => {
      events(res).write(`data: ${SECRET.slice(7, 20)}`);
      await sleep(100);
      res.end(`${SECRET.slice(20)}\n\n`);
    };
    const { read, end } = await open();
    expect(await read()).toBe("data: ");
    await expect(read()).rejects.toThrow();
    expect(await end).toMatchObject({ type: "failed", failure: "secret" });
  });

  test("that a buyer leaves is read to its end, to be kept", async () => {
    answer = async (res) => {
      events(res).write("data: 1\n\n");
      await sleep(100);
      res.end("data: 2\n\n");
    };
    const { reader, end } = await open();
    await reader.cancel();
    expect(await end).toMatchObject({ type: "answered", answer: { bytes: Buffer.from("data: 1\n\ndata: 2\n\n") } });
  });
});

import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test, vi } from "vitest";
import { createConnections } from "./connections";
import { createSend } from "./outbound";

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** An API, and what its requests came on. */
async function openApi(answer: RequestListener = (_req, res) => void res.end("ok"), host = "127.0.0.1", port = 0) {
  const sockets: Socket[] = [];
  const bodies: string[] = [];
  const server = createServer(async (req, res) => {
    sockets.push(req.socket);
    bodies.push(await textOf(req));
    answer(req, res);
  });
  await once(server.listen(port, host).unref(), "listening");
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  closing.push(close);
  const url = urlOf(server);
  return { url, sockets, bodies, close, opened: () => new Set(sockets).size };
}

const urlOf = (server: Server) => new URL(`http://api.example:${(server.address() as AddressInfo).port}/`);

async function textOf(req: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of req) text += chunk;
  return text;
}

/** `send` uses the connections of `scope`; `setUp` counts the lookups of names. */
function setUp() {
  const world = { nowMs: 0, addresses: ["127.0.0.1"], lookups: 0 };
  const all = createConnections(() => world.nowMs);
  const resolve = async () => {
    world.lookups++;
    return world.addresses;
  };
  const sendIn = (scope: string) => createSend({ allowsLoopback: true, resolve, connections: all.of(scope) });
  const send = sendIn("link_1");
  const get = (url: URL, msMax?: number) => send(url, { method: "GET", headers: {}, ...(msMax && { msMax }) });
  return { world, sendIn, send, get, idleCount: all.idleCount };
}

const ANSWERED = { isAnswered: true, status: 200, end: "whole" };

test("requests without a body of one scope share a connection, and no other does", async () => {
  const { url, opened } = await openApi();
  const { get, send, sendIn } = setUp();
  for (let count = 0; count < 3; count++) expect(await get(url)).toMatchObject(ANSWERED);
  expect(opened()).toBe(1);
  expect(await send(url, { method: "HEAD", headers: {} })).toMatchObject(ANSWERED);
  expect(opened()).toBe(1);
  await sendIn("link_2")(url, { method: "GET", headers: {} });
  expect(opened()).toBe(2);
  await createSend({ allowsLoopback: true, resolve: async () => ["127.0.0.1"] })(url, { method: "GET", headers: {} });
  expect(opened()).toBe(3);
});

test.each([
  ["POST", "{}"],
  ["GET", "GET /free HTTP/1.1\r\nHost: api.example\r\n\r\n"],
  ["DELETE", undefined],
])("a request %s with the body %j has a connection of its own", async (method, body) => {
  const { url, sockets, bodies, opened } = await openApi();
  const { get, send } = setUp();
  await get(url);
  expect(await send(url, { method, headers: {}, body })).toMatchObject(ANSWERED);
  await get(url);
  expect(opened()).toBe(2);
  expect(sockets[2]).toBe(sockets[0]);
  expect(bodies).toEqual(["", body ?? "", ""]);
});

test("a request on a connection that closes meanwhile is sent once more", async () => {
  const { url, sockets, opened } = await openApi((req, res) => {
    if (sockets.filter((socket) => socket === req.socket).length > 1) req.socket.destroy();
    else res.end("ok");
  });
  const { get } = setUp();
  expect(await get(url)).toMatchObject(ANSWERED);
  expect(await get(url)).toMatchObject(ANSWERED);
  expect([sockets.length, opened()]).toEqual([3, 2]);
});

test("a request on a new connection that closes is not sent again", async () => {
  const { url, sockets } = await openApi((req) => void req.socket.destroy());
  const { get } = setUp();
  expect(await get(url)).toEqual({ isAnswered: false, why: "connection" });
  expect(sockets).toHaveLength(1);
});

test("a response that is cut short or too long ends its connection", async () => {
  const answers: RequestListener[] = [
    (_req, res) => void res.writeHead(200, { "content-length": 9 }).write("part", () => res.destroy()),
    (_req, res) => void res.end(Buffer.alloc(70_000)),
    (_req, res) => void res.end("ok"),
  ];
  const { url, opened } = await openApi((req, res) => answers.shift()?.(req, res));
  const { get } = setUp();
  expect(await get(url)).toMatchObject({ end: "broken" });
  expect(await get(url)).toMatchObject({ end: "too_large" });
  expect(await get(url)).toMatchObject(ANSWERED);
  expect(opened()).toBe(3);
});

test("the time limit of a request that has ended does not end its connection", async () => {
  const { url, opened } = await openApi();
  const { get } = setUp();
  expect(await get(url, 1_000)).toMatchObject(ANSWERED);
  await sleep(1_200);
  expect(await get(url)).toMatchObject(ANSWERED);
  expect(opened()).toBe(1);
});

test("a name is looked up again after ten seconds, and its new addresses are checked", async () => {
  const { url, opened } = await openApi();
  const { world, get } = setUp();
  await get(url);
  world.nowMs = 9_999;
  await get(url);
  expect(world.lookups).toBe(1);
  world.nowMs = 10_000;
  await get(url);
  expect([world.lookups, opened()]).toEqual([2, 1]);
  world.addresses = ["10.0.0.1"];
  world.nowMs = 20_000;
  expect(await get(url)).toEqual({ isAnswered: false, why: "address_refused" });
  world.addresses = ["127.0.0.1", "::1"];
  expect(await get(url)).toMatchObject(ANSWERED);
  expect(opened()).toBe(2);
});

test("after a failure the name is looked up again", async () => {
  const { url } = await openApi();
  const { world, get } = setUp();
  const closed = new URL("http://api.example:9/");
  await get(closed);
  await get(closed);
  expect(world.lookups).toBe(2);
  await get(url);
  await get(url);
  expect(world.lookups).toBe(3);
});

test("what arrives on an idle connection closes it, and is no response to the next request", async () => {
  const response = (body: string) => `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
  const sockets: Socket[] = [];
  const server = createTcpServer((socket) => {
    sockets.push(socket);
    socket.on("error", () => {}).on("data", () => void socket.write(response("mine")));
  });
  await once(server.listen(0, "127.0.0.1").unref(), "listening");
  closing.push(() => server.close());
  const { get, idleCount } = setUp();
  const first = await get(urlOf(server));
  await vi.waitFor(() => expect(idleCount()).toBe(1));
  sockets[0]?.write(response("another's"));
  await vi.waitFor(() => expect(idleCount()).toBe(0));
  const second = await get(urlOf(server));
  for (const reply of [first, second]) expect(reply.isAnswered && reply.bytes.toString()).toBe("mine");
  expect(sockets).toHaveLength(2);
});

test("a failure closes the idle connections, and those under way once they end", async () => {
  let release = () => {};
  const soon: RequestListener = (_req, res) => void setTimeout(() => res.end("ok"), 50);
  const answers: RequestListener[] = [
    soon,
    soon,
    soon,
    (_req, res) => {
      release = () => res.end("late");
    },
    // No answer before the request's time is over.
    () => {},
  ];
  const { url } = await openApi((req, res) => answers.shift()?.(req, res));
  const { get, idleCount } = setUp();
  await Promise.all([get(url), get(url), get(url)]);
  await vi.waitFor(() => expect(idleCount()).toBe(3));
  const late = get(url);
  await vi.waitFor(() => expect(answers).toHaveLength(1));
  expect(await get(url, 100)).toEqual({ isAnswered: false, why: "timeout" });
  await vi.waitFor(() => expect(idleCount()).toBe(0));
  release();
  expect(await late).toMatchObject(ANSWERED);
  await sleep(50);
  expect(idleCount()).toBe(0);
});

test("an API that moved to another address is found at once", async () => {
  const old = await openApi(undefined, "127.0.0.2");
  const { world, get } = setUp();
  world.addresses = ["127.0.0.2"];
  expect(await get(old.url)).toMatchObject(ANSWERED);
  old.close();
  await openApi(undefined, "127.0.0.1", Number(old.url.port));
  world.addresses = ["127.0.0.1"];
  expect(await get(old.url)).toMatchObject(ANSWERED);
  expect(world.lookups).toBe(2);
});

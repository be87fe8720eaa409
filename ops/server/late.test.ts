import { createServer, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ENDPOINTS } from "@/lib/openapi/endpoints";
import { endWhenLate } from "./late.mjs";

const LIMITS = { bodyMs: 1_500, partMs: 1_500 };
const FILE = "/api/agents/7/link-files?name=x";
let server: Server;

beforeAll(async () => {
  server = createServer(async (req, res) => {
    endWhenLate(req, LIMITS);
    const body = await text(req).catch(() => null);
    res.end(`got ${body?.length}`);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** Sends `parts` bytes, one every 400 ms, of a body of eight. Resolves to what comes back until the connection ends. */
async function send(path: string, parts: number): Promise<string> {
  const socket: Socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  const answered = text(socket).catch(() => "");
  socket.on("error", () => {});
  socket.write(`POST ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 8\r\n\r\n`);
  for (let index = 0; index < parts && !socket.destroyed; index++) {
    await sleep(400);
    if (socket.writable) socket.write("x");
  }
  return answered;
}

const uploads = ENDPOINTS.flatMap(({ endpoint: { path, rawBody } }) =>
  rawBody ? [path.replace(/\{\w+\}/g, "7")] : [],
);

test.each([FILE, ...uploads])("a slow upload (%s) is accepted while some of it keeps arriving", async (path) => {
  expect(await send(path, 8)).toMatch(/got 8$/);
});

test("an upload of which nothing more arrives is ended", async () => {
  expect(await send(FILE, 4)).toBe("");
});

test("any other body must arrive in its time limit, or the request is ended", async () => {
  expect(await send("/api/agents/7", 8)).toBe("");
});

test("the next request on a connection has its own time limit for the body", async () => {
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.write("POST /a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\n\r\nx");
  await sleep(2_000);
  socket.write("GET /b HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  expect((await text(socket)).match(/got/g)).toHaveLength(2);
});

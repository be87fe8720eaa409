import { createServer, get, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { PATIENCE } from "@/tests/support/patience";
import { endWhenStalled } from "./stalled.mjs";

const STALLED_MS = 300 * PATIENCE;
/** More than the buffers of both kernels. */
const LARGE = Buffer.alloc(64 * 1024 * 1024);

let server: Server;
let socket: Socket | undefined;
afterEach(() => {
  socket?.destroy();
  server.closeAllConnections();
  server.close();
});

/** Serves with `handle` at a port. `closed`: the first response has ended, complete or not; Node also emits "finish" for one that is cut. */
async function serve(handle: (res: ServerResponse) => void): Promise<{ port: number; closed: Promise<unknown> }> {
  let close: () => void;
  const closed = new Promise<void>((done) => {
    close = done;
  });
  server = createServer((_, res) => {
    endWhenStalled(res, STALLED_MS);
    res.once("close", () => close());
    handle(res);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return { port: (server.address() as AddressInfo).port, closed };
}

const respond = (port: number): Promise<IncomingMessage> =>
  new Promise((done, fail) => {
    get({ host: "127.0.0.1", port, agent: false }, done).once("error", fail);
  });

test("a response that its client never reads is ended, and its memory is released", async () => {
  const { port, closed } = await serve((res) => res.end(LARGE));
  socket = connect(port, "127.0.0.1").pause();
  socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  await closed;
  let bytes = 0;
  const ended = new Promise((done) => socket?.once("close", done).once("error", done));
  socket.on("data", (part) => {
    bytes += part.length;
  });
  socket.resume();
  await ended;
  expect(bytes).toBeGreaterThan(0);
  expect(bytes).toBeLessThan(LARGE.length);
});

test("a client that reads slowly gets the complete response", async () => {
  const { port } = await serve((res) => res.end(LARGE));
  const res = await respond(port);
  let bytes = 0;
  let lookAt = 0;
  for await (const part of res) {
    bytes += (part as Buffer).length;
    if (bytes < lookAt) continue;
    lookAt = bytes + LARGE.length / 8;
    await sleep(STALLED_MS / 3);
  }
  expect([bytes, res.complete]).toEqual([LARGE.length, true]);
});

test("a handler may take long, and a stream may be silent between its events", async () => {
  const { port } = await serve(async (res) => {
    await sleep(2 * STALLED_MS);
    res.write("one ");
    await sleep(2 * STALLED_MS);
    res.end("two");
  });
  const res = await respond(port);
  let text = "";
  for await (const part of res) text += String(part);
  expect([text, res.complete]).toEqual(["one two", true]);
});

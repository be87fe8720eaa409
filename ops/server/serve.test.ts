import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freePort } from "@/dev/local/ports";
import { readRoutes } from "@/ops/compile-lib";

/** Next, as far as the server knows it: what reaches it is answered with the number of its bytes. */
const NEXT = `
export default () => ({
  prepare: async () => {},
  getRequestHandler: () => (req, res) => {
    let bytes = 0;
    req.on("data", (chunk) => (bytes += chunk.length)).on("end", () => res.end("next got " + bytes));
  },
});`;
/** The same of the service. */
const SERVICE = `
exports.load = () => ({
  startService: async () => ({
    stop: async () => {},
    endStreams: () => {},
    recordCaller: ({ headers }) => {
      if (headers["x-unreadable"]) throw new Error("unreadable " + "x".repeat(10000));
    },
    takePageTurn: ({ headers }, path, route) => (headers["x-busy"] === path + " " + route ? Promise.resolve(7) : null),
  }),
});`;
const dataUrl = (source: string) => `data:text/javascript,${encodeURIComponent(source)}`;
const HOOKS = `export const resolve = (name, context, next) =>
  name === "next" ? { url: ${JSON.stringify(dataUrl(NEXT))}, shortCircuit: true } : next(name, context);`;

const directory = mkdtempSync(join(tmpdir(), "tessera-serve-"));
let port: number;
let server: ChildProcess;
let log = "";

beforeAll(async () => {
  const lib = join(directory, "node_modules", "@tessera", "lib");
  mkdirSync(lib, { recursive: true });
  writeFileSync(join(lib, "package.json"), JSON.stringify({ name: "@tessera/lib", main: "service.js" }));
  writeFileSync(join(lib, "service.js"), SERVICE);
  writeFileSync(join(lib, "routes.json"), JSON.stringify(readRoutes()));
  writeFileSync(
    join(directory, "hooks.mjs"),
    `import { register } from "node:module"; register(${JSON.stringify(dataUrl(HOOKS))}, import.meta.url);`,
  );
  port = await freePort();
  server = spawn(process.execPath, ["--import", join(directory, "hooks.mjs"), join(import.meta.dirname, "serve.mjs")], {
    cwd: directory,
    env: { NODE_ENV: "production", PATH: process.env.PATH, PORT: String(port) },
  });
  server.stdout?.on("data", (chunk: Buffer) => {
    log += chunk;
  });
  for (let tries = 0; tries < 200; tries++) {
    if (await send(["GET /healthz HTTP/1.1"]).catch(() => "")) return;
    await sleep(100);
  }
  throw new Error("the server does not listen");
}, 60_000);
afterAll(async () => {
  const ended = once(server, "exit");
  server.kill("SIGKILL");
  await ended;
  rmSync(directory, { recursive: true });
});

/** Sends the lines and then `body`; resolves to what has come once the server was silent for a moment or has closed. */
async function send(lines: readonly string[], body = ""): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  socket.on("error", () => {});
  socket.write(`${[...lines, "Host: localhost"].join("\r\n")}\r\n\r\n${body}`, "latin1");
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    socket.setTimeout(300, () => socket.destroy());
  });
  await once(socket, "close");
  return Buffer.concat(chunks).toString("latin1");
}

const FRAMINGS = [
  ["Content-Length: 9000000"],
  ["Transfer-Encoding: chunked"],
  ["Content-Length: 9000000", "Expect: 100-continue"],
  ["Transfer-Encoding: chunked", "Expect: 100-continue"],
];

test.each(FRAMINGS)(
  "a body for a page is refused before it arrives, and without 100 Continue (%s %s)",
  async (...framing) => {
    const lines = framing.filter(Boolean);
    for (const path of ["/", "/docs", "/icon.svg", "/nothing"]) {
      const posted = await send([`POST ${path} HTTP/1.1`, ...lines]);
      expect(posted).toMatch(/^HTTP\/1\.1 405 Method Not Allowed\r\n/);
      expect(posted).toMatch(/^Allow: GET, HEAD\r$/m);
      expect(posted).toMatch(/^Connection: close\r$/m);
      for (const method of ["GET", "HEAD"])
        expect(await send([`${method} ${path} HTTP/1.1`, ...lines])).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    }
  },
);

test("a client that sends its body anyway still gets the refusal", async () => {
  const size = 5_000_000;
  const answer = await send(["POST /docs HTTP/1.1", `Content-Length: ${size}`], "x".repeat(size));
  expect(answer).toMatch(/^HTTP\/1\.1 405 Method Not Allowed\r\n.*"code":"method_not_allowed"/s);
});

test("a route gets its body, and sends 100 Continue to a client that waits for it", async () => {
  const lines = ["POST /register HTTP/1.1", "Content-Length: 3"];
  expect(await send(lines, "abc")).toMatch(/^HTTP\/1\.1 200 OK.*next got 3/s);
  const waiting = await send([...lines, "Expect: 100-continue"], "abc");
  expect(waiting).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK.*next got 3/s);
});

test("a request whose headers cannot be parsed reaches no route, and causes no long log lines", async () => {
  const lines = ["POST /register HTTP/1.1", "Content-Length: 3", "X-Unreadable: 1"];
  const responses = await Promise.all(Array.from({ length: 20 }, () => send(lines, "abc")));
  for (const answer of responses) expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  const written = log.split("\n").filter((line) => line.includes("headers.unreadable"));
  expect(written.length).toBeGreaterThan(0);
  expect(written.length).toBeLessThan(5);
  expect(written.join().length).toBeLessThan(12_000);
});

test.each([
  ["another protocol", "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"],
  ["no HTTP", "nonsense\r\n\r\n"],
])(
  "after the refusal of %s, a reset does no harm, and a client that never closes is left",
  async (_, request) => {
    const refused = async () => {
      const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true }).on("error", () => {});
      socket.write(request);
      const [answer] = await once(socket, "data");
      expect(String(answer)).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
      return socket;
    };
    (await refused()).resetAndDestroy();
    const open = await refused();
    // Writes until the server has closed its side: it answers with a reset.
    const writing = setInterval(() => open.write("x"), 100);
    // Not `once`, which the error of a write rejects.
    await new Promise((resolve) => open.on("close", resolve));
    clearInterval(writing);
    expect(await send(["GET /healthz HTTP/1.1"])).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  },
  20_000,
);

test("a page view above the limit, by its path and route, is refused until the time in the response", async () => {
  const busy = (path: string, over: string) => send([`GET ${path} HTTP/1.1`, `X-Busy: ${over}`]);
  for (const [path, over] of [
    ["/", "/ null"],
    ["/docs?q=1", "/docs null"],
    ["/l%6cms.txt", "/l%6cms.txt /llms.txt"],
    ["/nothing", "/nothing null"],
    ["/healthz", "/healthz /healthz"],
  ] as const) {
    const answer = await busy(path, over);
    expect(answer).toMatch(/^HTTP\/1\.1 429 Too Many Requests\r\n/);
    expect(answer).toMatch(/^Retry-After: 7\r$/m);
    expect(answer).toContain('"retry":"wait"');
    expect(await busy(path, "/another null")).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  }
});

test("a facilitator's key in the path reaches its route as a header, and neither a refusal nor the log", async () => {
  const key = "tsk_4fQ8Lm2NvXc7Rt9Wp1Zs6Yb3";
  const verify = `POST /facilitator/k/${key}//verify HTTP/1.1`;
  expect(await send([verify, "Content-Length: 3"], "abc")).toMatch(/^HTTP\/1\.1 200 OK.*next got 3/s);
  const responses = [
    await send([verify, "X-Busy: /facilitator/verify /facilitator/verify"]),
    await send([`POST /facilitator/k/${key}/verfiy HTTP/1.1`]),
    await send([`POST /facilitator/k/${key}/settle?${"a".repeat(9_000)} HTTP/1.1`]),
    await send([`GET /facilitator/k/${key} HTTP/1.1`, "X-Busy: /facilitator/k null"]),
    await send([`POST /facilitator/k/${key}/settle HTTP/1.1`, "X-Unreadable: 1"]),
  ];
  expect(responses.map((answer) => answer.split(" ")[1])).toEqual(["429", "405", "414", "429", "400"]);
  expect(responses.join()).not.toContain(key);
  expect(log).toContain("/facilitator/settle");
  expect(log).not.toContain(key);
});

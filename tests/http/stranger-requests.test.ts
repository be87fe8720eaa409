import { once } from "node:events";
import { connect } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { LOOSE_LIMITS } from "@/dev/limits";
import { COMPILED } from "@/dev/local/build";
import { pageWork } from "@/lib/http/page-work";
import { IS_IN_PROCESS, serverPort } from "../support/base-url";
import { startServer, type TestServer } from "../support/server";
import { createWorld, type World } from "../support/world";

/** What strangers send to the HTTP server itself: bodies where nothing takes one, names of headers, and many pages. */
const OLD_NODE = {
  NODE_OPTIONS: `${COMPILED.NODE_OPTIONS} --require ${join(process.cwd(), "tests/support/old-node.cjs")}`,
};
const BODY_BYTES = 9_000_000;
/** Names of properties that every object has, as they are written in lower case. */
const NAMES = ["__proto__", "constructor", "toString", "valueOf", "hasOwnProperty", "__defineGetter__"];

let world: World;
let server: TestServer | undefined;

beforeAll(async () => {
  world = await createWorld();
});
afterAll(async () => {
  await world?.stop();
});

const start = async (env: Record<string, string>) => {
  server = await startServer({ port: await serverPort(), isWorking: false, env: { ...LOOSE_LIMITS, ...env } });
  return server.port;
};
const stop = async () => {
  await server?.stop();
  server = undefined;
};

/** Sends the lines and then nothing; resolves to what came with the first head of a response, or in `msMax`. */
async function send(port: number, lines: readonly string[], msMax = 10_000): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  socket.on("error", () => {});
  socket.write(`${lines.join("\r\n")}\r\n\r\n`, "latin1");
  const timer = setTimeout(() => socket.destroy(), msMax);
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    if (Buffer.concat(chunks).includes("\r\n\r\n")) socket.destroy();
  });
  await once(socket, "close");
  clearTimeout(timer);
  return Buffer.concat(chunks).toString("latin1");
}

const host = "Host: localhost";
const statusIn = (answer: string) => Number(answer.split(" ")[1]);

describe.skipIf(IS_IN_PROCESS)("a request body that no handler accepts", () => {
  let port: number;
  beforeAll(async () => {
    port = await start({});
  }, 600_000);
  afterAll(stop);

  const PATHS = ["/", "/docs", "/docs/quickstart", "/dashboard", "/sign-in", "/firewall", "/status", "/nothing/here"];
  const FILES = ["/icon.svg", "/vault-exit.html", "/favicon.ico", "/_next/static/x.js"];
  const FRAMINGS = {
    "of 9 MB": [`Content-Length: ${BODY_BYTES}`],
    "of 9 MB, for which the client waits": [`Content-Length: ${BODY_BYTES}`, "Expect: 100-continue"],
    "in chunks": ["Transfer-Encoding: chunked"],
    "in chunks, for which the client waits": ["Transfer-Encoding: chunked", "Expect: 100-continue"],
  };

  test.each(Object.entries(FRAMINGS))(
    "is refused with 405 before a byte of it arrives: %s",
    async (_, framing) => {
      for (const path of [...PATHS, ...FILES]) {
        for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
          const answer = await send(port, [`${method} ${path} HTTP/1.1`, host, ...framing]);
          expect([method, path, answer.split("\r\n")[0]]).toEqual([method, path, "HTTP/1.1 405 Method Not Allowed"]);
          expect(answer).toMatch(/^Allow: GET, HEAD\r$/m);
          expect(answer).toMatch(/^Connection: close\r$/m);
          if (framing.length === 1) break;
        }
      }
    },
    300_000,
  );

  test("in a GET or a HEAD is refused with 400 before a byte of it arrives", async () => {
    for (const path of [...PATHS, ...FILES]) {
      for (const method of ["GET", "HEAD"]) {
        for (const framing of Object.values(FRAMINGS)) {
          const answer = await send(port, [`${method} ${path} HTTP/1.1`, host, ...framing]);
          expect([method, path, framing, statusIn(answer)]).toEqual([method, path, framing, 400]);
        }
      }
    }
  }, 300_000);

  test("is not kept in memory: 60 bodies of 9 MB at once, 40 sent to a page and 20 to a route in unusual spelling", async () => {
    const chunk = Buffer.alloc(1_000_000, "x");
    const flood = async (path: string) => {
      const socket = connect(port, "127.0.0.1");
      await once(socket, "connect");
      socket.on("error", () => {});
      socket.resume();
      socket.write(`POST ${path} HTTP/1.1\r\n${host}\r\nContent-Length: ${BODY_BYTES}\r\n\r\n`);
      for (let index = 0; index < 8 && socket.writable; index++) {
        if (!socket.write(chunk))
          await Promise.race([once(socket, "drain"), once(socket, "close"), sleep(5_000)]).catch(() => {});
      }
      return socket;
    };
    const memoryBefore = await memoryOf();
    const paths = Array.from({ length: 60 }, (_, index) => (index < 40 ? "/docs" : "/token/%72otate"));
    const sockets = await Promise.all(paths.map(flood));
    const grown = (await memoryOf()) - memoryBefore;
    for (const socket of sockets) socket.destroy();
    expect(grown).toBeLessThan(150_000_000);
  }, 300_000);

  test("is still accepted by routes that have one, also when the client waits for 100 Continue", async () => {
    const body = JSON.stringify({ agent_name: "A", client_info: "" });
    const socket = connect(port, "127.0.0.1");
    await once(socket, "connect");
    const answered = text(socket);
    socket.write(
      `POST /register HTTP/1.1\r\n${host}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`,
    );
    const [first] = await once(socket, "data");
    expect(String(first)).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\n/);
    socket.write(body);
    expect(await answered).toContain("HTTP/1.1 200 OK");
  });

  test("is still accepted by next-auth", async () => {
    const response = await fetch(`http://localhost:${port}/api/auth/signout`, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: "csrfToken=x",
      redirect: "manual",
    });
    expect([200, 302]).toContain(response.status);
  });

  test("does not reach the log through next-auth", async () => {
    const response = await fetch(`http://localhost:${port}/api/auth/_log`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ level: "error", code: "CODE", message: "x".repeat(15_000) }),
    });
    expect(response.status).toBe(404);
  });

  /** The resident memory of the server. */
  async function memoryOf(): Promise<number> {
    const { readFile } = await import("node:fs/promises");
    const status = await readFile(`/proc/${server?.process.pid}/status`, "utf8");
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024;
  }
});

describe.skipIf(IS_IN_PROCESS)("header names that are properties of every object, like __proto__,", () => {
  afterEach(stop);

  const register = (port: number, lines: readonly string[]) => {
    const body = JSON.stringify({ agent_name: "A", client_info: "" });
    const head = ["POST /register HTTP/1.1", host, "Connection: close", "Content-Type: application/json"];
    return send(port, [...head, ...lines, `Content-Length: ${body.length}`, "", body]);
  };

  test.each([
    ["on this Node", {}, "203.0.113.7"],
    ["on a Node that cannot read them", OLD_NODE, "203.0.113.8"],
  ])(
    "do not free a client of its rate limit, %s",
    async (_, env, client) => {
      const port = await start({ ...env, TRUSTED_PROXIES: "1", RATE_LIMITS: "register_per_address=3/1h" });
      for (const [index, name] of NAMES.entries()) {
        const spoofed = [
          `${name}: x`,
          `X-Tessera-Caller: 198.51.100.${index}`,
          `X-Forwarded-For: 192.0.2.${index}, ${client}`,
        ];
        const answer = await register(port, spoofed);
        expect([name, statusIn(answer)]).toEqual([name, index < 3 ? 200 : 429]);
      }
    },
    600_000,
  );

  test("do not change the response of pages, routes and the sign-in", async () => {
    const port = await start(OLD_NODE);
    for (const path of [
      "/",
      "/docs/quickstart",
      "/healthz",
      "/readyz",
      "/api/auth/csrf",
      "/paymentlink/lnk_1",
      "/nothing",
    ]) {
      const plain = statusIn(await send(port, [`GET ${path} HTTP/1.1`, host, "Connection: close"]));
      for (const name of NAMES) {
        const answer = await send(port, [
          `GET ${path} HTTP/1.1`,
          host,
          "Connection: close",
          `${name}: x`,
          `${name}: y`,
        ]);
        expect([path, name, statusIn(answer)]).toEqual([path, name, plain]);
      }
    }
  }, 600_000);

  test("a request whose headers cannot be parsed is refused without effect", async () => {
    const port = await start({ ...OLD_NODE, TRUSTED_PROXIES: "1" });
    const answer = await register(port, ["X-Unreadable: 1", "X-Tessera-Caller: 198.51.100.1"]);
    expect(statusIn(answer)).toBe(400);
    expect(answer).toMatch(/^Connection: close\r$/m);
    expect(statusIn(await register(port, []))).toBe(200);
  }, 600_000);
});

describe.skipIf(IS_IN_PROCESS)("page views", () => {
  afterEach(stop);

  test("are limited per client address, and do not count against files, routes and other addresses", async () => {
    const html = { accept: "text/html" };
    const pages = [
      ["/"],
      ["/docs"],
      ["/docs/quickstart.md"],
      ["/llms.txt"],
      ["/pay/lnk_1", html],
      ["/nothing"],
    ] as const;
    const works = pages.map(([path]) => pageWork({ path, route: null, wantsPage: true }));
    const work = works.reduce((sum, each) => sum + each, 0);
    const port = await start({ TRUSTED_PROXIES: "1", RATE_LIMITS: `page_work_per_address=${work}/1h` });
    const get = (path: string, headers: Record<string, string> = {}) =>
      fetch(`http://localhost:${port}${path}`, {
        headers: { "x-forwarded-for": "203.0.113.7", ...headers },
        redirect: "manual",
      });
    for (const [path, headers] of [
      ["/icon.svg", {}],
      ["/healthz", {}],
      ["/api/agents", html],
      ["/paymentlink/lnk_1", html],
      ["/pay/lnk_1", { accept: "application/json" }],
    ] as const) {
      for (let index = 0; index < 3; index++)
        expect([path, (await get(path, headers)).status]).not.toEqual([path, 429]);
    }
    for (const [path, headers] of pages) expect([path, (await get(path, headers)).status]).not.toEqual([path, 429]);
    for (const [path, headers] of [...pages, ["/pay/lnk_1", { rsc: "1" }], ["/docs/search?q=a"]] as const) {
      const response = await get(path, headers);
      expect([path, response.status]).toEqual([path, 429]);
      expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
    }
    expect((await get("/", { "x-forwarded-for": "203.0.113.8" })).status).toBe(200);
    expect((await get("/healthz")).status).toBe(200);
  }, 600_000);
});

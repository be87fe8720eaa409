import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { availableParallelism } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Environment } from "@/dev/local/stack";
import { migrateDatabase } from "@/ops/migrate";
import { openStack } from "../support/own-stack";
import { PATIENCE } from "../support/patience";
import { killProcesses, ready, SERVICE, type Started, startProcess } from "../support/process";
import { rawBytes, rawRequest } from "../support/raw";
import { freshAddress } from "../support/system";

/** The process behind `npm start`: its start and its shutdown. */
const START_MS = 600_000;
/** 7.5 s for the process, and a margin for a busy machine. */
const STOP_SECONDS_MAX = 12 * PATIENCE;

let env: Environment;
let close: () => Promise<void>;

beforeAll(async () => {
  const opened = await openStack("process");
  env = opened.stack.env;
  close = opened.close;
}, START_MS);
afterAll(async () => {
  killProcesses();
  await close?.();
}, START_MS);

const ENTRY = SERVICE;
const start = (command: readonly string[], change: Environment = {}) => {
  // Each has its own address.
  const { PORT, PUBLIC_BASE_URL, NEXTAUTH_URL, ...rest } = env;
  return startProcess(command, { ...rest, ...change });
};

const WAYS: [string, string[]][] = [
  ["npm", ["npm", "start"]],
  ["a shell", ["sh", "-c", "exec npm start --silent"]],
  ["systemd", ENTRY],
];

/** A request whose body is incomplete, so that its response is in progress. */
async function halfRequest({ port }: Started): Promise<{ socket: Socket; rest: string; answer: Promise<string> }> {
  const body = JSON.stringify({ agent_name: "late", client_info: "" });
  const socket = connect(port, "localhost");
  await once(socket, "connect");
  const head = ["POST /register HTTP/1.1", `Host: localhost:${port}`, "Content-Type: application/json"];
  socket.write([...head, `Content-Length: ${body.length}`, "", body.slice(0, 5)].join("\r\n"));
  let text = "";
  socket.on("data", (chunk) => (text += chunk));
  const response = once(socket, "close").then(() => text);
  await sleep(500 * PATIENCE);
  return { socket, rest: body.slice(5), answer: response };
}

const isRefused = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, "localhost");
    socket.once("error", () => resolve(true));
    socket.once("connect", () => {
      socket.destroy();
      resolve(false);
    });
  });

describe("a signal to the server process", () => {
  test.each(WAYS.flatMap(([way, command]) => ["SIGTERM", "SIGINT"].map((signal) => [signal, way, command] as const)))(
    "%s by %s: responses in progress finish, nothing listens any more, exit code 0",
    async (signal, _, command) => {
      const started = await start([...command]);
      await ready(started);
      const idle = connect(started.port, "localhost");
      await once(idle, "connect");
      const half = await halfRequest(started);
      const began = performance.now();
      started.child.kill(signal as NodeJS.Signals);
      while (!(await isRefused(started.port))) await sleep(20);
      half.socket.write(half.rest);
      const answer = await half.answer;
      expect(answer).toMatch(/^HTTP\/1\.1 200 /);
      expect(answer.toLowerCase()).toContain("connection: close");
      expect([await started.ended, started.said()]).toEqual([0, expect.stringContaining('"stopping"')]);
      expect((performance.now() - began) / 1000).toBeLessThan(STOP_SECONDS_MAX);
      expect(await isRefused(started.port)).toBe(true);
      const holders = await leasesHeldBy(started);
      expect(holders).toBe(0);
    },
    START_MS,
  );

  test(
    "ends it within eight seconds despite an incomplete request, and immediately before it is ready",
    async () => {
      const started = await start(ENTRY);
      await ready(started);
      await halfRequest(started);
      const began = performance.now();
      started.child.kill("SIGTERM");
      expect(await started.ended).toBe(0);
      expect((performance.now() - began) / 1000).toBeLessThan(STOP_SECONDS_MAX);

      const early = await start(ENTRY);
      await sleep(1_000);
      early.child.kill("SIGTERM");
      expect([0, null]).toContain(await early.ended);
    },
    START_MS,
  );

  const namespaces = ["unshare", "--pid", "--fork", "--mount-proc"];
  const [unshare = "", ...args] = namespaces;
  test.skipIf(spawnSync(unshare, [...args, "true"]).status !== 0)(
    "reaches the process from the first process of a container",
    async () => {
      const started = await start([...namespaces, ...ENTRY]);
      await ready(started);
      const inside = readFileSync(`/proc/${started.child.pid}/task/${started.child.pid}/children`, "utf8").trim();
      process.kill(Number(inside), "SIGTERM");
      expect([await started.ended, await isRefused(started.port)]).toEqual([0, true]);
    },
    START_MS,
  );
});

/** Leases held by the ended process, by its pid; none if it released them. */
async function leasesHeldBy(started: Started): Promise<number> {
  return query(env.DATABASE_URL ?? "", async (client) => {
    const { rows } = await client.query("select holder from leases where expires_at > now()");
    return rows.filter(({ holder }) => String(holder).split(":").at(-2) === String(started.child.pid)).length;
  });
}

async function query<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function newDatabase(name: string): Promise<string> {
  await query(env.DATABASE_URL ?? "", (client) => client.query(`create database ${name}`));
  const url = new URL(env.DATABASE_URL ?? "");
  url.pathname = `/${name}`;
  return url.href;
}

const NEWER =
  "insert into drizzle.__drizzle_migrations (hash, created_at) values ('of a later version', 9999999999999)";

describe("a start that cannot succeed", () => {
  const endOf = async (change: Environment) => {
    const started = await start(ENTRY, change);
    const code = await started.ended;
    return {
      code,
      lines: started
        .said()
        .split("\n")
        .filter((line) => line !== "" && !/next\.config|^\{/.test(line)),
    };
  };

  test(
    "ends with a line that names the migration, for a database without it and for one of a newer version",
    async () => {
      const empty = await newDatabase("empty");
      const never = await endOf({ DATABASE_URL: empty });
      expect(never).toEqual({ code: 1, lines: [expect.stringMatching(/DATABASE_URL.*`npm run db:migrate`/)] });
      expect(
        await query(
          empty,
          async (client) => (await client.query("select 1 from pg_tables where schemaname = 'public'")).rowCount,
        ),
      ).toBe(0);

      const newer = await newDatabase("newer");
      await migrateDatabase(newer);
      await query(newer, (client) => client.query(NEWER));
      const behind = await endOf({ DATABASE_URL: newer });
      expect(behind).toEqual({
        code: 1,
        lines: [expect.stringMatching(/DATABASE_URL.*newer version.*`npm run db:migrate`/)],
      });
    },
    START_MS,
  );

  test(
    "ends with a line that names the occupied port, or the invalid configuration",
    async () => {
      const taken = await endOf({ PORT: env.PORT ?? "" });
      expect(taken).toMatchObject({ code: 1 });
      expect(taken.lines.at(-1)).toMatch(/^PORT: /);
      const incomplete = await endOf({ MODE: "production", TREASURY_ADDRESS: "" });
      expect(incomplete).toMatchObject({ code: 1 });
      expect(incomplete.lines.join("\n")).toContain("TREASURY_ADDRESS");
    },
    START_MS,
  );
});

test(
  "behind https the server sends HSTS, and its cookies are bound to this host",
  async () => {
    const https = { PUBLIC_BASE_URL: "https://pay.example", NEXTAUTH_URL: "https://pay.example" };
    const started = await start(ENTRY, https);
    await ready(started);
    for (const target of ["/", "/healthz", "/nothing", "/icon.svg", "/%zz", "/api/auth/csrf"]) {
      const response = await rawRequest(started.url, target);
      expect([target, response.headers.get("strict-transport-security")]).toEqual([target, "max-age=31536000"]);
    }
    const set = (await fetch(`${started.url}/api/auth/csrf`)).headers.getSetCookie();
    expect(set.length).toBeGreaterThan(0);
    for (const cookie of set) {
      expect(cookie).toMatch(/^__Host-/);
      expect(cookie).toMatch(/; Path=\/(?:;|$)/);
      expect(cookie).toMatch(/; Secure(?:;|$)/);
      expect(cookie).not.toMatch(/; Domain=/i);
    }
    started.child.kill("SIGTERM");
    await started.ended;
  },
  START_MS,
);

test(
  "rejected requests are logged with one line each, without headers and queries, and a flood only in part",
  async () => {
    const started = await start(ENTRY, { LOG_LEVEL: "info" });
    await ready(started);
    const { hostname, port } = new URL(started.url);
    const bytes = (text: string) => rawBytes(hostname, Number(port), text);
    const large = `X-Large: secret-header${"x".repeat(20_000)}`;
    const responses = [
      await rawRequest(started.url, `/api/mandates?secret-query=${"x".repeat(9000)}`),
      await rawRequest(started.url, "/pay/%zz?secret-query=1", ["Authorization: Bearer secret-header"]),
      await rawRequest(started.url, "/dashboard", [large]),
      await rawRequest(started.url, `/${"p".repeat(3000)}`),
      await rawRequest(started.url, "http://name:secret-header@evil.example/"),
      await bytes(`TRACE /api/wallet?secret-query HTTP/1.1\r\nHost: a\r\nCookie: secret-header\r\n\r\n`),
      await bytes("secret-header\r\nsecret-query\r\n\r\n"),
      await rawRequest(started.url, "/", [`X-Larger: secret-header${"x".repeat(140_000)}`]),
    ];
    expect(responses.map(({ status }) => status)).toEqual([414, 400, 431, 414, 400, 405, 400, 431]);

    const requests = () =>
      started
        .said()
        .split("\n")
        .flatMap((line) => (line.includes('"requestId"') ? [JSON.parse(line)] : []))
        .filter(({ code }) => code !== undefined);
    const expected = [
      ["GET", "/api/mandates", 414, "uri_too_long"],
      ["GET", "/pay/%zz", 400, "invalid_request"],
      ["GET", "/dashboard", 431, "headers_too_large"],
      ["GET", `/${"p".repeat(199)}`, 414, "uri_too_long"],
      ["GET", "", 400, "invalid_request"],
      ["TRACE", "/api/wallet", 405, "method_not_allowed"],
      [null, null, 400, "invalid_request"],
      [null, null, 431, "headers_too_large"],
    ].map(([method, path, status, code], index) => ({
      level: "info",
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      requestId: responses[index]?.headers.get("x-request-id"),
      method,
      path,
      status,
      code,
      ms: 0,
      msg: "request",
    }));
    await expect.poll(requests).toEqual(expected);
    expect(started.said()).not.toMatch(/secret-/);

    const requestsBefore = requests().length;
    const FLOOD = 500;
    const unlogged = () =>
      [...started.said().matchAll(/"count":(\d+),"msg":"request.unlogged"/g)].reduce(
        (sum, [, n]) => sum + Number(n),
        0,
      );
    await Promise.all(Array.from({ length: FLOOD }, () => rawRequest(started.url, "/%zz")));
    await expect.poll(() => requests().length - requestsBefore + unlogged(), { timeout: 10_000 }).toBe(FLOOD);
    expect(unlogged()).toBeGreaterThan(0);
    started.child.kill("SIGTERM");
    await started.ended;
  },
  START_MS,
);

describe("npm run doctor", () => {
  const doctor = async (change: Environment = {}) => {
    const started = await start([process.execPath, "--import", "tsx", "ops/doctor.ts"], {
      LOG_LEVEL: "silent",
      ...change,
    });
    return { code: await started.ended, said: started.said() };
  };

  test(
    "reports success and changes nothing",
    async () => {
      const count = () =>
        query(
          env.DATABASE_URL ?? "",
          async (client) => (await client.query("select count(*) from relayer_transactions")).rows,
        );
      const countBefore = await count();
      const { code, said } = await doctor();
      expect([code, said]).toEqual([0, expect.stringMatching(/^ok .*configuration/)]);
      for (const name of ["migrations", "gas on base", "gas on base-sepolia", "clock", "outbound"])
        expect(said).toContain(name);
      expect(said).not.toMatch(/^fail/m);
      expect(await count()).toEqual(countBefore);
    },
    START_MS,
  );

  test(
    "counts the connections of all processes that npm start would start",
    async () => {
      const { said } = await doctor({
        MODE: "production",
        PUBLIC_BASE_URL: "https://wallet.example",
        NEXTAUTH_URL: "https://wallet.example",
        TREASURY_ADDRESS: freshAddress(),
        WEB_CONCURRENCY: "",
      });
      expect(said).toMatch(new RegExp(`connections .*DATABASE_POOL .*${availableParallelism()} process`));
    },
    START_MS,
  );

  test(
    "names each problem and its remedy",
    async () => {
      const cases: [Environment, RegExp][] = [
        [{ DATABASE_URL: await newDatabase("unmigrated") }, /^fail .*migrations.*\n.*npm run db:migrate/m],
        [{ DATABASE_URL: "postgres://postgres@127.0.0.1:1/nothing" }, /^fail .*migrations/m],
        [{ RELAYER_KEYS: `0x${"1".repeat(64)}` }, /^fail .*gas on base.*\n.*Send ETH to 0x/m],
        [{ BASE_RPC_URL: "http://127.0.0.1:1" }, /^fail .*gas on base/m],
        [{ MODE: "production", TREASURY_ADDRESS: "" }, /^fail .*configuration.*TREASURY_ADDRESS/m],
      ];
      for (const [change, expected] of cases) {
        const { code, said } = await doctor(change);
        expect([code, said]).toEqual([1, expect.stringMatching(expected)]);
      }
    },
    START_MS,
  );
});

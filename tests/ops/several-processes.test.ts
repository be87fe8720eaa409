import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Environment } from "@/dev/local/stack";
import { serverPort } from "../support/base-url";
import { openStack } from "../support/own-stack";
import { PATIENCE } from "../support/patience";
import { killProcesses, ready, SERVICE, type Started, startProcess } from "../support/process";
import { until } from "../support/replica";

/** `npm start` with several processes at one port: they share the requests, are replaced under load, and end together. */
const START_MS = 600_000;
const STOP_SECONDS_MAX = 12 * PATIENCE;
const LANES = 6;

let env: Environment;
let close: () => Promise<void>;
let metricsPort: number;

beforeAll(async () => {
  const opened = await openStack("processes");
  env = opened.stack.env;
  close = opened.close;
}, START_MS);
afterAll(async () => {
  killProcesses();
  await close?.();
}, START_MS);

async function start(change: Environment = {}): Promise<Started> {
  const { PORT, PUBLIC_BASE_URL, NEXTAUTH_URL, ...rest } = env;
  metricsPort = await serverPort();
  const several = { WEB_CONCURRENCY: "2", METRICS_PORT: String(metricsPort), LOG_LEVEL: "info" };
  return startProcess(SERVICE, { ...rest, ...several, ...change });
}

const workersOf = ({ child }: Started): number[] =>
  readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8").trim().split(" ").filter(Boolean).map(Number);

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/** Requests over connections that are kept open, as a proxy keeps them. */
function startLoad(url: string) {
  const failed: string[] = [];
  let answered = 0;
  let isOver = false;
  const send = async (index: number) => {
    const register = { method: "POST", headers: { "content-type": "application/json" } };
    const body = JSON.stringify({ agent_name: `load ${index}`, client_info: "" });
    // fetch repeats neither: a broken connection is an error.
    const response =
      index % 3 === 0 ? await fetch(`${url}/register`, { ...register, body }) : await fetch(`${url}/openapi.json`);
    await response.arrayBuffer();
    if (!response.ok) failed.push(`${response.status}`);
    answered += 1;
  };
  const lanes = Array.from({ length: LANES }, async (_, lane) => {
    for (let index = lane; !isOver; index++) {
      await send(index).catch((error: Error) => failed.push(String(error.cause ?? error)));
      await sleep(20);
    }
  });
  return {
    failed,
    answered: () => answered,
    stop: async () => {
      isOver = true;
      await Promise.all(lanes);
    },
  };
}

async function counted(): Promise<{ requests: number; workers: number }> {
  const lines = (await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()).split("\n");
  const sum = (name: string, of = "") =>
    lines
      .filter((line) => line.startsWith(name) && line.includes(of))
      .reduce((total, line) => total + Number(line.slice(line.lastIndexOf(" "))), 0);
  return {
    requests:
      sum("tessera_http_request_seconds_count{", 'route="/register"') +
      sum("tessera_http_request_seconds_count{", 'route="/openapi.json"'),
    workers: sum("tessera_workers "),
  };
}

test(
  "SIGHUP replaces every server process under load, without a failed request or a lost count",
  async () => {
    const started = await start();
    await ready(started);
    await until(async () => started.said().includes('"processes.started"'), "both processes");
    const workersBefore = workersOf(started);
    expect(workersBefore.length).toBe(2);

    const load = startLoad(started.url);
    await until(async () => load.answered() > 50, "the first requests");
    expect(await counted()).toMatchObject({ workers: 2 });
    started.child.kill("SIGHUP");
    await until(async () => started.said().includes('"processes.replaced"'), "the new processes", 240);
    const during = load.answered();
    await until(async () => !workersBefore.some(isAlive), "the old processes to end", 90);
    await until(async () => load.answered() > during + 50, "requests to the new processes");
    await load.stop();

    expect(load.failed).toEqual([]);
    const workersAfter = workersOf(started);
    expect(workersAfter.length).toBe(2);
    expect(workersAfter.filter((pid) => workersBefore.includes(pid))).toEqual([]);
    await expect.poll(counted, { timeout: 20_000 }).toEqual({ requests: load.answered(), workers: 2 });
    console.log(`${load.answered()} requests, none failed, while 2 processes were replaced`);

    started.child.kill("SIGTERM");
    expect(await started.ended).toBe(0);
  },
  START_MS,
);

test(
  "a process that dies is replaced while the other one serves requests, and SIGTERM ends all within seconds",
  async () => {
    const started = await start();
    await ready(started);
    await until(async () => started.said().includes('"processes.started"'), "both processes");
    const [victim = 0, other = 0] = workersOf(started);
    // A terminal sends the signal to each process of a group, and only the parent acts on it.
    process.kill(other, "SIGHUP");
    process.kill(victim, "SIGKILL");
    await until(async () => !isAlive(victim), "its end");
    for (const _ of Array(10)) expect((await fetch(`${started.url}/healthz`)).status).toBe(200);
    await until(async () => workersOf(started).length === 2 && !workersOf(started).includes(victim), "a new one", 120);
    expect(workersOf(started)).toContain(other);

    const pids = workersOf(started);
    const began = performance.now();
    started.child.kill("SIGTERM");
    expect(await started.ended).toBe(0);
    expect((performance.now() - began) / 1000).toBeLessThan(STOP_SECONDS_MAX);
    expect(pids.filter(isAlive)).toEqual([]);
    const client = new pg.Client({ connectionString: env.DATABASE_URL });
    await client.connect();
    const { rows } = await client.query("select holder from leases where expires_at > now()");
    await client.end();
    expect(rows.filter(({ holder }) => pids.includes(Number(String(holder).split(":").at(-2))))).toEqual([]);
  },
  START_MS,
);

test(
  "a start that cannot succeed gives its reason once, and ends with code 1",
  async () => {
    const wrong = await start({ DATABASE_POOL: "1" });
    expect(await wrong.ended).toBe(1);
    expect(wrong.said().match(/DATABASE_POOL/g)).toHaveLength(1);
    const number = await start({ WEB_CONCURRENCY: "many" });
    expect(await number.ended).toBe(1);
    expect(number.said()).toBe("WEB_CONCURRENCY: must be a number from 1 to 64\n");
  },
  START_MS,
);

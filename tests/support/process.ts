import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "@/dev/local/ports";
import type { Environment } from "@/dev/local/stack";

const READY_SECONDS = 120;

/** A process started as an operator starts it. `said` returns its output so far, `ended` resolves with its exit code. */
export type Started = { child: ChildProcess; url: string; port: number; said: () => string; ended: Promise<unknown> };

const children = new Set<ChildProcess>();

/** Node arguments that run the command of `npm start`. */
export const SERVICE = [process.execPath, "ops/server/start.mjs"];

/** The service's variables that a world has set in this process's environment. */
export const serviceSettings = (): Environment =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value !== undefined &&
      /^(MODE|DATA_DIR|DATABASE_\w+|BASE_\w+|RELAYER_KEYS|MASTER_KEY|NEXTAUTH_SECRET|RATE_LIMITS)$/.test(name)
        ? [[name, value]]
        : [],
    ),
  );

/** Starts `command` on a free port, with only the environment `env`. */
export async function startProcess(command: readonly string[], env: Environment, cwd?: string): Promise<Started> {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const own = { PORT: String(port), PUBLIC_BASE_URL: url, NEXTAUTH_URL: url, __NEXT_PROCESSED_ENV: "true" };
  const [program = "", ...args] = command;
  const child = spawn(program, args, {
    cwd,
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...own, ...env, NODE_ENV: "production" },
  });
  children.add(child);
  let message = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (message += chunk));
  const ended = once(child, "close").then(([code]) => {
    children.delete(child);
    return code;
  });
  return { child, url, port: Number(env.PORT ?? port), said: () => message, ended };
}

/** Resolves when it answers requests. Throws its output if it does not start. */
export async function ready(started: Started): Promise<void> {
  const deadline = Date.now() + READY_SECONDS * 1000;
  while (started.child.exitCode === null && Date.now() < deadline) {
    const response = await fetch(`http://localhost:${started.port}/readyz`).catch(() => null);
    if (response?.ok) return;
    await sleep(100);
  }
  throw new Error(`did not become ready:\n${started.said()}`);
}

/** Ends processes that a failed test did not end. */
export const killProcesses = () => {
  for (const child of children) child.kill("SIGKILL");
};

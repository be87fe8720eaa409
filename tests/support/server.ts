import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { inject } from "vitest";
import { COMPILED, onLines, START_ENVIRONMENT } from "@/dev/local/build";
import { controlRequest } from "@/dev/local/control";
import { end, endWithUs, isRunning } from "@/dev/local/processes";
import type { ControlAnswer, ControlRequest } from "@/lib/platform/control";

import { closeConnections } from "./connections";
import { OTHER_BUILD, START } from "./other-build";
import { readLogLine } from "./undeclared";

export type ServerOptions = {
  port: number;
  /** In addition to this process's configuration. */
  env?: Record<string, string>;
  /** Whether its background jobs start with it. */
  isWorking: boolean;
};

/** A server of the production build, started with the command of `npm start`. */
export type TestServer = {
  process: ChildProcess;
  port: number;
  controlSocket: string;
  /** The signal that ended it, once it has ended. */
  died: Promise<string | null>;
  control: (request: ControlRequest) => Promise<ControlAnswer>;
  /** Shuts it down; requests in progress finish. */
  stop: () => Promise<void>;
  /** SIGKILL. */
  kill: () => Promise<void>;
};

let started = 0;

/** Starts a server. Resolves when it answers, or a failpoint has killed it before. */
export async function startServer({ port, env = {}, isWorking }: ServerOptions): Promise<TestServer> {
  started += 1;
  const name = join(inject("run").dir, `server-${process.pid}-${started}`);
  const socket = `${name}.sock`;
  const child = spawn(process.execPath, [HEAP, ...START], {
    ...(OTHER_BUILD && { cwd: OTHER_BUILD }),
    stdio: ["pipe", "pipe", "pipe"],
    env: {
      ...configuration(),
      WORKERS: isWorking ? "on" : "off",
      PRELOAD_ROUTES: "off",
      ...COMPILED,
      CONTROL_SOCKET: socket,
      ...env,
      ...START_ENVIRONMENT,
      PORT: String(port),
    },
  });
  endWithUs(child, "SIGTERM");
  const said = listen(child, `${name}.log`);
  const died = once(child, "exit").then(([, signal]) => signal as string | null);
  const closed = once(child, "close");
  await answering(child, port, said);
  const untilExited = async () => {
    await died;
    // The rest of its log.
    await closed;
    closeConnections(port);
    rmSync(socket, { force: true });
  };
  return {
    process: child,
    port,
    controlSocket: socket,
    died,
    control: (request) => controlRequest(socket, request),
    stop: async () => {
      if (child.pid && isRunning(child)) await end(child.pid, "SIGTERM");
      await untilExited();
    },
    kill: async () => {
      child.kill("SIGKILL");
      await untilExited();
    },
  };
}

// Several servers run at once, possibly on two cores with little memory.
const HEAP = "--max-old-space-size=512";

/** This process's environment without the variables of vitest and npm. */
const configuration = () =>
  Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(?:VITEST|NODE_|npm_|(?:TEST|PROD|DEV|SSR|BASE_URL)$)/.test(name),
    ),
  );

const LAST_WORDS = 30;

/** Writes the log next to the run's other files, and keeps its end for the error of a server that did not start. */
function listen(child: ChildProcess, logFile: string): string[] {
  const log = createWriteStream(logFile);
  const tail: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    onLines(stream, (line) => {
      log.write(`${line}\n`);
      readLogLine(line);
      tail.push(line);
      if (tail.length > LAST_WORDS) tail.shift();
      if (process.env.SHOW_SERVERS) process.stderr.write(`${line}\n`);
    });
  }
  child.once("close", () => log.end());
  return tail;
}

const START_SECONDS = 90;

async function answering(child: ChildProcess, port: number, said: string[]): Promise<void> {
  const deadline = performance.now() + START_SECONDS * 1000;
  while (isRunning(child)) {
    const isUp = await fetch(`http://localhost:${port}/healthz`, { signal: AbortSignal.timeout(5_000) }).then(
      (res) => res.ok,
      () => false,
    );
    if (isUp) return;
    if (performance.now() > deadline) throw new Error(`no answer in ${START_SECONDS} s:\n${said.join("\n")}`);
    await sleep(25);
  }
  if (child.signalCode === null) throw new Error(`the server ended with ${child.exitCode}:\n${said.join("\n")}`);
}

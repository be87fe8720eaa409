import type { ControlAnswer, ControlRequest } from "@/lib/platform/control";
import * as here from "@/lib/wiring";
import { IS_IN_PROCESS, PORT } from "./base-url";
import { startServer, type TestServer } from "./server";

/**
 * The service of a test file with the verbs of lib/wiring: a server of the production build, started at the first call
 * with what process.env holds then. `closeSystem` ends it, and the next call starts one with what process.env holds by
 * then. It takes the state of its jobs from `startWorkers`.
 */
let current: Promise<TestServer> | undefined;
let isWorking = false;
let switching: Promise<void> = Promise.resolve();

/** The world in this process, on the same database and chains: for stores and for what an operator's script does. */
export const { system } = here;

/** This file's server, which takes calls. */
export async function server(): Promise<TestServer> {
  await switching;
  return running();
}

/** Starts this file's server with its jobs running from the start, as `npm start` does. */
export async function startWorking(): Promise<TestServer> {
  isWorking = true;
  return running();
}

function running(): Promise<TestServer> {
  current ??= startServer({ port: PORT, isWorking });
  return current;
}

/** Asks this file's server over its control socket. */
export async function control(request: ControlRequest): Promise<ControlAnswer> {
  if (!IS_IN_PROCESS) return (await server()).control(request);
  const { perform } = await import("@/lib/platform/control");
  return { id: null, ...(await perform(request, { start: () => {}, stop: async () => {} })) };
}

/** Starts the background jobs; `stop` resolves when what they were at is done. */
export function startWorkers(): { stop: () => Promise<void> } {
  if (IS_IN_PROCESS) return here.startWorkers();
  void switchJobs(true);
  return { stop: () => switchJobs(false) };
}

function switchJobs(isRunning: boolean): Promise<void> {
  isWorking = isRunning;
  switching = switching.then(async () => {
    if (current || isRunning) await (await running()).control({ do: "jobs", isRunning });
  });
  // Whoever calls next is told.
  switching.catch(() => {});
  return switching;
}

export async function closeSystem(): Promise<void> {
  await here.closeSystem();
  await stopServer();
}

/** Ends this file's server in order; nothing happens when there is none. */
export async function stopServer(): Promise<void> {
  const stopping = current;
  current = undefined;
  await switching.catch(() => {});
  switching = Promise.resolve();
  await (await stopping?.catch(() => undefined))?.stop();
}

import type { ControlAnswer, ControlRequest } from "@/lib/platform/control";
import * as here from "@/lib/wiring";
import { IS_IN_PROCESS, PORT } from "./base-url";
import { startServer, type TestServer } from "./server";

/**
 * The service of a test file, with the functions of lib/wiring: a server of the production build, started at the first call
 * with the values of process.env at that time. `closeSystem` ends it; the next call starts one with the values at that
 * time. `startWorkers` decides whether its jobs run.
 */
let current: Promise<TestServer> | undefined;
let isWorking = false;
let switching: Promise<void> = Promise.resolve();

/** A system in this process, on the same database and chains, for stores and operators' scripts. */
export const { system } = here;

/** This file's server, started if necessary. */
export async function server(): Promise<TestServer> {
  await switching;
  return running();
}

/** Starts this file's server with its jobs running, as `npm start` does. */
export async function startWorking(): Promise<TestServer> {
  isWorking = true;
  return running();
}

function running(): Promise<TestServer> {
  current ??= startServer({ port: PORT, isWorking });
  return current;
}

/** Has the next server of this process start without its jobs. The one of the previous file has ended with its world. */
export function forgetJobs(): void {
  isWorking = false;
}

/** Sends a request to the control socket of this file's server. */
export async function control(request: ControlRequest): Promise<ControlAnswer> {
  if (!IS_IN_PROCESS) return (await server()).control(request);
  const { perform } = await import("@/lib/platform/control");
  return { id: null, ...(await perform(request, { start: () => {}, stop: async () => {} })) };
}

/** Starts the background jobs. `stop` resolves when their current rounds have ended. */
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
  // The next caller gets the rejection.
  switching.catch(() => {});
  return switching;
}

export async function closeSystem(): Promise<void> {
  await here.closeSystem();
  await stopServer();
}

/** Shuts this file's server down, if there is one. */
export async function stopServer(): Promise<void> {
  const stopping = current;
  current = undefined;
  await switching.catch(() => {});
  switching = Promise.resolve();
  await (await stopping?.catch(() => undefined))?.stop();
}

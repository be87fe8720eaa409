import type { IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { CHECKS } from "@/lib/checks";
import { callerOfMessage, isPageRequested, recordCaller, recordEveryCaller } from "@/lib/http/caller";
import { allowFrames } from "@/lib/http/frames";
import { type PageRequest, pageWork } from "@/lib/http/page-work";
import { varyByLanguage } from "@/lib/http/vary";
import { frameOriginsNow } from "@/lib/links/frames";
import type { Measuring } from "@/lib/metrics";
import { lineOf, runChecks } from "@/lib/platform/checks";
import type { System } from "@/lib/platform/context";
import type { Jobs } from "@/lib/platform/control";
import { takeWork } from "@/lib/platform/limiter";
import { reload } from "@/lib/screening/service";
import type { Tracing } from "@/lib/telemetry";
import { closeSystem, drain, endStreams, isPayingVisitor, startWorkers, system } from "@/lib/wiring";

const DRAIN_MS = 8000;
const ANSWER_MS = 5000;

/** The interface of the service for ops/server. */
export type Service = Partial<Measuring & Pick<Tracing, "trace">> & {
  /** Stops the service: waits for `answered`, up to a limit, and resolves when the database is closed. */
  stop: (signal: string, answered: Promise<void>) => Promise<void>;
  /** Ends the open event streams; no new one starts. */
  endStreams: () => void;
  /** Adds the headers that routes read (lib/http/caller.ts). Throws when the request's headers cannot be read. */
  recordCaller: (req: IncomingMessage) => void;
  /**
   * Counts the work of a page. Returns the seconds to wait, or null if the page is allowed or there is none. `route`: the route that
   * responds at `path`, or null where only Next does. Only after `recordCaller`.
   */
  takePageTurn: (req: IncomingMessage, path: string, route: string | null) => null | Promise<number | null>;
};

let started: Promise<Service> | null = null;

/** Starts the service and its jobs, once per process. An invalid configuration ends the process. */
export function startService(): Promise<Service> {
  started ??= start();
  return started;
}

/** Starts the service under `next start` and `next dev`, where ops/server does not. */
export async function startWithNext(): Promise<void> {
  if (started) return;
  const { stop } = await startService();
  recordEveryCaller(system().config.trustedProxies);
  stopOnSignals(stop);
}

async function start(): Promise<Service> {
  const app = configured(system);
  const { config, log } = app;
  const reports = await runChecks(app, CHECKS);
  for (const report of reports.filter(({ status }) => status === "warn")) log.warn(report, "check.warned");
  const failed = reports.filter(({ status }) => status === "fail");
  if (failed.length > 0) end(failed.map(lineOf));
  void reload(app);
  varyByLanguage();
  allowFrames((linkId) => frameOriginsNow(app, linkId));
  const { stop: stopTracing, ...measuring } = await startMeasuring(app);
  const jobs = switchable(startWorkers);
  if (process.env.WORKERS !== "off") jobs.start();
  if (config.controlSocket) {
    const { openControl } = await import("@/lib/platform/control");
    await openControl(config.controlSocket, jobs, log);
  }
  log.info({ mode: config.mode, baseUrl: config.baseUrl }, "started");
  return {
    ...measuring,
    endStreams,
    recordCaller: (req) => recordCaller(req, config.trustedProxies),
    takePageTurn: (req, path, route) => takePageTurn(app, req, { path, route, wantsPage: isPageRequested(req) }),
    stop: async (signal, answered) => {
      log.info({ signal }, "stopping");
      // The remaining time is for releasing leases, so that another process takes over the jobs at once.
      await Promise.race([Promise.all([drain(), answered]), sleep(ANSWER_MS)]);
      await jobs.stop();
      await closeSystem();
      await stopTracing?.();
    },
  };
}

function takePageTurn(app: System, req: IncomingMessage, pageRequest: PageRequest): null | Promise<number | null> {
  const work = pageWork(pageRequest);
  if (work === 0) return null;
  const retryAfter = takeWork(app, "page_work_per_address", callerOfMessage(req), work);
  if (retryAfter === null) return null;
  return retryAfter.then(async (seconds) => {
    const isExempt = seconds !== null && (await isPayingVisitor(req.headers.cookie ?? null));
    return isExempt ? null : seconds;
  });
}

/** Measures only if metrics or traces are configured. */
async function startMeasuring(app: System): Promise<Partial<Measuring & Tracing>> {
  const { metricsPort, isTraced } = app.config;
  if (metricsPort === null && !isTraced) return {};
  const { openMetrics } = await import("@/lib/metrics");
  const measuring = openMetrics();
  if (!isTraced) return measuring;
  const { startTelemetry } = await import("@/lib/telemetry");
  return { ...measuring, ...startTelemetry(app) };
}

function stopOnSignals(stop: Service["stop"]): void {
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.once(signal, () => {
      // Work in progress can be resumed in any case; a clean stop only makes the handover quick.
      setTimeout(() => process.exit(0), DRAIN_MS).unref();
      void stop(signal, Promise.resolve()).then(() => process.exit(0));
    });
  }
}

/** Idempotent: starting twice or stopping twice has no further effect. */
function switchable(open: () => { stop: () => Promise<void> }): Jobs {
  let running: { stop: () => Promise<void> } | null = null;
  return {
    start: () => {
      running ??= open();
    },
    stop: async () => {
      const stopping = running;
      running = null;
      await stopping?.stop();
    },
  };
}

/** A wrong configuration must end the process: a server that only returns 500 looks alive. */
function configured<T>(open: () => T): T {
  try {
    return open();
  } catch (error) {
    return end(["The configuration is incomplete or wrong:", error instanceof Error ? error.message : String(error)]);
  }
}

function end(lines: string[]): never {
  process.stderr.write(`${lines.join("\n")}\n`);
  process.exit(1);
}

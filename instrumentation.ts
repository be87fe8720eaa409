import type { IncomingMessage } from "node:http";
import type { Front } from "@/lib/metrics";
import type { System } from "@/lib/platform/context";
import type { Jobs } from "@/lib/platform/control";
import type { Telemetry } from "@/lib/telemetry";

const DRAIN_MS = 8000;
const ANSWER_MS = 5000;

/** Stops the process. `answered` resolves when the server has sent every response in progress. */
type Stop = (signal: string, answered: Promise<void>) => Promise<void>;

type Admission = {
  recordCaller: (req: IncomingMessage) => void;
  isPageRequested: (req: IncomingMessage) => boolean;
  takePageTurn: (req: IncomingMessage) => null | Promise<number | null>;
};

/** ops/server/start.mjs sets this object and calls `stop` on its own signals. `next dev` does not set it. */
const shared = globalThis as typeof globalThis & {
  tesseraFront?: Front & Partial<Admission> & { stop?: Stop; endStreams?: () => void };
};

/** Runs once when the server starts. A bad configuration ends the process; otherwise the jobs that move money start. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { callerOfMessage, isPageRequested, recordCaller, recordCallers } = await import("@/lib/http/caller");
  const { varyByLanguage } = await import("@/lib/http/vary");
  const { allowFrames } = await import("@/lib/http/frames");
  const { takeTurn } = await import("@/lib/platform/limiter");
  const { frameOriginsNow } = await import("@/lib/links/frames");
  const { closeSystem, drain, endStreams, startWorkers, system } = await import("@/lib/wiring");
  const app = configured(system);
  const { config, log } = app;
  const { CHECKS } = await import("@/lib/checks");
  const { lineOf, runChecks } = await import("@/lib/platform/checks");
  const reports = await runChecks(app, CHECKS);
  for (const report of reports.filter(({ status }) => status === "warn")) log.warn(report, "check.warned");
  const failed = reports.filter(({ status }) => status === "fail");
  if (failed.length > 0) end(failed.map(lineOf));
  const admission: Admission = {
    recordCaller: (req) => recordCaller(req, config.trustedProxies),
    isPageRequested,
    takePageTurn: (req) => takeTurn(app, "page_per_address", callerOfMessage(req)),
  };
  if (shared.tesseraFront) Object.assign(shared.tesseraFront, admission);
  else recordCallers(config.trustedProxies);
  varyByLanguage();
  allowFrames((linkId) => frameOriginsNow(app, linkId));
  const telemetry = await startMeasuring(app);
  const jobs = switchable(startWorkers);
  if (process.env.WORKERS !== "off") jobs.start();
  if (config.controlSocket) {
    const { openControl } = await import("@/lib/platform/control");
    await openControl(config.controlSocket, jobs, log);
  }
  log.info({ mode: config.mode, baseUrl: config.baseUrl }, "started");

  const stop: Stop = async (signal, answered) => {
    log.info({ signal }, "stopping");
    // The remaining time is for releasing leases, so that another process takes over the jobs at once.
    await Promise.race([Promise.all([drain(), answered]), pause(ANSWER_MS)]);
    await jobs.stop();
    await closeSystem();
    await telemetry?.stop();
  };
  if (shared.tesseraFront) Object.assign(shared.tesseraFront, { endStreams, stop });
  else stopOnSignals(stop);
}

/** Measures only if somebody reads it. */
async function startMeasuring(app: System): Promise<Telemetry | null> {
  const { metricsPort, isTraced } = app.config;
  if (metricsPort === null && !isTraced) return null;
  const { openMetrics } = await import("@/lib/metrics");
  openMetrics(shared.tesseraFront ?? {});
  if (!isTraced) return null;
  const { startTelemetry } = await import("@/lib/telemetry");
  return startTelemetry(app, shared.tesseraFront ?? {});
}

function stopOnSignals(stop: Stop): void {
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.once(signal, () => {
      // Work in progress can be resumed in any case; a clean stop only makes the handover quick.
      setTimeout(() => process.exit(0), DRAIN_MS).unref();
      void stop(signal, Promise.resolve()).then(() => process.exit(0));
    });
  }
}

const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

/** Idempotent: starting twice or stopping twice has no further effect. */
function switchable(start: () => { stop: () => Promise<void> }): Jobs {
  let running: { stop: () => Promise<void> } | null = null;
  return {
    start: () => {
      running ??= start();
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
  } catch (thrown) {
    return end([
      "The configuration is incomplete or wrong:",
      thrown instanceof Error ? thrown.message : String(thrown),
    ]);
  }
}

function end(lines: string[]): never {
  process.stderr.write(`${lines.join("\n")}\n`);
  process.exit(1);
}

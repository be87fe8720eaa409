import type { Jobs } from "@/lib/platform/control";

const DRAIN_MS = 8000;

/** Runs once when the server starts: a bad configuration stops the boot, and the jobs that move money begin. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { tellCallers } = await import("@/lib/http/caller");
  const { closeSystem, drain, startWorkers, system } = await import("@/lib/wiring");
  const { config, log } = configured(system);
  tellCallers(config.trustedProxies);
  const jobs = switchable(startWorkers);
  if (process.env.WORKERS !== "off") jobs.start();
  if (config.controlSocket) {
    const { openControl } = await import("@/lib/platform/control");
    await openControl(config.controlSocket, jobs, log);
  }
  log.info({ mode: config.mode, baseUrl: config.baseUrl }, "started");

  const stop = async (signal: string) => {
    log.info({ signal }, "stopping");
    // What is in flight stays resumable whatever happens here; this only makes the hand-over quick.
    setTimeout(() => process.exit(0), DRAIN_MS).unref();
    await drain();
    await jobs.stop();
    await closeSystem();
    process.exit(0);
  };
  process.once("SIGTERM", () => void stop("SIGTERM"));
  process.once("SIGINT", () => void stop("SIGINT"));
}

/** Starting what runs, or stopping what does not, changes nothing. */
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

/** A wrong configuration must end the process: a server that only answers 500 looks alive. */
function configured<T>(open: () => T): T {
  try {
    return open();
  } catch (thrown) {
    process.stderr.write(`The configuration is not complete:\n${thrown instanceof Error ? thrown.message : thrown}\n`);
    process.exit(1);
  }
}

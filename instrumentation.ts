const DRAIN_MS = 8000;

/** Runs once when the server starts: a bad configuration stops the boot, and the jobs that move money begin. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { closeSystem, startWorkers, system } = await import("@/lib/wiring");
  const { config, log } = system();
  if (process.env.WORKERS === "off") return;
  const workers = startWorkers();
  log.info({ mode: config.mode, baseUrl: config.baseUrl }, "started");

  const stop = async (signal: string) => {
    log.info({ signal }, "stopping");
    // What is in flight stays resumable whatever happens here; this only makes the hand-over quick.
    setTimeout(() => process.exit(0), DRAIN_MS).unref();
    await workers.stop();
    await closeSystem();
    process.exit(0);
  };
  process.once("SIGTERM", () => void stop("SIGTERM"));
  process.once("SIGINT", () => void stop("SIGINT"));
}

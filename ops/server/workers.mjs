// Several worker processes on one port. They share only the database.
import cluster from "node:cluster";
import { setTimeout as sleep } from "node:timers/promises";
import { serveMetrics } from "./metrics.mjs";
import { openReadings } from "./readings.mjs";

/** After a shorter life, a worker is restarted only after a pause. */
const STEADY_MS = 60_000;
const PAUSE_MS = 1_000;
const PAUSE_MS_MAX = 30_000;
/** A worker that takes longer to start is killed. */
const START_MS_MAX = 120_000;
/** Workers exit within eight seconds of a signal. */
const STOP_MS_MAX = 9_000;

/** @typedef {import("node:cluster").Worker} Worker */

/**
 * Starts `count` workers and restarts those that end. SIGHUP replaces them one by one; SIGTERM and SIGINT end them and this
 * process.
 *
 * @param {{ count: number, metricsPort: number, level: string }} settings
 */
export function runWorkers({ count, metricsPort, level }) {
  const readings = openReadings();
  /** Workers that are not draining. @type {Set<Worker>} */
  const serving = new Set();
  let isStopping = false;
  let isReplacing = false;
  let isAskedAgain = false;
  let pauseMs = PAUSE_MS;

  const log = (/** @type {string} */ msg, /** @type {object} */ fields = {}) => {
    if (level !== "silent") {
      process.stdout.write(`${JSON.stringify({ level: "info", time: new Date().toISOString(), ...fields, msg })}\n`);
    }
  };

  /** Resolves with a listening worker, or null. @returns {Promise<Worker | null>} */
  async function start() {
    // Keeps the parent's value even if .env has changed.
    const worker = cluster.fork({ WEB_CONCURRENCY: String(count) });
    const began = performance.now();
    readings.follow(worker);
    const isUp = await new Promise((resolve) => {
      const timer = setTimeout(() => worker.process.kill("SIGKILL"), START_MS_MAX);
      const decide = (/** @type {boolean} */ isListening) => {
        clearTimeout(timer);
        resolve(isListening);
      };
      worker.on("listening", ({ addressType }) => {
        // Ignores the control socket of a devnet's tests.
        if (Number(addressType) > 0) decide(true);
      });
      worker.once("exit", () => decide(false));
      // The fork failed, or the worker ended before a message reached it. Unhandled, the error would end the parent.
      worker.on("error", (/** @type {Error} */ error) => {
        log("process.unreachable", { error: error.message });
        if (worker.process.pid === undefined) decide(false);
      });
    });
    if (!isUp) return null;
    serving.add(worker);
    worker.once("exit", (code, signal) => {
      if (!serving.delete(worker) || isStopping) return;
      log("process.ended", { pid: worker.process.pid, code, signal });
      void refillAfter(performance.now() - began);
    });
    return worker;
  }

  /** Replaces a worker that ended by itself. */
  async function refillAfter(/** @type {number} */ livedMs) {
    if (livedMs > STEADY_MS) pauseMs = PAUSE_MS;
    else await pause();
    await refill();
  }

  /** Starts workers until there are `count`. Failed starts are retried with growing pauses. */
  async function refill() {
    while (!isStopping && serving.size < count) {
      if (await start()) return;
      await pause();
    }
  }

  async function pause() {
    const ms = pauseMs;
    pauseMs = Math.min(pauseMs * 2, PAUSE_MS_MAX);
    await sleep(ms);
  }

  function release(/** @type {Worker} */ worker) {
    serving.delete(worker);
    if (worker.isConnected()) worker.send({ type: "drain" });
  }

  async function replaceAll() {
    if (isReplacing) {
      isAskedAgain = true;
      return;
    }
    isReplacing = true;
    do {
      isAskedAgain = false;
      log("processes.replacing", { count: serving.size });
      for (const old of [...serving]) {
        if (isStopping) break;
        // The old worker leaves only after the new one listens, so the port is always served.
        const next = await start();
        if (!next) {
          log("processes.kept", { count: serving.size });
          break;
        }
        // The old worker may have ended and been replaced meanwhile.
        if (serving.has(old)) release(old);
        else if (serving.size > count) release(next);
      }
      log("processes.replaced", { count: serving.size });
    } while (isAskedAgain && !isStopping);
    isReplacing = false;
  }

  async function stop() {
    // Ctrl-C arrives twice: from the terminal and from npm.
    if (isStopping) return;
    isStopping = true;
    setTimeout(() => process.exit(0), STOP_MS_MAX).unref();
    const runningWorkers = Object.values(cluster.workers ?? {}).flatMap((worker) => (worker ? [worker] : []));
    const ended = runningWorkers.map((worker) => new Promise((done) => worker.once("exit", done)));
    for (const worker of runningWorkers) worker.process.kill("SIGTERM");
    await Promise.all(ended);
    process.exit(0);
  }

  for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, () => void stop());
  process.on("SIGHUP", () => void replaceAll());

  void (async () => {
    // The first worker checks the configuration and the database, and reports errors.
    if (!(await start())) process.exit(isStopping ? 0 : 1);
    if (metricsPort) {
      serveMetrics(metricsPort, readings, (error) => {
        process.stderr.write(`METRICS_PORT: ${error.message}\n`);
        process.exit(1);
      });
    }
    await Promise.all(Array.from({ length: count - 1 }, refill));
    log("processes.started", { count: serving.size });
  })();
}

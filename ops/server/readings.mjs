// Collects the metrics of all workers in the process that serves them.
import { sumOfEnded } from "./metrics.mjs";

/** For a slower worker, the previous values are reported. */
const READ_MS_MAX = 4_000;

/**
 * @typedef {import("./metrics.mjs").Snapshot} Snapshot
 * @typedef {import("./worker.mjs").FromWorker} FromWorker
 * @typedef {import("node:cluster").Worker} Worker
 */

export function openReadings() {
  /** @type {Map<Worker, Snapshot>} */
  const last = new Map();
  /** @type {Set<Worker>} */
  const alive = new Set();
  /** Totals of ended workers. Without them, a replaced worker would look like a counter reset. @type {Snapshot} */
  let ended = [];
  /** @type {Promise<void>} */
  let adding = Promise.resolve();
  let next = 0;

  /**
   * Resolves with the worker's response, or null after a timeout.
   *
   * @param {Worker} worker
   * @param {"measure" | "readiness"} type
   * @returns {Promise<FromWorker | null>}
   */
  async function request(worker, type) {
    const id = next++;
    if (!worker.isConnected()) return null;
    return new Promise((resolve) => {
      const timer = setTimeout(giveUp, READ_MS_MAX);
      /** @param {FromWorker | null} message */
      function finish(message) {
        clearTimeout(timer);
        worker.off("message", receive);
        worker.off("exit", giveUp);
        resolve(message);
      }
      /** @param {FromWorker} message */
      function receive(message) {
        if (message.type !== "last" && message.id === id) finish(message);
      }
      function giveUp() {
        finish(null);
      }
      worker.on("message", receive);
      worker.on("exit", giveUp);
      worker.send({ type, id });
    });
  }

  return {
    /** @param {Worker} worker */
    follow(worker) {
      alive.add(worker);
      worker.on("message", (/** @type {FromWorker} */ message) => {
        if (message.type === "measured" || message.type === "last") last.set(worker, message.snapshot);
      });
      worker.once("exit", () => {
        alive.delete(worker);
        const snapshot = last.get(worker);
        last.delete(worker);
        if (!snapshot) return;
        adding = adding.then(async () => {
          ended = await sumOfEnded([ended, snapshot]);
        });
      });
    },
    /** The readiness of one worker, or null. @returns {Promise<object | null>} */
    async readReadiness() {
      const [worker] = alive;
      const message = worker ? await request(worker, "readiness") : null;
      return message?.type === "readiness" ? message.report : null;
    },
    /** One snapshot per worker, and one for all ended workers. */
    async read() {
      await Promise.all([...alive].map((worker) => request(worker, "measure")));
      await adding;
      return [...last.values(), ended].filter((snapshot) => snapshot.length > 0);
    },
  };
}

// The metrics of all workers, for the process that serves them.
import { sumOfEnded } from "./metrics.mjs";

/** A worker that takes longer is shown with its last values. */
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
  /** What ended workers counted: without it, each replaced worker would look like a counter that starts again. @type {Snapshot} */
  let ended = [];
  /** @type {Promise<void>} */
  let adding = Promise.resolve();
  let next = 0;

  /** @param {Worker} worker */
  async function read(worker) {
    const id = next++;
    if (!worker.isConnected()) return;
    await new Promise((done) => {
      const timer = setTimeout(finish, READ_MS_MAX);
      /** @param {FromWorker} message */
      function heard(message) {
        if (message.type === "measured" && message.id === id) finish();
      }
      function finish() {
        clearTimeout(timer);
        worker.off("message", heard);
        worker.off("exit", finish);
        done(undefined);
      }
      worker.on("message", heard);
      worker.on("exit", finish);
      worker.send({ type: "measure", id });
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
    /** One snapshot for each worker, and one for all that have ended. */
    async read() {
      await Promise.all([...alive].map(read));
      await adding;
      return [...last.values(), ended].filter((snapshot) => snapshot.length > 0);
    },
  };
}

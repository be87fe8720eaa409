// Messages between a worker and its parent (workers.mjs).
import { lineOf } from "./metrics.mjs";

/**
 * @typedef {import("./metrics.mjs").Snapshot} Snapshot
 * @typedef {{ type: "measure", id: number } | { type: "readiness", id: number } | { type: "drain" }} ToWorker
 * @typedef {{ type: "measured", id: number, snapshot: Snapshot } | { type: "readiness", id: number, report: object | null }
 *   | { type: "last", snapshot: Snapshot }} FromWorker
 */

/**
 * Responds to messages of the parent process.
 *
 * @param {NodeJS.Process} process
 * @param {{ measure: () => Promise<Snapshot>, readReadiness: () => Promise<object | null>,
 *   drain: (beforeExit: () => Promise<void>) => void }} service
 */
export function reportTo(process, { measure, readReadiness, drain }) {
  /** @param {FromWorker} message */
  const send = (message) => new Promise((resolve) => process.send?.(message, () => resolve(undefined)));
  /** On failure the parent keeps the previous values. */
  const measured = () =>
    measure().catch((/** @type {unknown} */ error) => {
      process.stdout.write(`${lineOf(error)}\n`);
      return null;
    });
  /** Keeps the counts of a worker that ends. */
  const sendLast = async () => {
    const snapshot = await measured();
    if (snapshot) await send({ type: "last", snapshot });
  };
  /** @param {number} id */
  const sendSnapshot = async (id) => {
    const snapshot = await measured();
    if (snapshot) await send({ type: "measured", id, snapshot });
  };
  /** @param {number} id */
  const sendReadiness = async (id) => send({ type: "readiness", id, report: await readReadiness().catch(() => null) });
  process.on("message", (/** @type {ToWorker} */ message) => {
    if (message.type === "drain") drain(sendLast);
    if (message.type === "measure") void sendSnapshot(message.id);
    if (message.type === "readiness") void sendReadiness(message.id);
  });
  // A terminal sends SIGHUP to the whole process group; only the parent acts on it.
  process.on("SIGHUP", () => {});
}

// What a worker and its parent (workers.mjs) say to each other.

/**
 * @typedef {import("./metrics.mjs").Snapshot} Snapshot
 * @typedef {{ type: "measure", id: number } | { type: "drain" }} ToWorker
 * @typedef {{ type: "measured", id: number, snapshot: Snapshot } | { type: "last", snapshot: Snapshot }} FromWorker
 */

/**
 * Answers the parent of this process.
 *
 * @param {NodeJS.Process} process
 * @param {{ measure: () => Promise<Snapshot>, drain: (beforeExit: () => Promise<void>) => void }} service
 */
export function reportTo(process, { measure, drain }) {
  /** @param {FromWorker} message */
  const send = (message) => new Promise((sent) => process.send?.(message, () => sent(undefined)));
  /** What it counted must not be lost with it. */
  const sendLast = async () => {
    await send({ type: "last", snapshot: await measure() });
  };
  process.on("message", (/** @type {ToWorker} */ message) => {
    if (message.type === "drain") drain(sendLast);
    if (message.type === "measure") {
      void measure().then((snapshot) => send({ type: "measured", id: message.id, snapshot }));
    }
  });
}

// Serves /metrics on a port of its own, which need not be reachable from the internet.
import { createServer } from "node:http";
import { AggregatorRegistry } from "prom-client";

/**
 * Values of the metrics of one process, from lib/platform/metrics.ts.
 *
 * @typedef {import("prom-client").MetricObjectWithValues<import("prom-client").MetricValue<string>>[]} Snapshot
 */

/**
 * @param {number} port
 * @param {() => Promise<Snapshot[]>} read one snapshot for each process
 * @param {(error: Error) => void} onError for a port that cannot be used
 */
export function serveMetrics(port, read, onError) {
  const server = createServer((req, res) => {
    if (req.method !== "GET" || req.url?.split("?")[0] !== "/metrics") {
      res.writeHead(404).end();
      return;
    }
    textOf(read).then(
      ({ type, text }) => res.writeHead(200, { "Content-Type": type, "Cache-Control": "no-store" }).end(text),
      (/** @type {unknown} */ thrown) => {
        process.stdout.write(`${lineOf(thrown)}\n`);
        res.writeHead(500).end();
      },
    );
  });
  server.on("error", onError);
  server.listen(port);
  return server;
}

/** The log line of a reading that failed. @param {unknown} thrown */
export const lineOf = (thrown) =>
  JSON.stringify({
    level: "error",
    time: new Date().toISOString(),
    msg: "metrics.unread",
    at: thrown instanceof Error ? thrown.stack : String(thrown),
  });

/** @param {() => Promise<Snapshot[]>} read */
async function textOf(read) {
  const registry = AggregatorRegistry.aggregate(await read());
  return { type: registry.contentType, text: await registry.metrics() };
}

/**
 * The sum of what ended processes counted and measured, for values that may only grow.
 *
 * @param {Snapshot[]} snapshots
 * @returns {Promise<Snapshot>}
 */
export async function sumOfEnded(snapshots) {
  const growing = snapshots.map((metrics) => metrics.filter(({ type }) => GROWING.has(String(type))));
  return AggregatorRegistry.aggregate(growing).getMetricsAsJSON();
}

const GROWING = new Set(["counter", "histogram"]);

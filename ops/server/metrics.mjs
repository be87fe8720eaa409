// Serves /metrics and the complete /readyz on a separate port, which must not be reachable from the internet.
import { createServer } from "node:http";
import { AggregatorRegistry } from "prom-client";
import { errorText } from "./log.mjs";

/**
 * The metrics of one process (lib/platform/metrics.ts).
 *
 * @typedef {import("prom-client").MetricObjectWithValues<import("prom-client").MetricValue<string>>[]} Snapshot
 */

/**
 * `read` returns one snapshot per process. `readReadiness` returns the readiness of one process, or null if none responds.
 *
 * @param {number} port
 * @param {{ read: () => Promise<Snapshot[]>, readReadiness: () => Promise<object | null> }} service
 * @param {(error: Error) => void} onError called if the port cannot be used
 */
export function serveMetrics(port, { read: readSnapshots, readReadiness }, onError) {
  /** @type {Record<string, () => Promise<{ status: number, type: string, text: string }>>} */
  const pages = { "/metrics": () => textOf(readSnapshots), "/readyz": () => readinessOf(readReadiness) };
  const server = createServer((req, res) => {
    const path = req.url?.split("?")[0] ?? "";
    const page = req.method === "GET" && Object.hasOwn(pages, path) ? pages[path] : undefined;
    if (!page) {
      res.writeHead(404).end();
      return;
    }
    page().then(
      ({ status, type, text }) =>
        res.writeHead(status, { "Content-Type": type, "Cache-Control": "no-store" }).end(text),
      (/** @type {unknown} */ error) => {
        process.stdout.write(`${lineOf(error)}\n`);
        res.writeHead(500).end();
      },
    );
  });
  server.on("error", onError);
  server.listen(port);
  return server;
}

/** The log line of a failed reading. @param {unknown} error */
export const lineOf = (error) =>
  JSON.stringify({
    level: "error",
    time: new Date().toISOString(),
    msg: "metrics.unread",
    at: errorText(error),
  });

/** @param {() => Promise<Snapshot[]>} readSnapshots */
async function textOf(readSnapshots) {
  const registry = AggregatorRegistry.aggregate(await readSnapshots());
  return { status: 200, type: registry.contentType, text: await registry.metrics() };
}

/** @param {() => Promise<object | null>} readReadiness */
async function readinessOf(readReadiness) {
  const report = await readReadiness();
  const isReady = report !== null && "status" in report && report.status === "ok";
  return { status: isReady ? 200 : 503, type: "application/json", text: JSON.stringify(report) };
}

/**
 * Sums the counters and histograms of ended processes.
 *
 * @param {Snapshot[]} snapshots
 * @returns {Promise<Snapshot>}
 */
export async function sumOfEnded(snapshots) {
  const growing = snapshots.map((metrics) => metrics.filter(({ type }) => GROWING.has(String(type))));
  return AggregatorRegistry.aggregate(growing).getMetricsAsJSON();
}

const GROWING = new Set(["counter", "histogram"]);

// Serves /metrics and the whole of /readyz on a port of its own, which must not be reachable from the internet.
import { createServer } from "node:http";
import { AggregatorRegistry } from "prom-client";
import { errorText } from "./log.mjs";

/**
 * Values of the metrics of one process, from lib/platform/metrics.ts.
 *
 * @typedef {import("prom-client").MetricObjectWithValues<import("prom-client").MetricValue<string>>[]} Snapshot
 */

/**
 * `read` returns one snapshot for each process, `readReadiness` the readiness of one process, null when none answers.
 *
 * @param {number} port
 * @param {{ read: () => Promise<Snapshot[]>, readReadiness: () => Promise<object | null> }} service
 * @param {(error: Error) => void} onError for a port that cannot be used
 */
export function serveMetrics(port, { read, readReadiness }, onError) {
  /** @type {Record<string, () => Promise<{ status: number, type: string, text: string }>>} */
  const pages = { "/metrics": () => textOf(read), "/readyz": () => readinessOf(readReadiness) };
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
    at: errorText(thrown),
  });

/** @param {() => Promise<Snapshot[]>} read */
async function textOf(read) {
  const registry = AggregatorRegistry.aggregate(await read());
  return { status: 200, type: registry.contentType, text: await registry.metrics() };
}

/** @param {() => Promise<object | null>} readReadiness */
async function readinessOf(readReadiness) {
  const report = await readReadiness();
  const isReady = report !== null && "status" in report && report.status === "ok";
  return { status: isReady ? 200 : 503, type: "application/json", text: JSON.stringify(report) };
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

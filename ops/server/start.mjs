// The process behind `npm start`: handles requests itself, or starts worker processes.
import cluster from "node:cluster";
import { fileURLToPath } from "node:url";
import { readEnvFile } from "./env-file.mjs";
import { limitHeapGrowth } from "./heap.mjs";
import { signatureFault } from "./native.mjs";
import { nodeFault } from "./node-version.mjs";
import { workerCount } from "./worker-count.mjs";

Object.assign(process.env, { NODE_ENV: process.env.NODE_ENV || "production" });
const forgetEnvFile = readEnvFile(".env");

for (const fault of [nodeFault(process.version), signatureFault()]) {
  if (fault === null) continue;
  process.stderr.write(`${fault}\n`);
  process.exit(1);
}

/** @type {number | null} */
let count = null;
try {
  count = workerCount(process.env);
  limitHeapGrowth(process.env);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exit(1);
}

if (cluster.isPrimary && count !== null) {
  const settings = {
    count,
    metricsPort: Number(process.env.METRICS_PORT || 0),
    level: process.env.LOG_LEVEL || "info",
  };
  // Workers read .env themselves, so that a replaced worker sees its changes.
  forgetEnvFile();
  cluster.setupPrimary({ exec: fileURLToPath(import.meta.url), args: [] });
  const { runWorkers } = await import("./workers.mjs");
  runWorkers(settings);
} else {
  await import("./serve.mjs");
}

// Loaded before the server. It measures this process between two words at COSTS_SOCKET: "cpu" or "loop", and "stop".
const { channel } = require("node:diagnostics_channel");
const { existsSync, readFileSync } = require("node:fs");
const { createServer } = require("node:net");
const v8 = require("node:v8");
const { runInNewContext } = require("node:vm");
const { isMainThread } = require("node:worker_threads");

const TICK_MS = 1;
/** Of the main thread, in nanoseconds on a processor and waiting for one. See the kernel's sched-stats.rst. */
const SCHEDULED = "/proc/self/schedstat";

/** Milliseconds for which the main thread has run. A busy machine does not add to it, as it would to the clock of the wall. */
const ranMs = existsSync(SCHEDULED)
  ? () => Number(readFileSync(SCHEDULED, "utf8").split(" ")[0]) / 1e6
  : () => performance.now();

function serve(path) {
  // The compiled code of functions that were not called for a while would count as a cost of the next call.
  v8.setFlagsFromString("--no-flush-bytecode");
  v8.setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc");
  const nodes = new Set([process.env.BASE_RPC_URL, process.env.BASE_SEPOLIA_RPC_URL].map((url) => new URL(url).origin));
  const sent = { rpc: 0, outbound: 0 };
  countFetches(nodes, sent);
  channel("http.client.request.start").subscribe(() => {
    sent.outbound += 1;
  });
  let stop = () => ({});

  /** The processor's time of all threads, without the cost of looking. */
  function measureCpu() {
    sent.rpc = 0;
    sent.outbound = 0;
    const began = process.cpuUsage();
    return () => {
      const { user, system } = process.cpuUsage(began);
      return { cpuMs: (user + system) / 1_000, ...sent };
    };
  }

  /** The longest turn of the event loop, and the most memory in use. */
  function measureLoop() {
    collect();
    const base = memory();
    const profiler = new v8.GCProfiler();
    profiler.start();
    let [peakBytes, blockMs, last] = [base, 0, ranMs()];
    const look = () => {
      const now = ranMs();
      blockMs = Math.max(blockMs, now - last);
      last = now;
    };
    const ticking = setInterval(look, TICK_MS);
    const sampling = setInterval(() => {
      peakBytes = Math.max(peakBytes, memory());
    }, 5 * TICK_MS);
    return () => {
      look();
      clearInterval(ticking);
      clearInterval(sampling);
      const used = profiler
        .stop()
        .statistics.map(({ beforeGC: { heapStatistics: heap } }) => heap.usedHeapSize + heap.externalMemory);
      return { blockMs, memoryBytes: Math.max(peakBytes, memory(), ...used) - base };
    };
  }

  createServer((socket) => {
    socket.setEncoding("utf8").on("data", (line) => {
      const word = line.trim();
      const answer = word === "stop" ? stop() : {};
      if (word !== "stop") stop = word === "cpu" ? measureCpu() : measureLoop();
      socket.write(`${JSON.stringify(answer)}\n`);
    });
    socket.on("error", () => {});
  })
    .listen(path)
    .unref();
}

function memory() {
  const { used_heap_size: used, external_memory: external } = v8.getHeapStatistics();
  return used + external;
}

/** A batch to a node counts as its calls. */
function countFetches(nodes, sent) {
  const { fetch } = globalThis;
  globalThis.fetch = (input, init) => {
    const { origin } = new URL(typeof input === "string" || input instanceof URL ? input : input.url);
    if (!nodes.has(origin)) sent.outbound += 1;
    else {
      const calls = JSON.parse(String(init?.body ?? "{}"));
      sent.rpc += Array.isArray(calls) ? calls.length : 1;
    }
    return fetch(input, init);
  };
}

const { COSTS_SOCKET } = process.env;
// Not in what this process starts.
delete process.env.COSTS_SOCKET;
if (COSTS_SOCKET && isMainThread) serve(COSTS_SOCKET);

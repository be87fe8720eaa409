// Loaded before the server. Between "start" and "stop" at COSTS_SOCKET it measures this process, and answers with what it measured.
const { channel } = require("node:diagnostics_channel");
const { createServer } = require("node:net");
const { monitorEventLoopDelay } = require("node:perf_hooks");
const v8 = require("node:v8");
const { runInNewContext } = require("node:vm");
const { isMainThread } = require("node:worker_threads");

const SAMPLE_MS = 5;
/** The timer of the histogram itself. */
const RESOLUTION_MS = 1;

function serve(path) {
  // The compiled code of functions that were not called for a while would count as a cost of the next call.
  v8.setFlagsFromString("--no-flush-bytecode");
  v8.setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc");
  const nodes = new Set(
    [process.env.BASE_RPC_URL, process.env.BASE_SEPOLIA_RPC_URL].map((url) => new URL(url).origin),
  );
  const sent = { rpc: 0, outbound: 0 };
  countFetches(nodes, sent);
  channel("http.client.request.start").subscribe(() => {
    sent.outbound += 1;
  });

  const memory = () => {
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  let running = null;

  function start() {
    collect();
    sent.rpc = 0;
    sent.outbound = 0;
    const base = memory();
    const profiler = new v8.GCProfiler();
    profiler.start();
    running = { base, peak: base, profiler };
    running.sampling = setInterval(() => {
      running.peak = Math.max(running.peak, memory());
    }, SAMPLE_MS);
    delay.reset();
    delay.enable();
    running.cpu = process.cpuUsage();
  }

  function stop() {
    const { user, system } = process.cpuUsage(running.cpu);
    delay.disable();
    clearInterval(running.sampling);
    const used = running.profiler
      .stop()
      .statistics.map(({ beforeGC: { heapStatistics: heap } }) => heap.usedHeapSize + heap.externalMemory);
    const peak = Math.max(running.peak, memory(), ...used);
    return {
      cpuMs: (user + system) / 1_000,
      blockMs: Math.max(0, delay.max / 1e6 - RESOLUTION_MS),
      memoryBytes: peak - running.base,
      rpc: sent.rpc,
      outbound: sent.outbound,
    };
  }

  const server = createServer((socket) => {
    socket.setEncoding("utf8").on("data", (word) => {
      if (word.trim() === "start") start();
      socket.write(`${JSON.stringify(word.trim() === "start" ? {} : stop())}\n`);
    });
    socket.on("error", () => {});
  });
  server.listen(path).unref();
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

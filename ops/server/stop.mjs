// SIGTERM and SIGINT: accepts no new connections, finishes responses in progress, hands over the jobs, exits with code 0.
import { front } from "./front.mjs";

/** The process ends within this time; supervisors commonly wait ten seconds. */
const STOP_MS = 7_500;
const LOOK_MS = 50;

/** @param {import("node:http").Server} server */
export function stopOnSignals(server) {
  const service = front();
  /** @type {Map<import("node:stream").Duplex, import("node:http").ServerResponse>} */
  const answering = new Map();
  /** @type {Set<import("node:net").Socket>} */
  const connections = new Set();
  let isStopping = false;

  server.on("connection", (socket) => {
    connections.add(socket);
    socket.once("close", () => connections.delete(socket));
  });
  for (const signal of ["SIGTERM", "SIGINT"]) {
    process.on(signal, () => {
      // A terminal's Ctrl-C arrives both from the terminal and from npm.
      if (isStopping) return;
      isStopping = true;
      void stop(signal);
    });
  }

  /** @param {string} signal */
  async function stop(signal) {
    setTimeout(() => process.exit(0), STOP_MS);
    await service.stop?.(signal, closed());
    process.exit(0);
  }

  /** Resolves when the last connection has ended. */
  async function closed() {
    if (!server.listening) return;
    const looking = setInterval(() => server.closeIdleConnections(), LOOK_MS);
    for (const res of answering.values()) endConnectionAfter(res);
    // Node treats a connection without data as one with a request on its way; browsers open some in advance.
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
    await new Promise((done) => server.close(done));
    clearInterval(looking);
  }

  return {
    /**
     * @param {import("node:http").IncomingMessage} req
     * @param {import("node:http").ServerResponse} res
     */
    watch(req, res) {
      answering.set(req.socket, res);
      res.once("close", () => answering.get(req.socket) === res && answering.delete(req.socket));
      if (isStopping) endConnectionAfter(res);
    },
    /** @param {import("node:stream").Duplex} socket */
    isAnswering: (socket) => answering.has(socket),
  };
}

/** @param {import("node:http").ServerResponse} res */
function endConnectionAfter(res) {
  if (!res.headersSent) res.setHeader("Connection", "close");
}

// SIGTERM and SIGINT: stops accepting connections, finishes responses in progress, hands over the jobs, exits with code 0. A
// replaced worker has more time, because another process has taken its place.
import { Server as NetServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** Limit for the whole shutdown; supervisors commonly wait ten seconds. */
const STOP_MS = 7_500;
const LOOK_MS = 50;

/** The longest time of a request, and so of a replaced process: a payment that settles, and the two minutes of an upstream. */
const LEAVE_MS = 150_000;
/** How long a replaced process keeps idle connections, because a request may be on its way. Its response closes the connection. */
const IDLE_MS = 5_000;

/**
 * @param {import("node:http").Server} server
 * @param {Promise<Pick<import("./lib.mjs").Service, "stop" | "endStreams">>} starting
 */
export function stopOnSignals(server, starting) {
  /** @type {Map<import("node:stream").Duplex, import("node:http").ServerResponse>} */
  const answering = new Map();
  /** @type {Set<import("node:net").Socket>} */
  const connections = new Set();
  let isStopping = false;
  /** Resolves when a replaced process has closed its last connection. @type {Promise<unknown> | null} */
  let leaving = null;

  server.on("connection", (socket) => {
    connections.add(socket);
    socket.once("close", () => connections.delete(socket));
  });
  for (const signal of ["SIGTERM", "SIGINT"]) {
    process.on(signal, () => {
      // Ctrl-C arrives twice: from the terminal and from npm.
      if (isStopping) return;
      isStopping = true;
      void stop(signal);
    });
  }

  /** @param {string} signal */
  async function stop(signal) {
    setTimeout(() => process.exit(0), STOP_MS);
    const service = await starting;
    await service.stop(signal, closed());
    process.exit(0);
  }

  /**
   * @param {Promise<unknown>} closing
   * @param {() => Promise<void>} beforeExit
   */
  async function leave(closing, beforeExit) {
    const service = await starting;
    service.endStreams();
    for (const res of answering.values()) endConnectionAfter(res);
    await Promise.race([closing, sleep(IDLE_MS)]);
    const looking = setInterval(closeIdle, LOOK_MS);
    await Promise.race([closing, sleep(LEAVE_MS - IDLE_MS)]);
    clearInterval(looking);
    if (isStopping) return;
    isStopping = true;
    setTimeout(() => process.exit(0), STOP_MS);
    await beforeExit();
    await service.stop("SIGHUP", Promise.resolve());
    process.exit(0);
  }

  function closeIdle() {
    server.closeIdleConnections();
    // Node counts a connection without data as busy; browsers open some in advance.
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
  }

  /** Resolves when the last connection has ended. */
  async function closed() {
    if (!server.listening && !leaving) return;
    for (const res of answering.values()) endConnectionAfter(res);
    closeIdle();
    const looking = setInterval(() => server.closeIdleConnections(), LOOK_MS);
    await (leaving ?? new Promise((done) => server.close(done)));
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
      if (isStopping || leaving) endConnectionAfter(res);
    },
    /**
     * Ends this process when its connections have ended, at the latest after LEAVE_MS.
     *
     * @param {() => Promise<void>} beforeExit
     */
    drain(beforeExit) {
      if (isStopping || leaving) return;
      // Not the HTTP server's own `close`, which also ends idle connections.
      leaving = new Promise((done) => NetServer.prototype.close.call(server, done));
      void leave(leaving, beforeExit);
    },
    /** @param {import("node:stream").Duplex} socket */
    isAnswering: (socket) => answering.has(socket),
  };
}

/** @param {import("node:http").ServerResponse} res */
function endConnectionAfter(res) {
  if (!res.headersSent) res.setHeader("Connection", "close");
}

// A process that handles requests: an HTTP server with Next's handler, and the checks that run before Next sees a request.
import cluster from "node:cluster";
import { createServer } from "node:http";
import { endAfterBody, openHandlers } from "./handlers.mjs";
import { addWhenWritten, securityHeaders } from "./headers.mjs";
import { endWhenLate, FILE_MS } from "./late.mjs";
import { loadHandlers, startService } from "./lib.mjs";
import { HEADER_BYTES_EVER_MAX, HEADERS_UNREADABLE, refusalOf } from "./limits.mjs";
import { errorText, refusalLog } from "./log.mjs";
import { routeOf, timeResponse } from "./measure.mjs";
import { serveMetrics } from "./metrics.mjs";
import { answerTo, refuseUnreadable, refuseUpgrade } from "./refuse.mjs";
import { openRouter, routeAt } from "./routes.mjs";
import { moveSellerKey } from "./seller-key.mjs";
import { endWhenStalled } from "./stalled.mjs";
import { stopOnSignals } from "./stop.mjs";
import { splitTarget } from "./target.mjs";
import { reportTo } from "./worker.mjs";

// Longer than the usual 60 seconds of proxies, so that the proxy closes idle connections first.
const KEEP_ALIVE_MS = 65_000;
const HEADERS_MS = 15_000;
const CHECK_MS = 5_000;
/** Queue of unaccepted connections. With Node's 511, connections above it wait seconds for TCP to retry. */
const BACKLOG = 4_096;
const PORT_DEFAULT = 3000;
const SECOND_MS = 1_000;
let unreadableAt = 0;

const port = Number(process.env.PORT || PORT_DEFAULT);
const metricsPort = Number(process.env.METRICS_PORT || 0);
/** `next` lets Next handle all routes: for comparison in `npm run bench`, and for operators who suspect a difference. */
const hasHandlers = process.env.ROUTE_HANDLERS !== "next";

const server = createServer({
  maxHeaderSize: HEADER_BYTES_EVER_MAX,
  headersTimeout: HEADERS_MS,
  requestTimeout: FILE_MS,
  keepAliveTimeout: KEEP_ALIVE_MS,
  connectionsCheckingInterval: CHECK_MS,
});
const starting = startService();
// Before the start completes, so that a signal during it releases what was started.
const stopping = stopOnSignals(server, starting);
const service = await starting;
const handlers = openHandlers(openRouter(), loadHandlers);
/** @type {Promise<import("next/dist/server/next.js").RequestHandler> | null} */
let nextHandler = null;
if (process.env.PRELOAD_ROUTES !== "off") {
  handlers.preload();
  await openNext();
}
const TOO_MANY_PAGES = {
  status: 429,
  code: "rate_limited",
  message: "Too many pages. Wait before you open another one",
};
const headers = securityHeaders(process.env.PUBLIC_BASE_URL, process.env.PASSKEY_WALLET);
const logRefusal = refusalLog({
  level: process.env.LOG_LEVEL || "info",
  write: (line) => void process.stdout.write(line),
});

server.on("request", (req, res) => receive(req, res));
// With `Expect: 100-continue`, the client gets a refusal before it sends the body.
server.on("checkContinue", (req, res) => receive(req, res, () => res.writeContinue()));
server.on("clientError", (error, socket) => {
  // A second response would corrupt the one in progress.
  if (stopping.isAnswering(socket)) socket.destroy();
  else refuseUnreadable(error, socket, headers, logRefusal);
});
// The service uses no upgrades. Next's handler would keep them open, as for a development server.
server.on("upgrade", (req, socket) => refuseUpgrade(req, socket, headers, logRefusal));
server.on("error", (error) => end(`PORT: cannot listen on ${port} (${error.message}). Choose another PORT`));
server.listen({ port, backlog: BACKLOG });
if (cluster.isWorker) reportTo(process, { measure, readReadiness, drain: stopping.drain });
else if (metricsPort) {
  serveMetrics(metricsPort, { read: async () => [await measure()], readReadiness }, (error) =>
    end(`METRICS_PORT: ${error.message}`),
  );
}

/**
 * Why: docs/decisions.md, 445.
 * @param {import("node:http").IncomingMessage} req
 * @param {import("node:http").ServerResponse} res
 * @param {() => void} [proceed] runs before the body is read
 */
function receive(req, res, proceed) {
  moveSellerKey(req);
  addWhenWritten(res, headers);
  stopping.watch(req, res);
  endWhenStalled(res);
  endWhenLate(req);
  if (service.observe) timeResponse(req, res, service.observe);
  const refusal = refusalOf(req) ?? unreadable(req);
  if (refusal) {
    refuse(req, res, refusal);
    return;
  }
  proceed?.();
  respond(req, res).catch((/** @type {unknown} */ error) => fail(req, res, error));
}

/**
 * Refuses a request whose headers cannot be read: rate limits need the client's address. Node has failed on single header names.
 *
 * @param {import("node:http").IncomingMessage} req
 */
function unreadable(req) {
  try {
    service.recordCaller(req);
    return null;
  } catch (error) {
    // One line per second, because a client can trigger this repeatedly.
    if (Date.now() - unreadableAt > SECOND_MS) {
      unreadableAt = Date.now();
      logFailure("headers.unreadable", error);
    }
    return HEADERS_UNREADABLE;
  }
}

/**
 * @param {import("node:http").IncomingMessage} req
 * @param {import("node:http").ServerResponse} res
 */
async function respond(req, res) {
  const { path } = splitTarget(req.url ?? "");
  // Also passes the route's path, because the request's path has several spellings.
  const retryAfterSeconds = await service.takePageTurn(req, path, routeAt(path)?.path ?? null);
  if (retryAfterSeconds) {
    refuse(req, res, { ...TOO_MANY_PAGES, retryAfterSeconds });
    return;
  }
  const run = () => handlers.respond(req, res);
  // Next creates the spans of its own responses.
  const isDone = hasHandlers && (await (service.trace ? service.trace(req, res, routeOf(req.url ?? ""), run) : run()));
  if (!isDone) await (await openNext())(req, res);
}

/** Loads Next on first use; only pages need it. */
function openNext() {
  nextHandler ??= import("next").then(async ({ default: next }) => {
    const app = next({ dev: false, port });
    await app.prepare();
    return app.getRequestHandler();
  });
  return nextHandler;
}

/** Empty unless METRICS_PORT is set. */
async function measure() {
  return (await service.measure?.()) ?? [];
}

/** Null unless METRICS_PORT is set. */
async function readReadiness() {
  return (await service.readReadiness?.()) ?? null;
}

/**
 * @param {import("node:http").IncomingMessage} req
 * @param {import("node:http").ServerResponse} res
 * @param {import("./limits.mjs").Refusal} refusal
 */
function refuse(req, res, refusal) {
  const { path } = splitTarget(req.url ?? "");
  const { requestId, status, headers: refusalHeaders, body } = answerTo(refusal, path);
  logRefusal({ requestId, method: req.method ?? null, path, status, code: refusal.code });
  res.writeHead(status, refusalHeaders.flat());
  endAfterBody(req, res, req.method === "HEAD" ? "" : body, true);
}

/**
 * @param {import("node:http").IncomingMessage} req
 * @param {import("node:http").ServerResponse} res
 * @param {unknown} error
 */
function fail(req, res, error) {
  logFailure("handler.failed", error);
  if (res.headersSent) res.destroy();
  else refuse(req, res, { status: 500, code: "internal_error", message: "Something went wrong on our side" });
}

/** @param {string} msg @param {unknown} error */
function logFailure(msg, error) {
  const line = { level: "error", time: new Date().toISOString(), msg, at: errorText(error) };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

/** @param {string} line */
function end(line) {
  process.stderr.write(`${line}\n`);
  process.exit(1);
}

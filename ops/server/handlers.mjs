// Calls the route handlers of app/ directly, because Next's request pipeline costs several times what they do. Next can call them
// too: both share every module of lib/.
import { pipeline, Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { promisify } from "node:util";
import { createGzip, gzip } from "node:zlib";
import { hasBody } from "./late.mjs";
import { lightRequest } from "./light-request.mjs";
import { splitTarget } from "./target.mjs";

/** Next's own threshold for compression. */
const GZIP_BYTES_MIN = 1_024;
const COMPRESSIBLE = /^(?:text\/(?!event-stream)|application\/(?:json|[\w.-]+\+json|javascript))/;
const LINGER_MS = 2_000;
const gzipped = promisify(gzip);

/**
 * @typedef {import("../../lib/core/whole-response.ts").WholeResponse} WholeResponse
 * @typedef {[req: Request, segments: { params: Promise<Record<string, string>> }]} Call
 * @typedef {((...call: Call) => Promise<Response>) & { serve?: (...call: Call) => Promise<Response | WholeResponse> }} Handler
 * @typedef {import("node:http").IncomingMessage} Incoming
 * @typedef {import("node:http").ServerResponse} Outgoing
 */

/**
 * `respond` resolves to false and leaves the request untouched if Next must handle it: pages, files, redirects, rewrites, and every
 * path that is not exactly a handler's.
 *
 * @param {Pick<ReturnType<typeof import("./routes.mjs").createRouter>, "match" | "modules">} router
 * @param {(module: string) => Record<string, Handler>} load
 */
export function openHandlers({ match, modules }, load) {
  return {
    /** Loads all handlers, so that no request waits for one. */
    preload: () => {
      for (const module of modules) load(module);
    },

    /**
     * @param {Incoming} req
     * @param {Outgoing} res
     * @returns {Promise<boolean>}
     */
    async respond(req, res) {
      const { method = "GET", url = "/" } = req;
      const { path } = splitTarget(url);
      const matched = match(path);
      if (!matched?.route.module) return false;
      // Next decodes or redirects these paths before it looks for a handler. One with a rest reads the path as it was sent.
      if (!matched.route.path.includes("{...") && /[%\\]|\/\/|.\/$/.test(path)) return false;
      const handler = load(matched.route.module)[method];
      if (!handler) return false;
      const params = Object.fromEntries(matched.route.names.map((name, index) => [name, matched.values[index] ?? ""]));
      const respond = handler.serve ?? handler;
      const response = await respond(toRequest(req, res), { params: Promise.resolve(params) });
      await (response instanceof Response ? send(req, res, response) : sendComplete(req, res, response));
      return true;
    },
  };
}

/** @param {Incoming} req @param {Outgoing} res */
function toRequest(req, res) {
  const { method = "GET", url = "/" } = req;
  // The Host header is untrusted and may not be a valid host.
  const requestUrl = `http://localhost${url}`;
  if (method === "GET" || !hasBody(req.rawHeaders))
    return lightRequest(req, requestUrl, () => new Request(requestUrl, { method, headers: headersOf(req) }));
  const gone = new AbortController();
  res.once("close", () => {
    if (!res.writableFinished) gone.abort();
  });
  // Streams require `duplex`, which TypeScript's DOM types lack.
  const sent = { method, headers: headersOf(req), body: bodyOf(req, res), duplex: "half", signal: gone.signal };
  return new Request(requestUrl, /** @type {RequestInit} */ (sent));
}

/** Includes the headers that lib/http/caller.ts added. @param {Incoming} req */
function headersOf(req) {
  /** @type {[string, string][]} */
  const headers = [];
  for (const [name, value] of Object.entries(req.headers)) {
    for (const one of Array.isArray(value) ? value : [value ?? ""]) headers.push([name, one]);
  }
  return headers;
}

/**
 * Streams the body. Bytes that the handler leaves unread are discarded after the response; otherwise the next request on the
 * connection would wait behind them.
 *
 * @param {Incoming} req
 * @param {Outgoing} res
 */
function bodyOf(req, res) {
  let isOver = false;
  /** @type {ReadableStreamDefaultController<Uint8Array>} */
  let controller;
  const markOver = () => {
    isOver = true;
  };
  req.on("data", (/** @type {Buffer} */ chunk) => {
    if (isOver) return;
    controller.enqueue(chunk);
    if ((controller.desiredSize ?? 0) <= 0) req.pause();
  });
  req.once("end", () => {
    if (!isOver) controller.close();
    markOver();
  });
  req.once("error", (error) => {
    if (!isOver) controller.error(error);
    markOver();
  });
  req.pause();
  res.once("finish", () => {
    markOver();
    req.resume();
  });
  return new ReadableStream({
    start: (streamController) => {
      controller = streamController;
    },
    pull: () => {
      req.resume();
    },
    cancel: markOver,
  });
}

/** @param {Incoming} req @param {Outgoing} res @param {Response} response */
async function send(req, res, response) {
  const { headers, body } = response;
  for (const [name, value] of headers) if (name !== "set-cookie") res.setHeader(name, value);
  const cookies = headers.getSetCookie();
  if (cookies.length > 0) res.setHeader("Set-Cookie", cookies);
  res.statusCode = response.status;
  if (!body) {
    res.end();
    return;
  }
  // Readers of events learn that they have begun, also before the first one.
  if (/^text\/event-stream\b/i.test(headers.get("content-type") ?? "")) {
    stream(res, body);
    return;
  }
  const packs = chooseGzip(req, res, headers);
  const { whole: fullBody, rest: bodyStream } = await begun(body.getReader());
  if (fullBody) {
    await sendWhole(req, res, fullBody, packs);
    return;
  }
  if (packs) {
    res.setHeader("Content-Encoding", "gzip");
    // Of the handler, for the body as it was.
    res.removeHeader("Content-Length");
  }
  stream(res, bodyStream, packs ? [createGzip()] : []);
}

/** @param {Incoming} req @param {Outgoing} res @param {WholeResponse} response */
async function sendComplete(req, res, { status, headers, body }) {
  // In the order of `Headers`.
  for (const [name, value] of [...headers].sort(([a], [b]) => (a < b ? -1 : 1))) res.setHeader(name, value);
  res.statusCode = status;
  await sendWhole(req, res, typeof body === "string" ? Buffer.from(body) : body, chooseGzip(req, res, headers));
}

/**
 * Whether the body is compressed for this client, if it is long enough. Names what this depends on.
 *
 * @param {Incoming} req @param {Outgoing} res @param {Pick<Headers, "get"> | WholeResponse["headers"]} headers
 */
function chooseGzip(req, res, headers) {
  const isText =
    COMPRESSIBLE.test(headers.get("content-type") ?? "") && !headers.get("cache-control")?.includes("no-transform");
  if (isText) res.appendHeader("Vary", "Accept-Encoding");
  return isText && /\bgzip\b/.test(String(req.headers["accept-encoding"] ?? ""));
}

/** @param {Incoming} req @param {Outgoing} res @param {Uint8Array} body @param {boolean} packs */
async function sendWhole(req, res, body, packs) {
  const payload = packs && body.length >= GZIP_BYTES_MIN ? await gzipped(body) : body;
  if (payload !== body) res.setHeader("Content-Encoding", "gzip");
  res.setHeader("Content-Length", payload.length);
  endAfterBody(req, res, payload);
}

/**
 * A disconnecting client cancels the body. A failing body destroys the connection, so that the response does not look complete.
 *
 * @param {Outgoing} res
 * @param {ReadableStream} body
 * @param {import("node:stream").Transform[]} [transforms]
 */
function stream(res, body, transforms = []) {
  res.flushHeaders();
  const readable = Readable.fromWeb(/** @type {import("node:stream/web").ReadableStream} */ (body));
  pipeline([readable, ...transforms, res], () => {});
}

/**
 * Closing a connection with unread bytes resets it, and the client may lose the response. The connection therefore stays open until
 * the body has arrived, for a limited time; the bytes are discarded.
 *
 * @param {Incoming} req
 * @param {Outgoing} res
 * @param {Uint8Array | string} bytes
 * @param {boolean} [isClosing] whether the connection closes after the response
 */
export function endAfterBody(req, res, bytes, isClosing = !res.shouldKeepAlive) {
  if (req.complete || !isClosing || !hasBody(req.rawHeaders)) {
    res.end(bytes);
    return;
  }
  res.flushHeaders();
  res.write(bytes);
  const end = () => {
    clearTimeout(timer);
    res.end();
  };
  const timer = setTimeout(end, LINGER_MS);
  req.once("end", end).once("close", end);
  req.removeAllListeners("data").resume();
}

/**
 * `whole`: the bytes of a body that is complete at once. `rest`: a stream of a body that is still being produced, from its start.
 *
 * @typedef {ReadableStreamDefaultReader<Uint8Array>} Reader
 * @typedef {Awaited<ReturnType<Reader["read"]>>} Read
 * @param {Reader} reader
 * @returns {Promise<{ whole: Uint8Array, rest?: undefined } | { whole?: undefined, rest: ReadableStream }>}
 */
async function begun(reader) {
  const first = await reader.read();
  if (first.done) return { whole: new Uint8Array() };
  const second = reader.read();
  const isWhole = second.then(
    ({ done }) => done,
    () => false,
  );
  if (await Promise.race([isWhole, setImmediate(false)])) return { whole: first.value };
  return { rest: all(reader, [first, second]) };
}

/**
 * @param {Reader} reader
 * @param {(Read | Promise<Read>)[]} begun chunks that were already read
 * @returns {ReadableStream}
 */
const all = (reader, begun) =>
  new ReadableStream(
    {
      pull: async (controller) => {
        const { done, value } = await (begun.shift() ?? reader.read());
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    // The underlying stream already buffers.
    { highWaterMark: 0 },
  );

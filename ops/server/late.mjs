// How long a body may take to arrive. Node has one limit for all requests, and a file is larger than what the others send.
import { splitTarget } from "./target.mjs";

/** Node's own limit, for the longest of them. */
export const FILE_MS = 600_000;
const BODY_MS = 60_000;
/** Within this time some of a file arrives. */
const PART_MS = 30_000;

const FILES = /^\/api\/agents\/[^/]+\/link-(?:files|images)\/?$/;

/**
 * Ends the connection of a request whose body is late.
 *
 * @param {import("node:http").IncomingMessage} req
 */
export function endWhenLate(req, { bodyMs = BODY_MS, partMs = PART_MS } = {}) {
  if (!hasBody(req.rawHeaders)) return;
  const { socket } = req;
  const isFile = FILES.test(splitTarget(req.url ?? "").path);
  let seen = isFile ? socket.bytesRead : Number.POSITIVE_INFINITY;
  const timer = setInterval(
    () => {
      if (req.complete) clearInterval(timer);
      else if (socket.bytesRead > seen) seen = socket.bytesRead;
      else socket.destroy();
    },
    isFile ? partMs : bodyMs,
  ).unref();
  req.once("close", () => clearInterval(timer));
}

/** RFC 9112, 6. @param {readonly string[]} rawHeaders names and values in turn, as Node gives them */
export const hasBody = (rawHeaders) =>
  rawHeaders.some((text, at) => {
    if (at % 2 === 1) return false;
    const name = text.toLowerCase();
    return name === "transfer-encoding" || (name === "content-length" && rawHeaders[at + 1] !== "0");
  });

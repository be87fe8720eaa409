// How long a body may take to arrive. Node has one limit for all requests, and a file is larger than what the others send.
import { splitTarget } from "./limits.mjs";

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
  if (!hasBody(req)) return;
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

/** RFC 9112, 6. @param {import("node:http").IncomingMessage} req */
export const hasBody = ({ headers }) =>
  headers["transfer-encoding"] !== undefined || !["0", undefined].includes(headers["content-length"]);

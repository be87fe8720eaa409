// Limits how long a request body may take. Node has a single limit for all requests, but file uploads take longer than others.
import { splitTarget } from "./target.mjs";

/** Node's limit, for the longest uploads. */
export const FILE_MS = 600_000;
const BODY_MS = 60_000;
/** A file upload must send some bytes within this time. */
const PART_MS = 30_000;

const FILES = /^\/api\/agents\/[^/]+\/link-(?:files|images)\/?$/;

/**
 * Closes the connection of a request whose body is late.
 *
 * @param {import("node:http").IncomingMessage} req
 */
export function endWhenLate(req, { bodyMs = BODY_MS, partMs = PART_MS } = {}) {
  if (!hasBody(req.rawHeaders)) return;
  const { socket } = req;
  const isFile = FILES.test(splitTarget(req.url ?? "").path);
  let receivedBytes = isFile ? socket.bytesRead : Number.POSITIVE_INFINITY;
  const timer = setInterval(
    () => {
      if (req.complete) clearInterval(timer);
      else if (socket.bytesRead > receivedBytes) receivedBytes = socket.bytesRead;
      else socket.destroy();
    },
    isFile ? partMs : bodyMs,
  ).unref();
  req.once("close", () => clearInterval(timer));
}

/** RFC 9112, 6. @param {readonly string[]} rawHeaders alternating names and values, as Node provides them */
export const hasBody = (rawHeaders) =>
  rawHeaders.some((text, index) => {
    if (index % 2 === 1) return false;
    const name = text.toLowerCase();
    return name === "transfer-encoding" || (name === "content-length" && rawHeaders[index + 1] !== "0");
  });

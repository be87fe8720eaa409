// Unread response bytes stay in memory, so clients that never read could exhaust it.

const STALLED_MS = 30_000;

/**
 * Destroys the response if bytes are buffered for the client and none are sent for `ms`. Slow clients, working handlers and idle
 * event streams are not affected.
 *
 * @param {import("node:http").ServerResponse} res
 */
export function endWhenStalled(res, ms = STALLED_MS) {
  res.setTimeout(ms, () => {
    if (res.writableLength > 0) res.destroy();
  });
}

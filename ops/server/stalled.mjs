// What a client does not take of its response waits in memory, so that clients that never read would exhaust it.

const STALLED_MS = 30_000;

/**
 * Ends the response once something waits for its client and none of it moves for `ms`. A slow client moves some; a handler that is
 * still at work, or an event stream between two events, has nothing that waits.
 *
 * @param {import("node:http").ServerResponse} res
 */
export function endWhenStalled(res, ms = STALLED_MS) {
  res.setTimeout(ms, () => {
    if (res.writableLength > 0) res.destroy();
  });
}

// Log lines of this entry, in the form of the service's own (lib/platform/log.ts).

/** Above it only how many there were is written: a flood of bad requests must not fill a disk. */
export const LINES_PER_SECOND_MAX = 20;
const PATH_SHOWN_MAX = 200;
const SECOND_MS = 1000;

/** Levels of LOG_LEVEL at which lines of requests are written. */
const WITH_REQUESTS = new Set(["info", "debug"]);

/**
 * @typedef {{ requestId: string, method: string | null, path: string | null, status: number, code: string }} Refused
 *   `method` and `path` are null when what came could not be read as a request
 * @typedef {{ level: string, write: (line: string) => void, now?: () => Date }} Settings
 */

/**
 * Writes a line for each refused request, at most LINES_PER_SECOND_MAX in each second, and then one with the number of those
 * left out. A line holds nothing that the client sent but the method and the beginning of the path.
 *
 * @param {Settings} settings
 * @returns {(refused: Refused) => void}
 */
export function refusalLog({ level, write, now = () => new Date() }) {
  if (!WITH_REQUESTS.has(level)) return () => {};
  let second = -1;
  let lines = 0;
  let unlogged = 0;
  const line = (/** @type {string} */ of, /** @type {object} */ rest) =>
    write(`${JSON.stringify({ level: of, time: now().toISOString(), ...rest })}\n`);
  const writeUnlogged = () => {
    if (unlogged > 0) line("warn", { count: unlogged, msg: "request.unlogged" });
    unlogged = 0;
  };
  return ({ requestId, method, path, status, code }) => {
    const current = Math.floor(now().getTime() / SECOND_MS);
    if (current !== second) {
      writeUnlogged();
      second = current;
      lines = 0;
    }
    if (lines >= LINES_PER_SECOND_MAX) {
      // Also when no other request comes.
      if (unlogged === 0) setTimeout(writeUnlogged, SECOND_MS).unref();
      unlogged += 1;
      return;
    }
    lines += 1;
    const request = { requestId, method, path: path === null ? null : shownPath(path), code, status, ms: 0 };
    line(status >= 500 ? "error" : "info", { ...request, msg: "request" });
  };
}

/** A target that is no path may be a URL with a password in it. @param {string} path */
const shownPath = (path) => (path.startsWith("/") ? path.slice(0, PATH_SHOWN_MAX) : "");

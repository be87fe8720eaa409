// Log lines of the server, in the service's format (lib/platform/log.ts).

/** Lines above this rate are only counted, so that a flood of bad requests cannot fill the disk. */
export const LINES_PER_SECOND_MAX = 20;
const PATH_SHOWN_MAX = 200;
const SECOND_MS = 1000;

/** Values of LOG_LEVEL at which requests are logged. */
const WITH_REQUESTS = new Set(["info", "debug"]);

/**
 * @typedef {{ requestId: string, method: string | null, path: string | null, status: number, code: string }} Refused
 *   `method` and `path` are null when the input could not be read as a request
 * @typedef {{ level: string, write: (line: string) => void, now?: () => Date }} Settings
 */

/**
 * Writes a line for each refused request, at most LINES_PER_SECOND_MAX per second, followed by one line with the number of
 * omitted lines. A line contains nothing that the client sent except the method and the beginning of the path.
 *
 * @param {Settings} settings
 * @returns {(refused: Refused) => void}
 */
export function refusalLog({ level, write, now = () => new Date() }) {
  if (!WITH_REQUESTS.has(level)) return () => {};
  let second = -1;
  let lines = 0;
  let unlogged = 0;
  const line = (/** @type {string} */ severity, /** @type {object} */ fields) =>
    write(`${JSON.stringify({ level: severity, time: now().toISOString(), ...fields })}\n`);
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
      // Uses a timer, in case no further request arrives.
      if (unlogged === 0) setTimeout(writeUnlogged, SECOND_MS).unref();
      unlogged += 1;
      return;
    }
    lines += 1;
    const request = { requestId, method, path: path === null ? null : shownPath(path), code, status, ms: 0 };
    line(status >= 500 ? "error" : "info", { ...request, msg: "request" });
  };
}

const ERROR_CHARACTERS_MAX = 2_000;

/** An error's stack; its message may contain client input. @param {unknown} error */
export const errorText = (error) => String(error instanceof Error ? error.stack : error).slice(0, ERROR_CHARACTERS_MAX);

/** A target that is not a path may be a URL with a password. @param {string} path */
const shownPath = (path) => (path.startsWith("/") ? path.slice(0, PATH_SHOWN_MAX) : "");

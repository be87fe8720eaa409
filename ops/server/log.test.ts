import { beforeEach, expect, test, vi } from "vitest";
import { LINES_PER_SECOND_MAX, refusalLog } from "./log.mjs";

const START = Date.parse("2026-01-01T00:00:00.000Z");
const REFUSED = { requestId: "r", method: "GET", path: "/a", status: 414, code: "uri_too_long" };

let written: string[];
beforeEach(() => {
  written = [];
});

const logAt = (level: string, clock = { ms: 0 }) =>
  refusalLog({ level, write: (line) => void written.push(line), now: () => new Date(START + clock.ms) });
const lines = () => written.map((line) => JSON.parse(line));

test("a refused request is logged as one line, in the format of the service's log", () => {
  logAt("info")(REFUSED);
  expect(written).toEqual([
    '{"level":"info","time":"2026-01-01T00:00:00.000Z","requestId":"r","method":"GET","path":"/a","code":"uri_too_long","status":414,"ms":0,"msg":"request"}\n',
  ]);
});

test.each([
  ["a long path", `/${"x".repeat(9000)}`, `/${"x".repeat(199)}`],
  ["a URL with a password", "http://name:password@host/", ""],
  ["ends of lines and quotes", '/"\r\n{"level":"error"}\u2028', '/"\r\n{"level":"error"}\u2028'],
  ["nothing that could be read", null, null],
])("the log line of %s is single and has a limited size", (_, path, shown) => {
  logAt("info")({ ...REFUSED, path });
  expect(lines()).toMatchObject([{ path: shown }]);
  expect(written[0]?.trim()).not.toMatch(/[\r\n]/);
  expect(written[0]?.length).toBeLessThan(500);
});

test("of a flood of refused requests only a few lines a second are logged, with the number left out", () => {
  const clock = { ms: 0 };
  const log = logAt("info", clock);
  for (let index = 0; index < 1000; index++) log(REFUSED);
  expect(lines()).toHaveLength(LINES_PER_SECOND_MAX);
  clock.ms = 1000;
  log(REFUSED);
  expect(lines().slice(LINES_PER_SECOND_MAX)).toMatchObject([
    { level: "warn", msg: "request.unlogged", count: 1000 - LINES_PER_SECOND_MAX },
    { msg: "request" },
  ]);
});

test("the number of lines left out is logged even if no further request comes", () => {
  vi.useFakeTimers();
  const log = logAt("info");
  for (let index = 0; index <= LINES_PER_SECOND_MAX; index++) log(REFUSED);
  vi.advanceTimersByTime(1000);
  vi.useRealTimers();
  expect(lines().at(-1)).toMatchObject({ msg: "request.unlogged", count: 1 });
});

test.each(["silent", "error", "warn"])("nothing is logged at LOG_LEVEL %s", (level) => {
  logAt(level)(REFUSED);
  expect(written).toEqual([]);
});

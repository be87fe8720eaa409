import { expect, test } from "vitest";
import { createLog } from "./log";

function lines(level = "info") {
  const written: string[] = [];
  const log = createLog(level, { write: (line) => void written.push(line) });
  return {
    log,
    all: () => written.map((line): Record<string, unknown> => JSON.parse(line)),
    text: () => written.join(""),
  };
}

test("a log line is JSON with its level, its time and nothing about the process", () => {
  const { log, all } = lines();
  log.info({ requestId: "r", ms: 3 }, "request");
  expect(all()).toEqual([
    { level: "info", time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/), requestId: "r", ms: 3, msg: "request" },
  ]);
});

test("members that could pay or log in are removed by name, two levels deep", () => {
  const { log, all, text } = lines();
  const secret = "SECRET";
  log.info({
    token: secret,
    vc: secret,
    challenge: secret,
    headers: { authorization: secret, cookie: secret, "x-payment": secret, host: "h" },
    body: { jwt: secret, signature: secret, amount: "1" },
    list: [1, 2],
  });
  expect(text()).not.toContain(secret);
  expect(all()).toMatchObject([{ headers: { host: "h" }, body: { amount: "1" }, list: [1, 2] }]);
});

test("an error and its causes are logged with name, code, first line and stack, but without their data", () => {
  const { log, all, text } = lines();
  const cause = Object.assign(new Error("duplicate key\nparams: SECRET"), { code: "23505", detail: "SECRET" });
  log.error({ err: new Error("Failed query: x\nparams: SECRET", { cause }) }, "went wrong");
  expect(text()).not.toContain("SECRET");
  expect(all()).toMatchObject([
    {
      level: "error",
      err: { name: "Error", message: "Failed query: x", cause: { code: "23505", message: "duplicate key" } },
    },
  ]);
});

test("nothing is written below the log level", () => {
  const { log, all } = lines("warn");
  log.info({ a: 1 }, "no");
  expect(all()).toEqual([]);
});

test("text of strangers cannot make a line long, in strings, lists, nested objects, errors or their causes", () => {
  const { log, text, all } = lines();
  const long = "x".repeat(50_000);
  const stack = `Error: a\n${`    at ${long}\n`.repeat(200)}`;
  const error = Object.assign(new Error(long), { name: long, code: long, stack });
  const loop: Record<string, unknown> = { error };
  loop.loop = loop;
  error.cause = Object.assign(new Error("cause"), { cause: error });
  log.error(
    { path: long, list: Array(5_000).fill("entry"), deep: { a: { b: { c: long } }, big: [1n, long] }, err: error },
    "m",
  );
  log.error({ err: { metadata: long, error: new Error(long) }, amount: 5n, loop: [loop] }, "m");
  expect(text().length).toBeLessThan(60_000);
  expect(all()[0]).toMatchObject({ path: `${"x".repeat(500)}…`, err: { at: { length: 20 } } });
});

test("short values are logged unchanged", () => {
  const { log, all } = lines();
  log.info({ list: [1, "two", { three: 3 }], none: null, is: true, deep: { a: { b: ["c"] } } }, "m");
  expect(all()).toMatchObject([{ list: [1, "two", { three: 3 }], none: null, is: true, deep: { a: { b: ["c"] } } }]);
});

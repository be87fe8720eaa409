import { availableParallelism } from "node:os";
import { expect, test } from "vitest";
import { routeOf } from "./measure.mjs";
import { workerCount } from "./worker-count.mjs";

test("a devnet has one process and production one per core, unless WEB_CONCURRENCY is set", () => {
  expect(workerCount({})).toBeNull();
  expect(workerCount({ MODE: "production" })).toBe(availableParallelism());
  expect(workerCount({ MODE: "production", WEB_CONCURRENCY: "1" })).toBe(1);
  expect(workerCount({ WEB_CONCURRENCY: "4" })).toBe(4);
  for (const wrong of ["0", "65", "x", "1.5", "-1"]) expect(() => workerCount({ WEB_CONCURRENCY: wrong })).toThrow();
});

test("a request is counted under its route, never under a path that a client made up", () => {
  expect(["/api/mandates/m_1?x=1", "/register", "/_next/static/a.js", "/wp-admin", "/%zz", "*"].map(routeOf)).toEqual([
    "/api/mandates/{mandateId}",
    "/register",
    "file",
    "page",
    "page",
    "page",
  ]);
});

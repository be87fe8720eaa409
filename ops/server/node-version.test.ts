import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { NODE_VERSIONS, nodeFault } from "./node-version.mjs";

test.each([
  ["v18.20.8", false],
  ["v20.12.0", false],
  ["v20.20.1", false],
  ["v20.20.2", true],
  ["v20.21.0", true],
  ["v21.7.3", false],
  ["v22.22.1", false],
  ["v22.22.2", true],
  ["v23.11.0", false],
  ["v24.0.0", false],
  ["v24.14.0", false],
  ["v24.14.1", true],
  ["v24.15.0-nightly", true],
  ["v25.1.0", false],
  ["v26.0.0", true],
])("Node %s has the fixes that the service needs: %s", (version, isFixed) => {
  expect(nodeFault(version) === null).toBe(isFixed);
});

test("the error names the Node version, and those to use", () => {
  expect(nodeFault("v20.12.0")).toMatch(/v20\.12\.0.*>=20\.20\.2.*Node 24/);
});

test("an unknown form of version range is an error, and permits nothing", () => {
  expect(() => nodeFault("v20.20.2", "^20.20.2")).toThrow("^20.20.2");
});

test("the container image and the pipeline use a Node version within the range", () => {
  const images = ["Dockerfile", ".github/workflows/ci.yml"].flatMap((file) => [
    ...readFileSync(file, "utf8").matchAll(/node:(\S+?)-bookworm/g),
  ]);
  expect(images.map(([, tag]) => tag)).toEqual(["24", "24", "24"]);
  expect(NODE_VERSIONS).toContain(">=24.");
});

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { z } from "zod";

const lock = z.object({
  packages: z.record(z.string(), z.looseObject({ optionalDependencies: z.record(z.string(), z.string()).optional() })),
});

// npm leaves out optional packages that it could not download, and `npm ci` then refuses the file on every machine.
test("package-lock.json has an entry for every optional package", () => {
  const { packages } = lock.parse(JSON.parse(readFileSync("package-lock.json", "utf8")));
  const installed = new Set(Object.keys(packages).map((path) => path.replace(/^.*node_modules\//, "")));
  const wanted = Object.values(packages).flatMap(({ optionalDependencies = {} }) => Object.keys(optionalDependencies));
  expect(wanted.length).toBeGreaterThan(0);
  expect(wanted.filter((name) => !installed.has(name))).toEqual([]);
});

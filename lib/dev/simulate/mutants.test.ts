import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { MUTANTS } from "./mutants";
import { mutated, mutatedFiles } from "./mutate";

test("there are at least twenty mutants, each under a name of its own", () => {
  expect(MUTANTS.length).toBeGreaterThanOrEqual(20);
  expect(new Set(MUTANTS.map(({ name }) => name)).size).toBe(MUTANTS.length);
});

test.each(mutatedFiles())("each mutant finds its place in %s", (file) => {
  const source = readFileSync(file, "utf8");
  expect(mutated(file, source)).not.toBe(source);
});

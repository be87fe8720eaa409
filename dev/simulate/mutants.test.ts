import { readFileSync } from "node:fs";
import { transform } from "esbuild";
import { expect, test } from "vitest";
import { MUTANTS } from "./mutants";
import { mutated, mutatedFiles } from "./mutate";

test("the simulation has at least twenty mutants, with unique names", () => {
  expect(MUTANTS.length).toBeGreaterThanOrEqual(20);
  expect(new Set(MUTANTS.map(({ name }) => name)).size).toBe(MUTANTS.length);
});

test.each(mutatedFiles())("each mutant finds its code in %s, and the result still compiles", async (file) => {
  const source = readFileSync(file, "utf8");
  const other = mutated(file, source);
  expect(other).not.toBe(source);
  await expect(transform(other, { loader: "ts" })).resolves.toMatchObject({ warnings: [] });
});

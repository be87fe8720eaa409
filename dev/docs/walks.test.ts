import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { listFiles } from "./repository";
import { faultsOf, walksIn } from "./walks";

const walks = listFiles([".md"]).flatMap((page) =>
  walksIn(readFileSync(page, "utf8")).map((walk, index) => ({ name: `${page}, walk ${index + 1}`, walk })),
);
const [main] = walksIn(readFileSync("docs/architecture.md", "utf8"));

test("the architecture page follows a request from its route to its SQL", () => {
  expect(main?.at(0)?.[0]?.file).toMatch(/^app\/.*\/route\.ts$/);
  expect(main?.at(-1)?.[0]?.file).toMatch(/store\.ts$/);
});

test.each(walks)("the walk $name matches the code", ({ walk }) => {
  expect(walk.length).toBeGreaterThan(2);
  expect(faultsOf(walk)).toEqual([]);
});

test("a wrong file, function or order in a walk is reported", () => {
  const walk = (...steps: string[]) =>
    walksIn(`## A walk\n\n${steps.map((s, index) => `${index + 1}. ${s}`).join("\n")}`)[0] ?? [];
  const [service, store] = ["`lib/payments/sign.ts`", "`lib/payments/store.ts`"];
  expect(faultsOf(walk(`${service}: \`sign\``, `${store}: \`insert\``))).toEqual([]);
  expect(faultsOf(walk(`${service}: \`signs\``, store))).toEqual(["lib/payments/sign.ts has no signs"]);
  expect(faultsOf(walk("`lib/payments/none.ts`", store))).toEqual(["lib/payments/none.ts does not exist"]);
  expect(faultsOf(walk(store, service))).toEqual([
    "step 1 (lib/payments/store.ts) does not import lib/payments/sign.ts",
  ]);
});

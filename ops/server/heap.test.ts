import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { heapGrowth } from "./heap.mjs";

test("the heap grows by 40 % at a time, unless HEAP_GROWTH_PERCENT sets another number or leaves it to V8", () => {
  expect(heapGrowth({})).toBe(40);
  expect(heapGrowth({ HEAP_GROWTH_PERCENT: "" })).toBe(40);
  expect(heapGrowth({ HEAP_GROWTH_PERCENT: "150" })).toBe(150);
  expect(heapGrowth({ HEAP_GROWTH_PERCENT: "v8" })).toBeNull();
  for (const wrong of ["0", "-1", "1.5", "1000", "x"]) {
    expect(() => heapGrowth({ HEAP_GROWTH_PERCENT: wrong })).toThrow("HEAP_GROWTH_PERCENT");
  }
});

/** Prints the most that the heap has, while each of its parts is in use for a while. */
const PROGRAM = `
  import { limitHeapGrowth } from ${JSON.stringify(new URL("./heap.mjs", import.meta.url).href)};
  limitHeapGrowth(process.env);
  const held = [];
  let most = 0;
  for (let turn = 0; turn < 1_200; turn++) {
    held[turn % 200] = Array.from({ length: 8_000 }, (_, at) => ({ at }));
    if (turn % 20 === 0) most = Math.max(most, process.memoryUsage().heapTotal);
  }
  console.log(most);
`;

test("a process with that setting needs less memory for the same work than one without", () => {
  const most = (HEAP_GROWTH_PERCENT: string) =>
    Number(
      execFileSync(process.execPath, ["--input-type=module", "--eval", PROGRAM], {
        env: { ...process.env, HEAP_GROWTH_PERCENT },
      }),
    );
  expect(most("40")).toBeLessThan(most("v8") * 0.8);
});

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { LOSSES } from "./home";

const guide = readFileSync("docs/trust.md", "utf8");
const cellsOf = (start: string): string[] => {
  const line = guide.split("\n").find((each) => each.startsWith(`| ${start}`)) ?? "";
  return line
    .split("|")
    .slice(2, -1)
    .map((cell) => cell.replaceAll("*", "").replaceAll("'", "’").trim());
};

test("the front page says the same as docs/trust.md about what an owner can lose", () => {
  const tricked = cellsOf("the agent is tricked");
  const stolen = cellsOf("the service is stolen");
  expect(tricked).toEqual([LOSSES[0].tricked, LOSSES[1].tricked, LOSSES[2].tricked]);
  expect(stolen[0]).toBe(LOSSES[0].stolen);
  expect(stolen[1]).toContain(LOSSES[1].stolen);
  expect(stolen[2]).toBe(LOSSES[2].stolen);
  expect(guide).toContain("Nobody has audited the contract");
});

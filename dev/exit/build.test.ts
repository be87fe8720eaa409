import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { EXIT_PAGE, writeExitPage } from "./build";

const page = readFileSync(EXIT_PAGE, "utf8");

test("the exit page is built from its sources: run `npx tsx dev/exit/build.ts` if it differs", async () => {
  expect(page).toBe(await writeExitPage());
});

test("the exit page loads nothing", () => {
  expect(page).toContain("default-src 'none'");
  expect(page).not.toMatch(/\b(src|href|action)=|@import|url\(|https?:|\bfetch\(|XMLHttpRequest|WebSocket|import\(/);
});

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { EXIT_PAGE, writeExitPage } from "./build";

const page = readFileSync(EXIT_PAGE, "utf8");

test("the page is what its sources make; `npx tsx dev/exit/build.ts` writes it", async () => {
  expect(page).toBe(await writeExitPage());
});

test("the page loads nothing", () => {
  expect(page).toContain("default-src 'none'");
  expect(page).not.toMatch(/\b(src|href|action)=|@import|url\(|https?:|\bfetch\(|XMLHttpRequest|WebSocket|import\(/);
});

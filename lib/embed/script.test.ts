import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { buttonScript, scriptResponse } from "./script";

/** Pages of merchants name these hashes. Never change a line: publish a new version. */
const PUBLISHED: Record<string, string> = {
  "button-1.js": "sha384-Xe8/SOi4M5jAfFSqclygEHwCarW0cCOUuGeqqRd1hYyhXK9tcCSvuHgeJmKzHahu",
};

test.each(Object.entries(PUBLISHED))("the published script %s never changes a byte", async (file, integrity) => {
  const response = scriptResponse(file);
  const text = (await response?.text()) ?? "";
  expect(`sha384-${createHash("sha384").update(text).digest("base64")}`).toBe(integrity);
  expect(response?.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  expect(response?.headers.get("access-control-allow-origin")).toBe("*");
  expect(response?.headers.get("cross-origin-resource-policy")).toBe("cross-origin");
  expect(response?.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
});

test("the newest script also has a URL without a version number, which is cached only briefly", async () => {
  const { path, text, integrity } = buttonScript();
  expect(PUBLISHED[path.slice("/embed/".length)]).toBe(integrity);
  const response = scriptResponse("button.js");
  expect(await response?.text()).toBe(text);
  expect(response?.headers.get("cache-control")).toBe("public, max-age=300");
});

test.each(["", "pay", "button", "button-0.js", "button-2.js", "button-01.js", "../script.ts", "constructor"])(
  "the script file %s does not exist",
  (file) => expect(scriptResponse(file)).toBeNull(),
);

test("the script is small, and does nothing that a strict content policy forbids", () => {
  const { text } = buttonScript();
  expect(gzipSync(text).length).toBeLessThan(3_000);
  expect(text).not.toMatch(
    /\beval\b|new Function|innerHTML|insertAdjacentHTML|document\.write|\.style\b|setAttribute\("(?:style|on)/,
  );
  expect(text).not.toMatch(/\bimport\b|require\(/);
});

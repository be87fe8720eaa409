import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { isSameSecret } from "./same-secret";

test.each([
  ["abc", "abc", true],
  ["abc", "abd", false],
  ["abc", "abcd", false],
  // The same number of characters, but more bytes.
  ["ab\u00e9", "abc", false],
  ["\ud83e\udd8a", "ab", false],
  ["\ud800", "\ufffd", true],
  ["", "", true],
])("comparing the secrets %j and %j returns %s", (one, other, isSame) => expect(isSameSecret(one, other)).toBe(isSame));

test("secrets are compared in constant time only by this module", () => {
  const files = ["lib", "app"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => `${folder}/${name}`),
  );
  const users = files.filter(
    (file) => /(?<!\.test)\.tsx?$/.test(file) && readFileSync(file, "utf8").includes("timingSafeEqual"),
  );
  expect(users).toEqual(["lib/core/same-secret.ts"]);
});

import { expect, test } from "vitest";
import { languages } from "../../testing/languages.ts";
import { rulesOnly } from "../../testing/rules-only.ts";

const verdictOf = (text: string) => rulesOnly(text).verdict;

const rows = (kind: "attacks" | "ordinary") =>
  Object.entries(languages).flatMap(([language, texts]) => texts[kind].map((text) => [language, text] as const));

test.each(rows("attacks"))("%s: the attack does not pass: %s", (_, text) => {
  expect(verdictOf(text)).not.toBe("pass");
});

test.each(rows("ordinary"))("%s: the ordinary text passes: %s", (_, text) => {
  expect(verdictOf(text)).toBe("pass");
});

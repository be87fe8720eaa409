import { expect, test } from "vitest";
import { languages } from "../../testing/languages.ts";
import { rulesOnly } from "../../testing/rules-only.ts";

const verdictOf = (text: string) => rulesOnly(text).verdict;

const rows = (kind: "attacks" | "ordinary") =>
  Object.entries(languages).flatMap(([language, texts]) => texts[kind].map((text) => [language, text] as const));

test.each(rows("attacks"))("an attack in %s does not pass: %s", (_, text) => {
  expect(verdictOf(text)).not.toBe("pass");
});

test.each(rows("ordinary"))("an ordinary text in %s passes: %s", (_, text) => {
  expect(verdictOf(text)).toBe("pass");
});

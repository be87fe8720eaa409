import { expect, test } from "vitest";
import { languages } from "../../testing/languages.ts";
import { weightBits } from "./likelihood-weights.ts";
import { scanWith } from "./scan.ts";

/** Only the rules, without the model's weights. */
const verdictOf = (text: string) => scanWith({ text }, new Int8Array(1 << weightBits)).verdict;

const rows = (kind: "attacks" | "ordinary") =>
  Object.entries(languages).flatMap(([language, texts]) => texts[kind].map((text) => [language, text] as const));

test.each(rows("attacks"))("%s: the attack does not pass: %s", (_, text) => {
  expect(verdictOf(text)).not.toBe("pass");
});

test.each(rows("ordinary"))("%s: the ordinary text passes: %s", (_, text) => {
  expect(verdictOf(text)).toBe("pass");
});

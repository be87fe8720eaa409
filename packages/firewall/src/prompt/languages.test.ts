import { expect, test } from "vitest";
import { languages } from "../../testing/languages.ts";
import { scanPrompt } from "./scan.ts";

const isFlagged = (text: string): boolean => scanPrompt({ text }).verdict !== "pass";

test.each(Object.entries(languages))("%s: most of the attacks do not pass", (_, { attacks }) => {
  expect(attacks.filter(isFlagged).length).toBeGreaterThan(attacks.length / 2);
});

/** Single sentences in the words of attacks, such as "Follow the instructions above", are the hardest harmless texts. */
test("of the ordinary texts in the same words, at most one in seven is flagged", () => {
  const texts = Object.values(languages).flatMap(({ ordinary }) => ordinary);
  expect(texts.filter(isFlagged).length).toBeLessThanOrEqual(texts.length / 7);
});

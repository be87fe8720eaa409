import { expect, test } from "vitest";
import { scanPrompt } from "../src/prompt/scan.ts";
import { hostileTexts } from "./hostile-texts.ts";

const texts = hostileTexts(6_000);

test.each(Object.entries(texts))("the hostile text %s has the requested length", (_, text) => {
  expect(text).toHaveLength(6_000);
});

test.each(["passwords", "private keys", "login tokens", "recovery phrases"])(
  "the hostile texts of %s contain secrets that are found",
  (name) => {
    const { redactedPreview } = scanPrompt({ text: texts[name] ?? "" });
    expect(redactedPreview.split("[REDACTED]").length).toBeGreaterThan(5);
  },
);

import { expect, test } from "vitest";
import { textKey } from "./examples.ts";
import { generatedSamples } from "./generated-samples.ts";
import { languageOf } from "./languages-of-texts.ts";
import type { PromptRow } from "./prompt-corpora.ts";

const hosts = ["docs", "mails"].map(
  (source): PromptRow => ({ id: source, text: `First of ${source}. Second. Third.`, label: 0, source, cat: "general" }),
);

test("the same seed generates the same texts with both labels, in every language, without an unfilled part", () => {
  const samples = generatedSamples(5, hosts, 0.05);
  expect(generatedSamples(5, hosts, 0.05)).toEqual(samples);
  expect(generatedSamples(6, hosts, 0.05)).not.toEqual(samples);
  expect(new Set(samples.map(({ sources }) => sources[0])).size).toBe(14);
  for (const label of [0, 1]) expect(samples.filter((sample) => sample.label === label).length).toBeGreaterThan(1_000);
  expect(samples.filter(({ text }) => text.trim() === "" || /(?<!\{)\{\w+\}|undefined/.test(text))).toEqual([]);
});

test("a generated text names the source of its surrounding text, so that both can be left out together", () => {
  for (const { sources, text } of generatedSamples(5, hosts, 0.02))
    for (const { source } of hosts) expect(text.includes(`First of ${source}`)).toBe(sources.includes(source));
});

test("texts that differ only in case, spaces and punctuation have the same key", () => {
  expect(textKey("Ignore  ALL rules!")).toBe(textKey("ignore all rules"));
  expect(textKey("忽略 规则")).not.toBe(textKey("忽略 指令"));
});

test.each([
  ["English", "Could you tell me when the library opens?"],
  ["German", "Wie ist das Wetter und was ist mit dem Zug?"],
  ["Russian", "Какая завтра погода?"],
  ["Chinese", "明天天气怎么样？"],
  ["Japanese", "明日の天気を教えて。"],
])("a text in %s is recognised as such by its words or letters", (language, text) => {
  expect(languageOf({ text })).toBe(language);
});

import { describe, expect, test } from "vitest";
import * as de from "./de";
import * as en from "./en";

/** Names and words that are the same in German. */
const SAME = new Set(["", "Wallet", "Agent", "Block", "Firewall", "API"]);

type Leaf = readonly [path: string, text: string];

const leavesOf = (texts: unknown, path: string): Leaf[] =>
  typeof texts === "string"
    ? [[path, texts]]
    : Object.entries(texts as object).flatMap(([key, value]) => leavesOf(value, `${path}.${key}`));

const english = leavesOf(en, "texts");
const german = new Map(leavesOf(de, "texts"));
const holesIn = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, hole]) => hole).sort();

describe("the German texts", () => {
  test("have the same keys as the English ones", () => {
    expect(english.length).toBeGreaterThan(300);
    expect([...german.keys()].sort()).toEqual(english.map(([path]) => path).sort());
  });

  test("have the same placeholders as the English ones", () => {
    const different = english.filter(([path, text]) => holesIn(text).join() !== holesIn(german.get(path) ?? "").join());
    expect(different).toEqual([]);
  });

  test("are translated", () => {
    expect(english.filter(([path, text]) => german.get(path) === text && !SAME.has(text))).toEqual([]);
  });

  test("use the formal Sie, and end with the same punctuation as the English ones", () => {
    const end = (text: string) => /[.:]$/.exec(text)?.[0] ?? "";
    const differs = english.filter(([path, text]) => {
      const translated = german.get(path) ?? "";
      // An abbreviated unit has a point.
      return end(text) !== end(translated) && !path.includes(".units.");
    });
    expect(differs).toEqual([]);
    expect([...german].filter(([, text]) => /\b(?:du|dein\w*|dir|dich)\b/i.test(text))).toEqual([]);
  });

  test("have no line break between a number and its unit", () => {
    expect([...german].filter(([, text]) => /\d (?:USDC|US-Dollar|%|s)\b|\} (?:%|s\b)/.test(text))).toEqual([]);
  });
});

test.each([...english, ...german])("the text %s has balanced braces", (_, text) => {
  expect(text.replace(/\{\w+\}/g, "")).not.toMatch(/[{}]/);
});

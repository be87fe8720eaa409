import { expect, test } from "vitest";
import { lookalikesOf, looksLike } from "./lookalike";

test.each([
  ["Weather bot", "Weаther bot"],
  ["Weather bot", "WEATHER-BOT"],
  ["Weather bot", "Weather  bot"],
  ["paypal", "раураl"],
  ["paypal", "paypa1"],
  ["paypal", "PAYPAI"],
  ["modern", "modem"],
  ["Shop 10", "Shop lO"],
  ["café", "cafe"],
  ["ｓｈｏｐ", "shop"],
  ["𝐬𝐡𝐨𝐩", "shop"],
  ["!", "!"],
])("the name %j looks like %j", (a, b) => {
  expect(looksLike(a, b)).toBe(true);
});

test.each([
  ["Weather bot", "Weather bot 2"],
  ["Shop", "Ship"],
  ["研究", "研修"],
  ["...", "---"],
  ["🦊", "🐻"],
])("the name %j does not look like %j", (a, b) => {
  expect(looksLike(a, b)).toBe(false);
});

test("of many names, each one gets another name that looks like it", () => {
  const cyrillic = "\u0410gent";
  expect(lookalikesOf(["Agent", "Shop", cyrillic, "AGENT"])).toEqual([cyrillic, undefined, "Agent", "Agent"]);
  expect(lookalikesOf([])).toEqual([]);
  const many = Array.from({ length: 20_000 }, (_, index) => `Agent ${index}x`);
  expect(lookalikesOf([...many, "Agent 7X"]).at(7)).toBe("Agent 7X");
});

import { describe, expect, test } from "vitest";
import { firstCharacters } from "./characters";
import { isFullyVisible, isVisible, shownName, shownText, withoutInvisible } from "./shown";

const isName = (text: string) => shownName().safeParse(text).success;
const point = (hex: string) => String.fromCodePoint(Number.parseInt(hex, 16));

/** At least one character of each general category of Unicode, and whether a name may contain it. */
const CATEGORIES: [category: string, isAllowed: boolean, points: string[]][] = [
  ["Lu", true, ["41", "c9", "410", "1d400"]],
  ["Ll", true, ["61", "df", "3b1"]],
  ["Lt", true, ["1c5"]],
  ["Lm", true, ["2b0", "3005"]],
  ["Lo", true, ["5d0", "627", "6f22"]],
  ["Mn", true, ["301", "93c"]],
  ["Mc", true, ["93e"]],
  ["Me", true, ["20dd"]],
  ["Nd", true, ["30", "660"]],
  ["Nl", true, ["2160"]],
  ["No", true, ["b2"]],
  ["Pc", true, ["5f"]],
  ["Pd", true, ["2d", "2014"]],
  ["Ps", true, ["28"]],
  ["Pe", true, ["29"]],
  ["Pi", true, ["ab"]],
  ["Pf", true, ["bb"]],
  ["Po", true, ["21", "3002"]],
  ["Sm", true, ["2b"]],
  ["Sc", true, ["24", "20ac"]],
  ["Sk", true, ["5e"]],
  ["So", true, ["a9", "1f98a"]],
  ["Zs", true, ["20", "a0", "3000"]],
  ["Zl", false, ["2028"]],
  ["Zp", false, ["2029"]],
  ["Cc", false, ["0", "7", "a", "9", "1b", "7f", "85"]],
  ["Cf: zero width", false, ["200b", "200c", "200d", "2060", "feff", "ad"]],
  [
    "Cf: directions",
    false,
    ["200e", "200f", "61c", "202a", "202b", "202c", "202d", "202e", "2066", "2067", "2068", "2069"],
  ],
  ["Cf: others", false, ["2061", "2064", "206a", "206f", "fff9", "fffb", "1d173", "e0001", "e0020", "e007f"]],
  ["Cf: drawn", true, ["600", "6dd"]],
  [
    "ignorable",
    false,
    ["34f", "115f", "1160", "17b4", "180b", "180e", "3164", "ffa0", "fe00", "fe0f", "e0100", "e01ef", "e0fff"],
  ],
  ["blank", false, ["2800"]],
  ["object", false, ["fffc"]],
  ["Co", false, ["e000", "f8ff", "f0000", "10fffd"]],
  ["Cn", false, ["378", "fffe", "ffff", "fdd0", "1ffff", "10ffff"]],
];

describe("for every class of Unicode characters", () => {
  test.each(
    CATEGORIES.flatMap(([category, isAllowed, points]) => points.map((hex) => [category, hex, isAllowed] as const)),
  )("the validity of %s U+%s in a name is %s", (_, hex, isAllowed) => {
    expect([isName(`a${point(hex)}b`), shownText({ max: 10, error: "" }).safeParse(point(hex)).success]).toEqual([
      isAllowed,
      isAllowed,
    ]);
  });

  test.each(["\ud800", "a\udc00", "\udc00\ud800"])("a lone surrogate is refused", (text) => {
    expect(isName(text)).toBe(false);
  });
});

test.each(["", " ", "\u00a0", "\u3000 ", "\u0301", "\u0301\u0302", "\u1680", "\u2003"])(
  "%j is not accepted as a name, because nothing in it is visible",
  (text) => {
    expect([isVisible(text), isName(text)]).toEqual([false, false]);
  },
);

test.each([
  "Weather bot",
  "Ω",
  "研究エージェント",
  "می‌خواهم",
  "क्‍ष",
  "👩‍💻",
  "👨‍👩‍👧‍👦 family",
  "❤️",
  "🏳️‍🌈",
  "1️⃣",
  "🇨🇭",
  "👍🏽",
  "é̂",
  "a".repeat(100),
  "🦊".repeat(100),
])("%j is accepted as a name", (text) => {
  expect(isName(text)).toBe(true);
});

test.each([
  "Wea\u200dther",
  "Wea\u200cther",
  "\u200d",
  "a\ufe0f",
  "🦊\ufe00",
  "bot\u{e0067}\u{e0062}",
  "👩‍",
  "‍👩",
  "a\u0301\u0302\u0303\u0304\u0305\u0306\u0307",
  "a".repeat(101),
  "two\nlines",
])("%j is not accepted as a name", (text) => {
  expect(isName(text)).toBe(false);
});

test("line ends and tabs are accepted only in texts that may have them", () => {
  expect([isFullyVisible("a\n\tb", true), isFullyVisible("a\n\tb", false), isFullyVisible("a\rb", true)]).toEqual([
    true,
    false,
    false,
  ]);
});

test("text of strangers is displayed without its invisible characters", () => {
  expect(withoutInvisible("a\u200b\u202eb\n\ud800c\u{e0041}")).toBe("ab\n\ufffdc");
  // Invisible characters that a sign needs are kept.
  // Marks that would cover other lines, also once what was between them is gone.
  const marks = (count: number) => `a${"\u0301\u200b".repeat(count)}b`;
  expect(withoutInvisible(`${marks(500)}${marks(6)}`)).toBe(`a${"\u0301".repeat(6)}b`.repeat(2));
  const needed = "Bern \u2600\ufe0f, \u{1f469}\u200d\u{1f680}, \u0645\u06cc\u200c\u062e";
  expect(withoutInvisible(`\ufe0f${needed}\u200d`)).toBe(needed);
});

test("a long text is cut between characters, never within one", () => {
  expect(["a🦊🦊", "a🦊", ""].map((text) => firstCharacters(text, 2))).toEqual(["a🦊", "a🦊", ""]);
});

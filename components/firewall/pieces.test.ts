import { scanPrompt } from "@tessera/firewall";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { piecesOf, REDACTED, replacements } from "./pieces";

const visibleForm = (text: string) => piecesOf(text, []).map(({ text: part, hidden }) => hidden?.label ?? part);

describe("the pieces of a marked text", () => {
  test("join to the original text, for any content and any cuts", () => {
    const span = fc.record({ start: fc.nat(30), end: fc.nat(30) });
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 40 }), fc.array(span, { maxLength: 8 }), (text, spans) => {
        const inside = spans.map(({ start, end }) => ({
          start: Math.min(start, text.length),
          end: Math.min(end, text.length),
        }));
        const pieces = piecesOf(text, inside);
        expect(pieces.map((piece) => piece.text).join("")).toBe(text);
        for (const [index, { start, end }] of inside.entries()) {
          const covered = pieces.filter((piece) => piece.spans.includes(index)).map((piece) => piece.text);
          expect(covered.join("")).toBe(text.slice(start, Math.max(start, end)));
        }
      }),
    );
  });

  test("each list every finding that covers them", () => {
    const pieces = piecesOf("abcdef", [{ start: 0, end: 4 }, undefined, { start: 2, end: 6 }, { start: 3, end: 3 }]);
    expect(pieces.map(({ text, start, spans }) => [text, start, spans])).toEqual([
      ["ab", 0, [0]],
      ["cd", 2, [0, 2]],
      ["ef", 4, [2]],
    ]);
  });

  test.each([
    ["a\u200bb", ["a", "U+200B", "b"]],
    ["a\u200b\u200b\u200bb", ["a", "U+200B × 3", "b"]],
    ["\u202eabc\u202c", ["U+202E", "abc", "U+202C"]],
    ["\u200b\u200c", ["2 hidden characters"]],
    ["\u{e0068}\u{e0069}", ["hi"]],
    ["\u{e0100}\u{e0101}", ["2 variation selectors"]],
    ["a\u0000", ["a", "U+0000"]],
  ])("have their invisible characters made visible: %j", (text, parts) => {
    expect(visibleForm(text)).toEqual(parts);
  });

  test.each(["☀️", "👨\u200d👩\u200d👧", "1️⃣", "a\nb\tc", "naïve – “quoted” ü"])(
    "keep visible characters unchanged: %j",
    (text) => {
      expect(visibleForm(text).join("")).toBe(text);
      expect(piecesOf(text, []).every(({ hidden }) => hidden === null)).toBe(true);
    },
  );
});

describe("the lines of a text with secrets", () => {
  test("are displayed in the original and in the redacted form", () => {
    const phrase = `${"abandon ".repeat(11)}about`;
    const text = `Note\nThe words are:\n${phrase}\nWhat does it hold?\nDB_PASSWORD=tR8!kq02Lm`;
    const { findings, redactedPreview } = scanPrompt({ text });
    const secrets = findings.flatMap(({ code, span }) => (code === "SECRET_PATTERN" && span ? [span] : []));
    const replaced = replacements(text, secrets);
    expect(replaced.map(({ line }) => line)).toEqual([3, 5]);
    const lines = (side: "before" | "after") => replaced.map((one) => one[side].map((part) => part.text).join(""));
    expect(lines("before")).toEqual([phrase, "DB_PASSWORD=tR8!kq02Lm"]);
    const preview = redactedPreview.split("\n");
    expect(lines("after")).toEqual([preview[2], preview[4]]);
  });

  test("may contain several secrets, secrets over several lines, and overlapping ones", () => {
    const text = "a SECRET b SECRET c\nTWO\nLINES d\ne";
    const spans = [
      { start: 20, end: 29 },
      { start: 2, end: 8 },
      { start: 11, end: 15 },
      { start: 13, end: 17 },
    ];
    expect(replacements(text, spans)).toEqual([
      {
        line: 1,
        before: ["a ", "SECRET", " b ", "SECRET", " c"].map((part, index) => ({
          text: part,
          isSecret: index % 2 === 1,
        })),
        after: ["a ", REDACTED, " b ", REDACTED, " c"].map((part, index) => ({
          text: part,
          isSecret: index % 2 === 1,
        })),
      },
      {
        line: 2,
        before: [
          { text: "TWO\nLINES", isSecret: true },
          { text: " d", isSecret: false },
        ],
        after: [
          { text: REDACTED, isSecret: true },
          { text: " d", isSecret: false },
        ],
      },
    ]);
    expect(replacements(text, [])).toEqual([]);
  });
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { clean } from "./unfold.ts";
import { spanOf } from "./view.ts";

/** Characters that are kept, folded, expanded or removed, surrogate pairs and halves, and control sequences. */
const pieces = [
  ..."ab 1.éа示ßﬃ…\u00ad\u200b\u0301\u{1d400}😀\u{e0041}\u001b",
  ...["\ud800", "\udc00", "\u001b[31m", "\u001b[\u{e0041}m"],
];
const texts = fc.array(fc.constantFrom(...pieces), { maxLength: 40 }).map((parts) => parts.join(""));

test("every code unit of a cleaned text maps to its original position, in order", () => {
  fc.assert(
    fc.property(texts, (text) => {
      const { view } = clean(text);
      const spans = Array.from({ length: view.text.length }, (_, i) => spanOf(view, i, i + 1));
      let before = 0;
      for (const [i, { start, end }] of spans.entries()) {
        expect(start).toBeGreaterThanOrEqual(before);
        expect(end).toBeGreaterThan(start);
        expect(end).toBeLessThanOrEqual(text.length);
        const original = text.charCodeAt(start);
        if (original < 128 && original !== 0x1b) expect(view.text.charCodeAt(i)).toBe(original);
        before = start;
      }
      const last = spans.at(-1);
      if (last) expect(spanOf(view, 0, view.text.length)).toEqual({ start: spans[0]?.start, end: last.end });
    }),
    { numRuns: 2000, seed: 1 },
  );
});

test("characters of two code units are counted correctly, also in a control sequence", () => {
  fc.assert(
    fc.property(texts, (text) => {
      const { unseen } = clean(text);
      expect(text.length - unseen.pairs).toBe([...text].length);
    }),
    { numRuns: 2000, seed: 1 },
  );
});

import { encodeHeader as encodeAnywhere } from "@tessera/x402/header";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeHeader, encodeHeader } from "./header";

const base64 = (bytes: string | Uint8Array) => Buffer.from(bytes).toString("base64");

test("an encoded header is decoded to the same value, with any Unicode", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" })), (value) => {
      fc.pre(!["__proto__", "constructor", "prototype"].some((name) => Object.hasOwn(value, name)));
      expect(decodeHeader(encodeHeader(value))).toEqual({ ...value });
      expect(encodeHeader(value)).toBe(encodeAnywhere(value));
    }),
  );
});

describe("a header that is not strict JSON, or too long for a proof,", () => {
  test.each([
    ["of duplicate members", base64('{"a":1,"a":2}')],
    ["of __proto__", base64('{"__proto__":{"isPaid":true}}')],
    ["of brackets 10,000 deep", base64("[".repeat(9_000) + "]".repeat(9_000))],
    ["longer than 24 KB", base64(`{"a":"${"x".repeat(20_000)}"}`)],
    ["a megabyte long", base64(`{"a":"${"x".repeat(1_000_000)}"}`)],
  ])("is rejected quickly: %s", (_, text) => {
    const started = performance.now();
    expect(decodeHeader(text)).toBeUndefined();
    expect(performance.now() - started).toBeLessThan(2_000);
  });

  test("never makes the decoder throw, whatever the text", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.base64String(), fc.json().map(base64)), (text) => {
        expect(() => decodeHeader(text)).not.toThrow();
      }),
    );
  });
});

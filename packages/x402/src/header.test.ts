import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeHeader, encodeHeader } from "./header.ts";

const base64 = (bytes: string | Uint8Array) => Buffer.from(bytes).toString("base64");

test("an encoded header is decoded to the same value, with any Unicode", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" })), (value) => {
      expect(decodeHeader(encodeHeader(value))).toEqual({ ...value });
    }),
  );
});

test("a header is one line of standard, padded base64", () => {
  expect(encodeHeader({ text: "Zahlung für ⚡ ÿþ" })).toMatch(/^[A-Za-z0-9+/]+={0,2}$/);
});

describe("a header that is not strict base64 of JSON in UTF-8", () => {
  test.each([
    ["empty", ""],
    ["JSON without base64", '{"x402Version":1}'],
    ["base64url", base64('{"a":"???>>>~~~"}').replaceAll("+", "-").replaceAll("/", "_")],
    ["without its padding", base64('{"a":1}!'.slice(0, 7)).replace(/=+$/, "")],
    ["with too much padding", `${base64('{"a":12}').replace(/=+$/, "")}===`],
    ["with padding inside", `${base64('{"a":1}')}${base64("{}")}`],
    ["with a line break", `${base64('{"a":1,"b":2,"c":3}').slice(0, 8)}\n${base64('{"a":1,"b":2,"c":3}').slice(8)}`],
    ["with a space", ` ${base64('{"a":1}')}`],
    ["with a data URL before it", `data:application/json;base64,${base64('{"a":1}')}`],
    ["of text with a byte order mark", base64('\ufeff{"a":1}')],
    ["of invalid UTF-8", base64(Uint8Array.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]))],
    ["of an overlong encoding", base64(Uint8Array.from([0x22, 0xc0, 0xaf, 0x22]))],
    ["of UTF-16", base64(Buffer.from('{"a":1}', "utf16le"))],
    ["of broken JSON", base64('{"a":')],
    ["of two values", base64("{}{}")],
    ["of gzip", base64(Uint8Array.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]))],
  ])("is rejected quickly: %s", (_, text) => {
    const started = performance.now();
    expect(decodeHeader(text)).toBeUndefined();
    expect(performance.now() - started).toBeLessThan(2_000);
  });

  test("is rejected if the given parser refuses it", () => {
    const refuse = () => {
      throw new Error("no");
    };
    expect(decodeHeader(base64("{}"))).toEqual({});
    expect(decodeHeader(base64("{}"), refuse)).toBeUndefined();
  });

  test("never makes the decoder throw, whatever the text", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.base64String(), fc.json().map(base64)), (text) => {
        expect(() => decodeHeader(text)).not.toThrow();
      }),
    );
  });
});

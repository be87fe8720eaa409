import { describe, expect, test } from "vitest";
import { afterCheck, isInFile, isInRecords, originOfDomain } from "./rules";

describe("a seller's domain", () => {
  test.each([
    ["shop.example.com", "https://shop.example.com"],
    [" Shop.Example.COM ", "https://shop.example.com"],
    ["bücher.example", "https://xn--bcher-kva.example"],
  ])("is read from %j as %s", (typed, origin) => expect(originOfDomain(typed, false)).toBe(origin));

  test.each([
    ...["", "localhost", "localhost:4000", "shop", "https://shop.example", "shop.example/", "shop.example:443"],
    ...["user@shop.example", "127.0.0.1", "2130706433", "0x7f.1", "[::1]", "a..example", "*.example.com", "shop.local"],
    ...["a b.example", "shop.example?x", "x.internal", "a_b.example.com", `${"a".repeat(64)}.example`],
  ])("is not read from %j", (typed) => expect(originOfDomain(typed, false)).toBeNull());

  test("may be localhost with a port on a devnet", () => {
    expect(originOfDomain("localhost:4000", true)).toBe("http://localhost:4000");
    for (const typed of ["localhost", "localhost:99999", "127.0.0.1:4000"])
      expect(originOfDomain(typed, true)).toBeNull();
  });
});

test("the proof of a domain is exactly the token, in one record or line", () => {
  expect(isInRecords([["v=spf1"], ["tessera-veri", "fication=abc"]], "abc")).toBe(true);
  expect(isInRecords([["tessera-verification=abcd"], ["x tessera-verification=abc"]], "abc")).toBe(false);
  expect(isInFile("\ufeff\r\n", "abc")).toBe(false);
  expect(isInFile("other\r\n tessera-verification=abc \n", "abc")).toBe(true);
  expect(isInFile("<p>tessera-verification=abc</p>", "abc")).toBe(false);
});

describe("a check of a domain", () => {
  const [day, now] = [86_400_000, new Date("2026-11-23T00:00:00Z")];
  const ago = (days: number) => new Date(now.getTime() - days * day);
  const none = { verifiedAt: null, missingSince: null };

  test("verifies the domain, and keeps the time of verification", () => {
    expect(afterCheck(none, true, now)).toEqual({ verifiedAt: now, missingSince: null });
    const old = { verifiedAt: ago(9), missingSince: ago(1) };
    expect(afterCheck(old, true, now)).toEqual({ verifiedAt: ago(9), missingSince: null });
  });

  test("tolerates a missing proof for less than a week", () => {
    expect(afterCheck(none, false, now)).toEqual(none);
    const proved = { verifiedAt: ago(9), missingSince: null };
    expect(afterCheck(proved, false, now)).toEqual({ verifiedAt: ago(9), missingSince: now });
    expect(afterCheck({ ...proved, missingSince: ago(6) }, false, now)).toMatchObject({ verifiedAt: ago(9) });
    expect(afterCheck({ ...proved, missingSince: ago(7) }, false, now)).toEqual(none);
  });
});

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { toUsdc } from "@/lib/core/money";
import { REPEAT_SECONDS, TRIES_MAX } from "./limits";
import {
  failureOf,
  fingerprintOf,
  hasSecret,
  heldBack,
  isPathPattern,
  isPlainPath,
  quote,
  secretsIn,
  waitSecondsAfter,
} from "./rules";

const PRICE = toUsdc(10n);
const path = (text: string, amount: string | null = null) => ({ path: text, amount });
const price = (paths: ReturnType<typeof path>[], asked: string) =>
  quote({ methods: ["GET"], paths }, PRICE, { method: "GET", path: asked });

describe("a path", () => {
  test.each(["/", "/a", "/a/b.c", "/a%20b", "/ETH:USD", "/%C3%A9", "/a,b", "/~x"])("can be bought: %s", (text) => {
    expect(isPlainPath(text)).toBe(true);
  });

  test.each([
    "",
    "a",
    "//",
    "/a/",
    "/a//b",
    "/./a",
    "/..",
    "/%2e%2e/a",
    "/a%2Fb",
    "/a%5cb",
    "/a\\b",
    "/a;b",
    "/a%3Bb",
    "/a%00",
    "/%252e",
    "/%FF",
    "/a b",
  ])("cannot, because servers read it in several ways: %s", (text) => {
    expect(isPlainPath(text)).toBe(false);
  });

  test("of a seller has at most one variable, which is a whole segment", () => {
    expect(["/a/{b}", "/{b}", "/a"].map(isPathPattern)).toEqual([true, true, true]);
    expect(["/{a}/{b}", "/a{b}", "/{}", "{a}", "/a?b=1", "/{a-b}"].map(isPathPattern)).not.toContain(true);
  });
});

describe("the price of a request", () => {
  test("is the link's without a list of paths, and that of its path otherwise", () => {
    expect(price([], "/any/thing")).toEqual({ type: "offered", path: "/{path}", amount: PRICE });
    expect(price([path("/a"), path("/b", "70")], "/b")).toEqual({ type: "offered", path: "/b", amount: 70n });
    expect(price([path("/a"), path("/b", "70")], "/a")).toEqual({ type: "offered", path: "/a", amount: PRICE });
    expect(price([path("/a")], "/c")).toEqual({ type: "path_not_offered" });
    expect(quote({ methods: ["POST"], paths: [] }, PRICE, { method: "GET", path: "/" })).toEqual({
      type: "method_not_offered",
    });
  });

  test("is not that of a cheaper variable for a spelling of a dearer path", () => {
    const paths = [path("/x/{any}", "1"), path("/x/dear", "900"), path("/{any}/dear", "500")];
    const dear = { type: "offered", path: "/x/dear", amount: 900n };
    expect(price(paths, "/x/dear")).toEqual(dear);
    expect(price(paths, "/x/%64ear")).toEqual(dear);
    expect(price(paths, "/x/DEAR")).toEqual({ type: "path_not_offered" });
    expect(price(paths, "/x/cheap")).toEqual({ type: "offered", path: "/x/{any}", amount: 1n });
    const both = [path("/x/{any}", "1"), path("/{any}/y", "500")];
    expect(price(both, "/x/y")).toEqual({ type: "offered", path: "/{any}/y", amount: 500n });
  });
});

test("another path, query, method, body or type is another request; another language is not", () => {
  const request = {
    method: "POST" as const,
    path: "/a",
    search: "",
    headers: { "content-type": "a/b" },
    body: Buffer.from("1"),
  };
  const same = fingerprintOf({ ...request, headers: { ...request.headers, "accept-language": "de" } });
  const others = [
    { ...request, path: "/b" },
    { ...request, search: "?a" },
    { ...request, method: "PUT" as const },
    { ...request, body: Buffer.from("2") },
    { ...request, headers: {} },
  ].map(fingerprintOf);
  expect(same).toBe(fingerprintOf(request));
  expect(new Set([same, ...others]).size).toBe(6);
});

test("errors, redirects and refusals of this service are failures; refusals of the buyer's request are answers", () => {
  const failures = [500, 503, 599, 301, 304, 401, 402, 407, 408, 429, 101].map((status) => failureOf(status, {}));
  expect(failures).toEqual([
    ...Array(3).fill("error"),
    "redirect",
    "redirect",
    ...Array(5).fill("refused_us"),
    "error",
  ]);
  expect([200, 201, 204, 400, 403, 404, 422].map((status) => failureOf(status, {}))).toEqual(Array(7).fill(null));
  expect(failureOf(200, { "content-encoding": "br" })).toBe("encoded");
});

describe("a secret", () => {
  const secrets = secretsIn({
    authorization: 'Bearer a"b/c+0123456789',
    "x-basic": `Basic ${Buffer.from("user:password1").toString("base64")}`,
    "x-version": "2",
  });

  test.each([
    'Bearer a"b/c+0123456789',
    'a"b/c+0123456789',
    'a\\"b/c+0123456789',
    "a%22b%2Fc%2B0123456789",
    "user:password1",
    "password1",
  ])("is found as it is, and as JSON and URLs write it: %s", (text) => {
    expect(hasSecret(Buffer.from(`<${text}>`), secrets)).toBe(true);
  });

  test("of thousands of characters is found by its beginning, however it is written", () => {
    const long = `"${"a".repeat(1_000)}é${"b".repeat(1_000)}`;
    const found = secretsIn({ "x-key": `Basic ${Buffer.from(`user:${long}`).toString("base64")}` });
    expect(Math.max(...found.map(({ length }) => length))).toBe(250);
    for (const text of [long, JSON.stringify(long), encodeURIComponent(long), long.slice(0, 250)])
      expect(hasSecret(Buffer.from(text), found)).toBe(true);
  });

  test("is no short text", () => {
    expect(hasSecret(Buffer.from("2 Bearer Basic user"), secrets)).toBe(false);
  });

  test("is held back from its first byte on", () => {
    const held = (text: string) => heldBack(Buffer.from(text), [Buffer.from("abcabd")]);
    expect(["", "x", "xa", "xabcab", "abcabd", "abcabx", "abcabcab"].map(held)).toEqual([0, 0, 1, 5, 0, 0, 5]);
  });
});

test("a seller's API that checks the payment as the guide does fails when it refuses, and no buyer pays for that", () => {
  const guide = readFileSync("docs/guides/sell.md", "utf8");
  const statuses = [...guide.matchAll(/(?:sendStatus\(|c\.body\(null, |HTTPException\()(\d+)\)/g)].map(
    ([, status]) => status,
  );
  expect(statuses.map((status) => failureOf(Number(status), {}))).toEqual(Array(4).fill("refused_us"));
});

describe("the time until the next try", () => {
  /** Of a buyer who always waits as long as asked, for tries of `trySeconds`: what is left of the hour after the last one. */
  function leftAfterAll(trySeconds: number, askedSeconds: number): number {
    let leftSeconds = REPEAT_SECONDS;
    for (let tries = 1; tries < TRIES_MAX; tries += 1) {
      leftSeconds -= trySeconds;
      leftSeconds -= waitSecondsAfter(tries, { askedSeconds, leftSeconds });
    }
    return leftSeconds;
  }

  test("grows, so that the tries take most of the hour", () => {
    expect([1, 2, 3, 9].map((tries) => waitSecondsAfter(tries, { askedSeconds: 0, leftSeconds: 3_600 }))).toEqual([
      6, 12, 24, 1_536,
    ]);
    expect(leftAfterAll(0, 0)).toBeLessThan(REPEAT_SECONDS / 3);
  });

  test.each([
    [0, 1],
    [120, 0],
    [20, 900],
    [120, 100_000],
  ])("leaves room for all of them (%i s each, the API asks for %i s)", (trySeconds, askedSeconds) =>
    expect(leftAfterAll(trySeconds, askedSeconds)).toBeGreaterThan(0),
  );

  test("is what the API asks for, if that is longer, up to an equal share of the hour", () => {
    expect([1, 60, 9_999].map((askedSeconds) => waitSecondsAfter(1, { askedSeconds, leftSeconds: 3_600 }))).toEqual([
      6, 60, 360,
    ]);
  });
});

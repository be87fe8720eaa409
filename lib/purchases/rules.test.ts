import { describe, expect, test } from "vitest";
import { headersFrom, outcomeOf, redirectOf, wordsFor } from "./rules";

const STATUSES = ["signed", "submitted", "settled", "expired", "cancelled"] as const;
const UNTIL = "2026-11-23T08:00:00.000Z";

describe("the outcome", () => {
  test.each([
    [true, "signed", "delivered"],
    [true, "settled", "delivered"],
    [true, "expired", "delivered"],
    [false, "signed", "unknown"],
    [false, "submitted", "unknown"],
    [false, "settled", "unknown"],
    [false, "expired", "not_paid"],
    [false, "cancelled", "not_paid"],
  ] as const)("of an answer (%s) and a payment that is %s is %s", (hasAnswer, status, outcome) => {
    expect(outcomeOf({ hasAnswer, status })).toBe(outcome);
  });

  test("is never called paid, and money is said not to have moved only if the chain shows it", () => {
    for (const hasAnswer of [true, false]) {
      for (const status of STATUSES) {
        const { message, nextStep } = wordsFor({ hasAnswer, status }, UNTIL);
        if (status !== "expired" && status !== "cancelled") expect(message).not.toMatch(/not paid|no money/i);
        expect(message).not.toMatch(/^paid/i);
        expect(nextStep).not.toBe("");
      }
    }
  });

  test("that is unknown forbids another key until the chain decides", () => {
    const { nextStep } = wordsFor({ hasAnswer: false, status: "signed" }, UNTIL);
    expect(nextStep).toContain("same idempotencyKey");
    expect(nextStep).toContain(UNTIL);
  });
});

describe("a redirect", () => {
  const from = (url: string, method = "GET", isPaying = false) => ({ url: new URL(url), method, isPaying });
  const to = (location: string | undefined, status = 302) => ({ location, status });

  test.each<[string, Parameters<typeof redirectOf>[0], Parameters<typeof redirectOf>[1], string | null]>([
    [
      "of a read to another origin is followed",
      to("https://b.example/x"),
      from("https://a.example"),
      "https://b.example/x",
    ],
    [
      "within the origin is followed with a proof",
      to("/x", 307),
      from("https://a.example", "GET", true),
      "https://a.example/x",
    ],
    [
      "of a proof to another origin is refused",
      to("https://b.example/"),
      from("https://a.example", "GET", true),
      "refused",
    ],
    ["of a POST by 302 is refused", to("/x"), from("https://a.example", "POST"), "refused"],
    [
      "of a POST by 307 within the origin is followed",
      to("/x", 307),
      from("https://a.example", "POST"),
      "https://a.example/x",
    ],
    [
      "of a POST by 307 to another origin is refused",
      to("https://b.example/", 307),
      from("https://a.example", "POST"),
      "refused",
    ],
    ["from https to http is refused", to("http://a.example/"), from("https://a.example"), "refused"],
    ["to another scheme is refused", to("file:///etc/passwd"), from("https://a.example"), "refused"],
    ["with credentials is refused", to("https://u:p@a.example/"), from("https://a.example"), "refused"],
    ["to nowhere is none", to(undefined), from("https://a.example"), null],
    ["with another status is none", to("/x", 200), from("https://a.example"), null],
  ])("%s", (_, reply, asked, expected) => {
    const next = redirectOf(reply, asked);
    expect(next === null || next === "refused" ? next : next.href).toBe(expected);
  });
});

describe("headers", () => {
  test("are kept in lower case", () => {
    expect(headersFrom({ "X-Api-Key": "k", Accept: "text/plain" })).toEqual({
      type: "valid",
      headers: { "x-api-key": "k", accept: "text/plain" },
    });
  });

  test.each(["constructor", "__proto__", "toString", "hasOwnProperty", "valueOf"])("may be named %s", (name) => {
    const given = Object.fromEntries([[name, "x"]]);
    const read = headersFrom(given);
    expect("headers" in read && Object.entries(read.headers)).toEqual([[name.toLowerCase(), "x"]]);
  });

  test.each([
    [{ Host: "x" }, "Host"],
    [{ "payment-signature": "x" }, "payment-signature"],
    [{ "X-PAYMENT": "x" }, "X-PAYMENT"],
    [{ "Proxy-Authorization": "x" }, "Proxy-Authorization"],
    [{ "x-tessera-caller": "127.0.0.1" }, "x-tessera-caller"],
    [{ "a:b": "x" }, "a:b"],
    [{ ok: "line\r\nHost: x" }, "ok"],
    [{ A: "1", a: "2" }, "a"],
    [{ refused: "x", cookie: "y" }, "cookie"],
  ])("%o is refused", (given, name) => {
    expect(headersFrom(given as unknown as Record<string, string>)).toEqual({ type: "refused", name });
  });
});

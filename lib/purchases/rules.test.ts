import { describe, expect, test } from "vitest";
import { headersFrom, outcomeOf, wordsFor } from "./rules";

const STATUSES = ["signed", "submitted", "settled", "expired", "cancelled"] as const;
const UNTIL = "2026-11-23T08:00:00.000Z";

describe("the outcome of a purchase", () => {
  test.each([
    [true, "signed", "delivered"],
    [true, "settled", "delivered"],
    [true, "expired", "delivered"],
    [false, "signed", "unknown"],
    [false, "submitted", "unknown"],
    [false, "settled", "unknown"],
    [false, "expired", "not_paid"],
    [false, "cancelled", "not_paid"],
  ] as const)("with a stored response (%s) and a payment that is %s is %s", (hasAnswer, status, outcome) => {
    expect(outcomeOf({ hasAnswer, status })).toBe(outcome);
  });

  test("is never called paid, and says that no money moved only if the chain shows it", () => {
    for (const hasAnswer of [true, false]) {
      for (const status of STATUSES) {
        const { message, nextStep } = wordsFor({ hasAnswer, status }, UNTIL);
        if (status !== "expired" && status !== "cancelled") expect(message).not.toMatch(/not paid|no money/i);
        expect(message).not.toMatch(/^paid/i);
        expect(nextStep).not.toBe("");
      }
    }
  });

  test("that is unknown forbids another idempotency key until the chain decides", () => {
    const { nextStep } = wordsFor({ hasAnswer: false, status: "signed" }, UNTIL);
    expect(nextStep).toContain("same idempotencyKey");
    expect(nextStep).toContain(UNTIL);
  });
});

describe("the headers of a purchase", () => {
  test("are stored in lower case", () => {
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
  ])("may not be %o", (given, name) => {
    expect(headersFrom(given as unknown as Record<string, string>)).toEqual({ type: "refused", name });
  });
});

import { describe, expect, test } from "vitest";
import { payment as de } from "@/components/texts/de/payment";
import { payment as en } from "@/components/texts/en/payment";
import type { Words } from "@/components/texts/template";
import { toUsdc } from "@/lib/core/usdc";
import { draftOf, fieldText, type Options, readAmount, readOrder, retyped } from "./order";

const ENGLISH: Words<typeof en.order> = { language: "en", texts: en.order };

const PRICE = toUsdc(5_000_000n);
const OPTIONS: Options = {
  range: { min: "1000000", max: "50000000", presets: [] },
  maxQuantity: null,
  fields: [{ name: "email", label: "E-mail", isRequired: true }],
};
const draft = draftOf(PRICE, OPTIONS, { amount: "7000000" });

test("the chosen amount is displayed as the total, also while an answer is missing", () => {
  expect(readOrder(PRICE, OPTIONS, draft, ENGLISH)).toEqual({
    type: "invalid",
    faults: { email: "The seller needs this." },
    amount: 7_000_000n,
  });
  expect(readOrder(PRICE, OPTIONS, { ...draft, answers: { email: "a@b.example" } }, ENGLISH)).toEqual({
    type: "valid",
    amount: 7_000_000n,
    query: "?amount=7000000&email=a%40b.example",
  });
});

test.each(["0.99", "50.01", "ten", ""])("the amount %j has no total", (amount) => {
  expect(readOrder(PRICE, OPTIONS, { ...draft, amount }, ENGLISH)).toMatchObject({
    faults: { amount: expect.any(String) },
    amount: null,
  });
});

test("a quantity multiplies the price", () => {
  const many = { ...OPTIONS, range: null, maxQuantity: 3, fields: [] };
  expect(readOrder(PRICE, many, { ...draft, quantity: "3" }, ENGLISH)).toEqual({
    type: "valid",
    amount: 15_000_000n,
    query: "?quantity=3",
  });
  expect(readOrder(PRICE, many, { ...draft, quantity: "4" }, ENGLISH)).toMatchObject({ type: "invalid", amount: null });
});

test("a German buyer reads errors in German, with German numbers", () => {
  const german: Words<typeof en.order> = { language: "de", texts: de.order };
  const typed = { ...draft, amount: "99,5", answers: { email: "x".repeat(2_000) } };
  expect(readOrder(PRICE, OPTIONS, typed, german)).toMatchObject({
    faults: {
      amount: "Geben Sie einen Betrag von 1,00 bis 50,00\u00a0USDC ein.",
      email: expect.stringMatching(/^Kürzen Sie den Text um [\d.]+ Zeichen\.$/),
    },
  });
  expect(readOrder(PRICE, OPTIONS, { ...typed, amount: "7,25", answers: { email: "a" } }, german)).toEqual({
    type: "valid",
    amount: 7_250_000n,
    query: "?amount=7250000&email=a",
  });
});

test("a field may be named like a property of every object", () => {
  const asking = { ...OPTIONS, range: null, fields: [{ name: "constructor", label: "Builder", isRequired: true }] };
  const empty = draftOf(PRICE, asking, {});
  expect(empty.answers.constructor).toBe("");
  expect(readOrder(PRICE, asking, { ...empty, answers: {} }, ENGLISH)).toMatchObject({
    faults: { constructor: "The seller needs this." },
  });
  const told = draftOf(PRICE, asking, { constructor: "Ann" });
  expect(readOrder(PRICE, asking, told, ENGLISH)).toMatchObject({ amount: PRICE, query: "?constructor=Ann" });
});

describe("an amount typed in German", () => {
  test.each([
    ["7", 7_000_000n],
    [" 7,25 ", 7_250_000n],
    ["7.25", 7_250_000n],
    ["7.5", 7_500_000n],
    ["1.234,5", 1_234_500_000n],
    ["1.234.567", 1_234_567_000_000n],
    ["1.2345", 1_234_500n],
    [",5", 500_000n],
  ])("%s is unambiguous", (typed, amount) => expect(readAmount(typed, "de")).toBe(amount));

  test.each(["1.234", "1,234.5", "1,2,3", "1.23,4", "12.34.567", ",", "7,", "", "-1", "1e3", "0,0000001"])(
    "%j is refused",
    (typed) => expect(readAmount(typed, "de")).toBeNull(),
  );

  test("stays the same amount when the page switches to English and back", () => {
    const amount = toUsdc(12_500_000n);
    expect(fieldText(amount, "de")).toBe("12,50");
    expect(retyped("12,5", "de", "en")).toBe("12.50");
    expect(retyped("12.5", "en", "de")).toBe("12,50");
    expect(retyped("1.234", "de", "en")).toBe("1.234");
    expect(readAmount("12,5", "en")).toBeNull();
  });
});

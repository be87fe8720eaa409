import { expect, test } from "vitest";
import { toUsdc } from "@/lib/core/usdc";
import { draftOf, type Options, readOrder } from "./order";

const PRICE = toUsdc(5_000_000n);
const OPTIONS: Options = {
  range: { min: "1000000", max: "50000000", presets: [] },
  maxQuantity: null,
  fields: [{ name: "email", label: "E-mail", isRequired: true }],
};
const draft = draftOf(PRICE, OPTIONS, { amount: "7000000" });

test("a chosen amount is the sum, also while an answer is missing", () => {
  expect(readOrder(PRICE, OPTIONS, draft)).toEqual({
    faults: { email: "The seller needs this." },
    amount: 7_000_000n,
  });
  expect(readOrder(PRICE, OPTIONS, { ...draft, answers: { email: "a@b.example" } })).toEqual({
    amount: 7_000_000n,
    query: "?amount=7000000&email=a%40b.example",
  });
});

test.each(["0.99", "50.01", "ten", ""])("the amount %j is no sum", (amount) => {
  expect(readOrder(PRICE, OPTIONS, { ...draft, amount })).toMatchObject({
    faults: { amount: expect.any(String) },
    amount: null,
  });
});

test("a quantity multiplies the price", () => {
  const many = { ...OPTIONS, range: null, maxQuantity: 3, fields: [] };
  expect(readOrder(PRICE, many, { ...draft, quantity: "3" })).toEqual({ amount: 15_000_000n, query: "?quantity=3" });
  expect(readOrder(PRICE, many, { ...draft, quantity: "4" })).toMatchObject({ amount: null });
});

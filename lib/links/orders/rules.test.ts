import { describe, expect, test } from "vitest";
import { toUsdc } from "@/lib/core/money";
import { type Orderable, readOrder } from "./rules";

const plain: Orderable = { amount: toUsdc(500n), minAmount: null, maxAmount: null, maxQuantity: null, fields: null };
const ranged = { ...plain, minAmount: toUsdc(100n), maxAmount: toUsdc(900n) };
const counted = { ...plain, maxQuantity: 3 };
const asking = {
  ...plain,
  fields: [
    { name: "email", label: "E-mail", isRequired: true },
    { name: "note", label: "Note", isRequired: false },
  ],
};

describe("an order at a payment link", () => {
  test.each<[string, Orderable, Record<string, unknown>, object]>([
    [
      "ignores what the link does not offer",
      plain,
      { amount: "1", quantity: "9", email: "a" },
      { amount: 500n, query: "" },
    ],
    ["has the link's amount without a choice", ranged, {}, { amount: 500n, query: "" }],
    ["has the lowest amount", ranged, { amount: "100" }, { amount: 100n, query: "?amount=100" }],
    ["has the highest amount", ranged, { amount: "900" }, { amount: 900n, query: "?amount=900" }],
    ["is one", counted, {}, { amount: 500n, quantity: 1, query: "" }],
    ["is several", counted, { quantity: "3" }, { amount: 1500n, quantity: 3, query: "?quantity=3" }],
    [
      "has answers, which receipts do not show",
      asking,
      { email: "a b&c", note: "" },
      {
        answers: [{ name: "email", label: "E-mail", value: "a b&c" }],
        query: "?email=a+b%26c",
        publicQuery: "",
      },
    ],
  ])("%s", (_, link, query, order) => expect(readOrder(link, query)).toMatchObject({ type: "order", order }));

  test("does not depend on the order of the parameters", () => {
    const one = readOrder({ ...ranged, fields: asking.fields }, { note: "n", email: "e", amount: "200" });
    const other = readOrder({ ...ranged, fields: asking.fields }, { amount: "200", email: "e", note: "n" });
    expect(one).toEqual(other);
    expect(one).toMatchObject({ order: { query: "?amount=200&email=e&note=n", publicQuery: "?amount=200" } });
  });

  test.each<[unknown]>([
    ["99"],
    ["901"],
    ["0"],
    ["-200"],
    ["0200"],
    ["2e2"],
    [" 200"],
    [""],
    [["200", "300"]],
    ["9".repeat(78)],
  ])("cannot have the amount %j", (amount) =>
    expect(readOrder(ranged, { amount })).toEqual({ type: "amount_not_offered" }),
  );

  test.each<[unknown]>([["0"], ["4"], ["1.5"], ["01"], [""], [["1", "1"]], ["9".repeat(78)]])(
    "cannot have the quantity %j",
    (quantity) => expect(readOrder(counted, { quantity })).toEqual({ type: "quantity_not_offered" }),
  );

  test.each<[unknown]>([[undefined], [""], [" "], ["a\nb"], ["\u202e"], ["\ud800"], ["x".repeat(201)], [["a", "b"]]])(
    "cannot have the answer %j",
    (email) => expect(readOrder(asking, { email })).toMatchObject({ type: "field_invalid", field: { name: "email" } }),
  );

  test("always fits into a URL", () => {
    const fields = [0, 1, 2].map((index) => ({ name: `f${index}`, label: "Field", isRequired: true }));
    const orderWithAnswers = (value: string) => readOrder({ ...plain, fields }, { f0: value, f1: value, f2: value });
    expect(orderWithAnswers("x".repeat(200))).toMatchObject({ type: "order" });
    expect(orderWithAnswers("字".repeat(200))).toMatchObject({ type: "field_invalid" });
  });
});

import { expect, test } from "vitest";
import { adjusted, type Draft } from "./adjusted";

const ONE = `0x${"1".repeat(40)}`;
const TWO = `0x${"A".repeat(40)}`;
const DRAFT: Draft = { isInParts: false, amount: "", seconds: "86400", payees: "" };

test("a vault without parts and payees releases everything at once, to anybody", () => {
  expect(adjusted(DRAFT)).toEqual({ type: "valid", change: { release: null, payees: null } });
});

test("a vault with parts and payees has both in its terms", () => {
  expect(adjusted({ ...DRAFT, isInParts: true, amount: "5", payees: ` ${ONE}\n${TWO},\n` })).toEqual({
    type: "valid",
    change: { release: { amount: 5_000_000n, seconds: 86_400 }, payees: [ONE, TWO] },
  });
});

test.each([
  ["amount", { isInParts: true, amount: "0" }],
  ["amount", { isInParts: true, amount: "x" }],
  ["payees", { payees: "0x12" }],
  ["payees", { payees: `${TWO} ${TWO.toLowerCase()}` }],
])("an invalid value of %s is reported at its field: %o", (field, change) => {
  expect(adjusted({ ...DRAFT, ...change })).toMatchObject({ type: "invalid", fault: { field } });
});

import { expect, test } from "vitest";
import { formatUsdc, parseUsdc } from "./money.ts";

test.each([
  ["0", "0.00"],
  ["1", "0.000001"],
  ["10", "0.00001"],
  ["250000", "0.25"],
  ["1000000", "1.00"],
  ["12500000", "12.50"],
  ["1234567", "1.234567"],
  ["900719925474099312345678", "900719925474099312.345678"],
])("%s atomic units are %s USDC, and the reverse", (atomic, text) => {
  expect([formatUsdc(atomic), parseUsdc(text)]).toEqual([text, atomic]);
});

test.each([
  ["5", "5000000"],
  [" 0.1 ", "100000"],
  ["007", "7000000"],
])("the amount %j is parsed", (text, atomic) => expect(parseUsdc(text)).toBe(atomic));

test.each(["", ".", ".5", "5.", "1,5", "-1", "+1", "1e3", "0x1", "1.1234567", "١", "NaN"])(
  "the amount %j is refused",
  (text) => {
    expect(() => parseUsdc(text)).toThrow(RangeError);
  },
);
test.each(["", "-1", "1.5", "1e3", "abc"])("the amount %j is not formatted", (text) =>
  expect(() => formatUsdc(text)).toThrow(RangeError),
);

import { expect, test } from "vitest";
import { parseUsdc } from "@/lib/core/usdc";
import { usdcFault } from "./usdc-fault";

test.each([
  ["1,5", "Use a point for decimals, and no comma: 12.50."],
  ["1,000.50", "Use a point for decimals, and no comma: 12.50."],
  ["$5", "Leave out “$”: enter only the number."],
  ["5 €", "Leave out “€”: enter only the number."],
  ["12.50 USDC", "Leave out “USDC”: enter only the number."],
  ["1 000", "Leave out the spaces: 1000, not 1 000."],
  ["1\u00a0000", "Leave out the spaces: 1000, not 1 000."],
  ["-1", "Leave out the sign: an amount is above zero."],
  ["0.0000001", "Use at most six decimals."],
  ["1e3", "Enter an amount above zero, for example, 12.50."],
  ["five", "Enter an amount above zero, for example, 12.50."],
  ["0", "Enter an amount above zero, for example, 12.50."],
  ["", "Enter an amount above zero, for example, 12.50."],
])("the amount %j is refused with its reason", (typed, fault) => {
  expect(parseUsdc(typed)).toBeNull();
  expect(usdcFault(typed)).toBe(fault);
});

import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { BudgetBar } from "./budget-bar";

const words = (props: Parameters<typeof BudgetBar>[0]) =>
  renderToStaticMarkup(createElement(BudgetBar, props)).replace(/<[^>]*>/g, "");

test("a budget says what is left, and nothing less than nothing once more is used than it allows", () => {
  expect(words({ spent: 1_500_000n, pending: 500_000n, limit: 20_000_000n })).toBe(
    "1.50 spent, 0.50 pending18.00 left of 20.00 USDC",
  );
  expect(words({ spent: 30_000_000n, pending: 0n, limit: 20_000_000n, verb: "used" })).toBe(
    "30.00 used0.00 left of 20.00 USDC",
  );
});

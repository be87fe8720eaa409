import { describe, expect, test } from "vitest";
import { AppError } from "@/lib/core/errors";
import { requestedAmount } from "./rules";

const codeOf = (query: { amount?: unknown; asset?: unknown }): string | null => {
  try {
    requestedAmount(query);
    return null;
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
};

describe("the query of a UPL", () => {
  test("has an amount of USDC", () => {
    expect(requestedAmount({ amount: "1000000", asset: "usdc" })).toBe(1_000_000n);
    expect(requestedAmount({ amount: (2n ** 256n - 1n).toString(), asset: "USDC" })).toBe(2n ** 256n - 1n);
  });

  test.each([
    [{}, "MISSING_AMOUNT"],
    [{ asset: "usdc" }, "MISSING_AMOUNT"],
    [{ amount: "", asset: "usdc" }, "MISSING_AMOUNT"],
    [{ amount: "1" }, "MISSING_ASSET"],
    [{ amount: "1", asset: "" }, "MISSING_ASSET"],
    [{ amount: "x" }, "MISSING_ASSET"],
    [{ amount: "1", asset: "eth" }, "UNSUPPORTED_ASSET"],
    [{ amount: "1", asset: "Usdc" }, "UNSUPPORTED_ASSET"],
    [{ amount: "1", asset: " usdc" }, "UNSUPPORTED_ASSET"],
    [{ amount: "1", asset: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913" }, "UNSUPPORTED_ASSET"],
    [{ amount: "1", asset: ["usdc", "usdc"] }, "UNSUPPORTED_ASSET"],
    [{ amount: ["1", "1"], asset: "usdc" }, "INVALID_AMOUNT"],
    [{ amount: ["1"], asset: "usdc" }, "INVALID_AMOUNT"],
  ])("%j is refused with %s", (query, code) => {
    expect(codeOf(query)).toBe(code);
  });

  test.each([
    "0",
    "-1",
    "+1",
    "01",
    "1e6",
    "1.0",
    " 1",
    "1 ",
    "１",
    "١",
    "0x1",
    "NaN",
    (2n ** 256n).toString(),
    "9".repeat(10_000),
  ])("with amount=%j is refused with INVALID_AMOUNT", (amount) => {
    expect(codeOf({ amount, asset: "usdc" })).toBe("INVALID_AMOUNT");
  });
});

import { encodeAbiParameters } from "viem";
import { describe, expect, test } from "vitest";
import { costOf, decimalsIn, isAccepted, outcomeOf, sendableOf, symbolIn } from "./rules";

const change = (before: bigint | null, after: bigint | null) => ({ before, after });
const answer = (type: string, value: unknown) => ({
  ok: true as const,
  data: encodeAbiParameters([{ type }], [value]),
});

describe("the outcome of a mined transaction", () => {
  test.each([
    ["ETH", true, "ether", "arrived", 10n],
    ["a reverted transfer", false, "ether", "failed", null],
    ["a token's transfer", true, { from: change(10n, 0n), to: change(1n, 11n) }, "arrived", 10n],
    ["a token that keeps a fee", true, { from: change(10n, 0n), to: change(1n, 9n) }, "arrived", 8n],
    ["a token that moved nothing", true, { from: change(10n, 10n), to: change(1n, 1n) }, "unclear", null],
    // Somebody else sent the owner some in the same block.
    ["a rise without a loss", true, { from: change(10n, 10n), to: change(1n, 11n) }, "unclear", null],
    ["a loss without a rise", true, { from: change(10n, 0n), to: change(1n, 1n) }, "unclear", null],
    ["balances that nobody has", true, { from: change(null, 0n), to: change(1n, 11n) }, "unclear", null],
  ] as const)("%s", (_, isSuccess, balances, state, received) => {
    expect(outcomeOf(isSuccess, 10n, balances)).toEqual({ state, received });
  });
});

test("what can be sent is what is left after the highest cost", () => {
  const cost = costOf(21_000n, 10n);
  expect([sendableOf(cost, cost), sendableOf(cost + 1n, cost), sendableOf(0n, cost)]).toEqual([0n, 1n, 0n]);
});

test("an answer of any form is read without an error", () => {
  const forms = [
    { ok: false as const, reason: "x" },
    { ok: true as const, data: "0x" as const },
    answer("uint256", 2n ** 255n),
  ];
  for (const form of forms) expect([symbolIn(form), decimalsIn(form)]).toEqual([null, null]);
  expect(symbolIn(answer("string", " \u200bA\nB "))).toBe("A B");
  expect([decimalsIn(answer("uint8", 6)), decimalsIn(answer("uint8", 77))]).toEqual([6, null]);
});

test("a transfer is accepted if it answers true or nothing", () => {
  expect(isAccepted({ ok: true, data: "0x" })).toBe(true);
  expect(isAccepted(answer("bool", true))).toBe(true);
  expect(isAccepted(answer("bool", false))).toBe(false);
  expect(isAccepted(answer("uint256", 2n))).toBe(false);
  expect(isAccepted({ ok: false, reason: "" })).toBe(false);
});

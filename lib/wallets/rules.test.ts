import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toUsdc, ZERO } from "@/lib/core/money";
import { withdrawal } from "./rules";

describe("a withdrawal", () => {
  const atomic = fc.bigInt({ min: 1n, max: 2n ** 96n }).map(toUsdc);

  test("takes the whole balance when no amount is named", () => {
    fc.assert(
      fc.property(atomic, (balance) => {
        expect(withdrawal(balance, undefined)).toEqual({ type: "payable", amount: balance });
      }),
    );
  });

  test("is exactly the requested amount or refused, and never more than the balance", () => {
    fc.assert(
      fc.property(atomic, atomic, (balance, requested) => {
        const refusal = { type: "refused", code: "insufficient_balance" };
        const expected = requested > balance ? refusal : { type: "payable", amount: requested };
        expect(withdrawal(balance, requested)).toEqual(expected);
      }),
    );
  });

  test("from an empty wallet is refused for every amount", () => {
    const refusal = { type: "refused", code: "nothing_to_withdraw" };
    expect(withdrawal(ZERO, undefined)).toEqual(refusal);
    expect(withdrawal(ZERO, toUsdc(1n))).toEqual(refusal);
  });
});

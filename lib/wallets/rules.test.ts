import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toUsdc, ZERO } from "@/lib/core/money";
import { withdrawal } from "./rules";

describe("a withdrawal", () => {
  const atomic = fc.bigInt({ min: 1n, max: 2n ** 96n }).map(toUsdc);

  const refusal = { type: "refused", code: "insufficient_balance" };

  test("takes all that is not under way when no amount is named", () => {
    fc.assert(
      fc.property(atomic, atomic, (underWay, rest) => {
        const balance = toUsdc(underWay + rest);
        const expected = rest === ZERO ? refusal : { type: "payable", amount: rest };
        fc.pre(balance > ZERO);
        expect(withdrawal({ balance, underWay }, undefined)).toEqual(expected);
      }),
    );
  });

  test("is exactly the requested amount or refused, and never more than the balance beside what is under way", () => {
    fc.assert(
      fc.property(atomic, atomic, atomic, (balance, underWay, requested) => {
        fc.pre(balance > ZERO);
        const expected = underWay + requested > balance ? refusal : { type: "payable", amount: requested };
        expect(withdrawal({ balance, underWay }, requested)).toEqual(underWay >= balance ? refusal : expected);
      }),
    );
  });

  test("from an empty wallet is refused for every amount", () => {
    const empty = { balance: ZERO, underWay: ZERO };
    for (const requested of [undefined, toUsdc(1n)])
      expect(withdrawal(empty, requested)).toEqual({ type: "refused", code: "nothing_to_withdraw" });
  });
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toAddress } from "@/lib/core/address";
import { toUsdc, ZERO } from "@/lib/core/money";
import { unixSeconds } from "@/lib/core/time";
import type { Authorization } from "@/lib/x402/authorization";
import { depositRefusal, validity, withdrawal } from "./rules";

const NOW = new Date("2026-11-20T12:00:00.900Z");
const SECONDS = BigInt(unixSeconds(NOW));
const OWNER = toAddress(`0x${"aa".repeat(20)}`);
const WALLET = toAddress(`0x${"bb".repeat(20)}`);
const OTHER = toAddress(`0x${"cc".repeat(20)}`);

const authorization: Authorization = {
  from: OWNER,
  to: WALLET,
  value: toUsdc(1n),
  ...validity(NOW, 60),
  nonce: `0x${"00".repeat(32)}`,
};

describe("a deposit", () => {
  test.each([
    ["is fine from the owner to their wallet", {}, null],
    ["comes from the owner alone", { from: OTHER }, "wrong_payer"],
    ["goes to the owner's wallet alone", { to: OTHER }, "wrong_payee"],
    ["does not go back to the owner", { to: OWNER }, "wrong_payee"],
    ["is refused in the second it expires", { validBefore: SECONDS }, "authorization_expired"],
    ["is good in the second before", { validBefore: SECONDS + 1n }, null],
    ["is refused in the second named by validAfter", { validAfter: SECONDS }, "authorization_not_yet_valid"],
    ["is good in the second after", { validAfter: SECONDS - 1n }, null],
  ] as const)("%s", (_, change, refusal) => {
    expect(depositRefusal({ ...authorization, ...change }, OWNER, WALLET, NOW)).toBe(refusal);
  });
});

describe("a withdrawal", () => {
  const atomic = fc.bigInt({ min: 1n, max: 2n ** 96n }).map(toUsdc);

  test("takes everything when no amount is named", () => {
    fc.assert(
      fc.property(atomic, (balance) => {
        expect(withdrawal(balance, undefined)).toEqual({ amount: balance });
      }),
    );
  });

  test("is exactly the requested amount or refused, and never more than the balance", () => {
    fc.assert(
      fc.property(atomic, atomic, (balance, requested) => {
        const expected = requested > balance ? { refusal: "insufficient_balance" } : { amount: requested };
        expect(withdrawal(balance, requested)).toEqual(expected);
      }),
    );
  });

  test("from an empty wallet is refused for every amount", () => {
    expect(withdrawal(ZERO, undefined)).toEqual({ refusal: "nothing_to_withdraw" });
    expect(withdrawal(ZERO, toUsdc(1n))).toEqual({ refusal: "nothing_to_withdraw" });
  });
});

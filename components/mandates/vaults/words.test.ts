import { describe, expect, test } from "vitest";
import { type LossFacts, lossesOf, periodText, releaseText, shownState, uncountedIn } from "./words";

const FACTS: LossFacts = {
  limit: 25_000_000n,
  amount: 25_000_000n,
  release: null,
  payees: null,
  hasAgentKey: false,
  walletBalance: 12_000_000n,
};
const most = (place: Parameters<typeof lossesOf>[0], change: Partial<LossFacts>, cause: RegExp) =>
  lossesOf(place, { ...FACTS, ...change }).find((loss) => cause.test(loss.cause))?.most;

test("a period is displayed in its largest whole unit", () => {
  expect([1, 60, 90, 3_600, 43_200, 86_400, 604_800, 2_592_000].map(periodText)).toEqual([
    "second",
    "minute",
    "90 seconds",
    "hour",
    "12 hours",
    "day",
    "week",
    "30 days",
  ]);
  expect(releaseText({ amount: 5_000_000n, seconds: 86_400 })).toBe("5.00 USDC every day");
});

test("what was paid after the vault was read is not counted in it yet", () => {
  expect(uncountedIn({ spent: 1_000_000n }, 3_000_000n)).toBe(2_000_000n);
  // The contract also counts what went back to the owner.
  expect(uncountedIn({ spent: 9_000_000n }, 3_000_000n)).toBe(0n);
});

test("the vault of an ended mandate is displayed as closing before the chain is read again", () => {
  expect(shownState("expired", "open")).toBe("closing");
  expect(shownState("expired", "closed")).toBe("closed");
  expect(shownState("signed", "open")).toBe("open");
});

describe("the displayed maximum loss of an owner", () => {
  test("with a stolen token is the same, wherever the money is", () => {
    expect(most("wallet", {}, /token/)).toBe("Up to 25.00 USDC, within these limits.");
    expect(most("vault_permit", {}, /token/)).toBe("Up to 25.00 USDC, within these limits.");
    expect(most("vault_now", { amount: 10_000_000n }, /token/)).toBe("Up to 10.00 USDC, within these limits.");
  });

  test("with a stolen server is the whole spending wallet, but only this mandate's vault", () => {
    expect(most("wallet", {}, /server/)).toMatch(/^Everything in your spending wallet, 12\.00 USDC now/);
    expect(most("wallet", { walletBalance: null }, /server/)).toMatch(/^Everything in your spending wallet, whatever/);
    expect(most("vault_now", {}, /server/)).toMatch(/^Up to 25\.00 USDC of this mandate, until/);
  });

  test("with a stolen server is the released amount, paid to the listed payees", () => {
    const release = { amount: 5_000_000n, seconds: 86_400 };
    expect(most("vault_permit", { release, payees: 2 }, /server/)).toBe(
      "What is released by then, 5.00 USDC every day, up to 25.00 USDC of this mandate, to the 2 addresses you name, until it ends or you take it back. Nothing else.",
    );
  });

  test("with a stolen server is nothing if the agent signs too", () => {
    expect(most("vault_now", { hasAgentKey: true }, /server/)).toMatch(/^Nothing/);
    expect(most("vault_now", { hasAgentKey: true }, /token/)).toMatch(/^Nothing without its key/);
  });

  test("if the service disappears is one pending payment, where the vault may have a pocket", () => {
    expect(most("vault_now", {}, /disappear/)).toMatch(/^A payment that is on its way/);
    expect(most("vault_now", { payees: 1 }, /disappear/)).toMatch(/^Nothing/);
    expect(most("vault_now", { hasAgentKey: true }, /disappear/)).toMatch(/^Nothing/);
  });
});

import { expect, test } from "vitest";
import { toUsdc, ZERO } from "@/lib/core/money";
import { afterReading, type Reading } from "./rules";

const EMPTY: Reading = {
  ...{ isDeployed: true, isRevoked: true, isFundingUsed: true },
  ...{ funded: toUsdc(5n), balance: ZERO, spent: toUsdc(5n), allowance: ZERO, pocketBalance: ZERO },
};

type Known = Parameters<typeof afterReading>[0];
// Only these members of a vault and a mandate are read.
const known = (change: Partial<Known> = {}): Known => ({
  vault: { state: "open", failure: null, terms: { end: 100 } } as Known["vault"],
  mandate: { state: "signed", limitAmount: toUsdc(5n), spentAmount: ZERO, pendingAmount: ZERO } as Known["mandate"],
  ...{ live: [], opening: null, canOpen: false, isPocketIdle: true },
  ...change,
});
const after = (change: Partial<Known>, reading: Partial<Reading> = {}) =>
  afterReading(known(change), { ...EMPTY, ...reading }, { number: 9n, seconds: 50 });

test("a vault that is revoked and empty is closed by the reading that shows it", () => {
  expect(after({})).toEqual({ state: "closed", failure: null, wants: [] });
});

test.each<[string, Partial<Known>, Partial<Reading>, string[]]>([
  ["has money", {}, { balance: toUsdc(1n) }, ["withdraw"]],
  ["has money in its pocket", {}, { pocketBalance: toUsdc(1n) }, ["empty_pocket"]],
  ["has an operation under way", { live: [{ kind: "withdraw" }] }, {}, []],
  ["can still be funded by its owner's signature", { canOpen: true }, {}, []],
])("a revoked vault is closing while it %s", (_, change, reading, wants) => {
  expect(after(change, reading)).toEqual({ state: "closing", failure: null, wants });
});

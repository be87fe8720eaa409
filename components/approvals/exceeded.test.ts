import { expect, test } from "vitest";
import { toUsdc } from "@/lib/core/usdc";
import type { SpendingCapView } from "@/lib/mandates/caps/contract";
import { exceededTogether } from "./exceeded";

const AGENT = "00000000-0000-4000-8000-000000000001" as const;
const windowOf = (remaining: bigint) => ({
  cap: toUsdc(100n),
  usedAmount: toUsdc(100n - remaining),
  remainingAmount: toUsdc(remaining),
});
const item = (amount: bigint, id: string | null = AGENT) => ({
  network: "base" as const,
  agent: id === null ? null : { id, name: "Scout" },
  amount: toUsdc(amount),
});
const cap = (terms: Partial<SpendingCapView>): SpendingCapView => ({
  network: "base",
  agentId: null,
  last24Hours: null,
  last30Days: null,
  waitingMax: 0,
  ...terms,
});

test("payments that fit one by one exceed a cap together, in each of its windows", () => {
  const caps = [cap({ last24Hours: windowOf(10n), last30Days: windowOf(15n), waitingMax: 1 })];
  expect(exceededTogether([item(10n)], caps)).toEqual([]);
  expect(exceededTogether([item(10n), item(4n, "another")], caps)).toMatchObject([
    { network: "base", agent: null, window: "24_hours", amount: 14n, remainingAmount: 10n, outcome: "paid" },
  ]);
  expect(exceededTogether([item(10n), item(6n)], caps).map(({ window }) => window)).toEqual(["24_hours", "30_days"]);
});

test("a cap counts its agent's payments on its network, and none that the owner makes", () => {
  const caps = [cap({ agentId: AGENT as SpendingCapView["agentId"], last24Hours: windowOf(10n) })];
  const other = { ...item(50n), network: "base-sepolia" as const };
  expect(exceededTogether([item(10n), item(50n, "another"), item(50n, null), other], caps)).toEqual([]);
  expect(exceededTogether([item(11n)], caps)).toMatchObject([
    { agent: { name: "Scout" }, amount: 11n, outcome: "refused" },
  ]);
});

test("a cap that lets payments wait does not promise that they are paid while another one refuses them", () => {
  const lenient = cap({ last24Hours: windowOf(10n), waitingMax: 1 });
  const strict = cap({ agentId: AGENT as SpendingCapView["agentId"], last24Hours: windowOf(5n) });
  const outcomes = (...caps: SpendingCapView[]) =>
    exceededTogether([item(11n), item(3n, "another")], caps).map(({ outcome }) => outcome);
  expect(outcomes(lenient, strict)).toEqual(["other_refuses", "refused"]);
  expect(outcomes(lenient, { ...strict, last24Hours: windowOf(11n) })).toEqual(["paid"]);
  const ofAnother = { ...lenient, agentId: "another" as SpendingCapView["agentId"], last24Hours: windowOf(2n) };
  expect(outcomes(ofAnother, strict)).toEqual(["paid", "refused"]);
  expect(outcomes({ ...lenient, network: "base-sepolia", last24Hours: windowOf(0n) }, strict)).toEqual(["refused"]);
});

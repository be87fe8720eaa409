import { afterAll, beforeAll, expect, test } from "vitest";
import { AppError } from "@/lib/core/errors";
import type { System } from "@/lib/platform/context";
import { type Claim, type Settlement, settle } from "@/lib/settlements/service";
import { claimFrom, freshAddress, openSystem } from "../support/system";
import { createWorld, type World } from "../support/world";

let world: World;
let testSystem: ReturnType<typeof openSystem>;
let system: System;

beforeAll(async () => {
  world = await createWorld({ blockTimeSeconds: 0 });
  testSystem = openSystem();
  system = testSystem.system;
});

afterAll(async () => {
  await testSystem?.close();
  await world?.stop();
});

const claimsOf = (count: number, change: Partial<Claim> = {}): Claim[] =>
  Array.from({ length: count }, () => {
    const [account] = world.accounts;
    if (!account) throw new Error("no such account");
    return { ...claimFrom(account, freshAddress(), 1n), subject: "one", ...change };
  });

/** Claims at one moment: the ids of the settlements, or the codes of the refusals. */
const atOnce = async (claims: readonly Claim[]) => {
  const outcomes = await Promise.allSettled(claims.map((claim) => settle(system, claim, 0)));
  return outcomes.map((outcome) =>
    outcome.status === "fulfilled" ? outcome.value : ((outcome.reason as AppError).code ?? String(outcome.reason)),
  );
};
const claimedIn = (outcomes: readonly (Settlement | string)[]) =>
  outcomes.filter((outcome) => typeof outcome !== "string");

/** How many transactions wrote these settlements; each of them must exist. */
async function transactionsOf(rows: readonly Settlement[]): Promise<number> {
  const ids = rows.map(({ id }) => id);
  const [found] = await testSystem.sql<{ rows: number; transactions: number }[]>`
    select count(*)::int as rows, count(distinct xmin::text)::int as transactions from settlements where id = any(${ids})`;
  expect(found?.rows).toBe(rows.length);
  return found?.transactions ?? 0;
}

test("claims of one moment for the same thing share a transaction, each with its own settlement", async () => {
  const claims = claimsOf(40);
  const rows = claimedIn(await atOnce(claims));
  expect(rows.map(({ nonce, groupId, state }) => [nonce, groupId, state])).toEqual(
    claims.map(({ authorization: { nonce } }) => [nonce, null, "claimed"]),
  );
  expect(await transactionsOf(rows)).toBe(1);
});

test("claims for different things do not wait for each other", async () => {
  const [first, second] = [claimsOf(1), claimsOf(1, { subject: "another" })];
  let release = () => {};
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  const slow = settle(system, { ...(first[0] as Claim), alongside: () => isReleased }, 0);
  expect(claimedIn(await atOnce(second))).toHaveLength(1);
  release();
  expect((await slow).state).toBe("claimed");
});

test.each([
  ["refuses", () => new AppError("LINK_SOLD_OUT", "gone", "sold out"), "LINK_SOLD_OUT"],
  ["fails", () => new Error("a fault"), "SETTLEMENT_UNKNOWN"],
])("one that its handler %s writes nothing, and the others are claimed", async (_, error, code) => {
  const written: string[] = [];
  const claims = claimsOf(9).map((claim, index) => ({
    ...claim,
    alongside: async (_tx: unknown, id: string) => {
      if (index === 4) throw error();
      written.push(id);
    },
  }));
  const outcomes = await atOnce(claims);
  const rows = claimedIn(outcomes);
  expect(outcomes.map((outcome) => (typeof outcome === "string" ? outcome : "claimed"))).toEqual(
    claims.map((_claim, index) => (index === 4 ? code : "claimed")),
  );
  for (const { id } of rows) expect(written).toContain(id);
  expect(await transactionsOf(rows)).toBeLessThan(rows.length);
  const nonce = claims[4]?.authorization.nonce ?? "";
  expect(await testSystem.sql`select id from settlements where nonce = ${nonce}`).toEqual([]);
});

test("a proof that is presented several times at one moment is claimed once, and so are the others", async () => {
  const [proof, ...others] = claimsOf(4) as [Claim, ...Claim[]];
  const outcomes = await atOnce([proof, ...others, proof, proof]);
  expect(outcomes.filter((outcome) => outcome === "PAYMENT_ALREADY_USED")).toHaveLength(2);
  const rows = claimedIn(outcomes);
  expect(new Set(rows.map(({ nonce }) => nonce)).size).toBe(4);
  expect(await transactionsOf(rows)).toBe(1);
});

test("several hundred claims of one moment are all claimed", async () => {
  const rows = claimedIn(await atOnce(claimsOf(180)));
  expect(rows).toHaveLength(180);
  expect(await transactionsOf(rows)).toBeLessThan(10);
});

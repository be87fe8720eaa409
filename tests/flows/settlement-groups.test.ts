import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { violations } from "@/lib/dev/invariants";
import type { System } from "@/lib/platform/context";
import { type Claim, claimTogether, settle } from "@/lib/settlements/service";
import { claimFrom, cranks, freshAddress, openSystem } from "../support/system";
import { createWorld, type World } from "../support/world";

let world: World;
let opened: ReturnType<typeof openSystem>;
let system: System;
let crank: Awaited<ReturnType<typeof cranks>>;

beforeAll(async () => {
  world = await createWorld();
  opened = openSystem({}, { STUCK_SECONDS: "1" });
  system = opened.system;
  crank = await cranks(system);
  await crank.observe();
});

afterAll(async () => {
  await opened?.close();
  await world?.stop();
});

beforeEach(async () => {
  await world.setAutomine(true);
});

afterEach(async () => {
  await crank.observe();
  expect(await violations(system, ["base"])).toEqual([]);
});

const account = (at: number) => {
  const found = world.accounts[at];
  if (!found) throw new Error("no such account");
  return found;
};

const together = (claims: Claim[]) => claimTogether(system, claims as [Claim, ...Claim[]], async () => {});

test("a group is claimed whole, in the order of its claims, with what is written alongside", async () => {
  const claims = [3n, 1n, 2n].map((value) => claimFrom(account(0), freshAddress(), value));
  const told: string[] = [];
  const rows = await claimTogether(system, claims as [Claim, ...Claim[]], async (_, ids) => void told.push(...ids));
  expect(rows.map((row) => [row.amount, row.nonce, row.state, row.groupId])).toEqual(
    claims.map(({ authorization: a }) => [a.value, a.nonce, "claimed", rows[0]?.id]),
  );
  expect(told).toEqual(rows.map((row) => row.id));
});

test("one claim is no group", async () => {
  const [row] = await together([claimFrom(account(0), freshAddress(), 1n)]);
  expect(row).toMatchObject({ groupId: null, state: "claimed" });
});

test("a group with an authorization that was claimed before leaves nothing, and names where it was used", async () => {
  const used = claimFrom(account(0), freshAddress(), 1n);
  const { id } = await settle(system, used, 0);
  const fresh = claimFrom(account(0), freshAddress(), 1n);
  await expect(together([fresh, used])).rejects.toMatchObject({
    code: "PAYMENT_ALREADY_USED",
    details: { settlementId: id },
  });
  await expect(together([fresh, fresh])).rejects.toMatchObject({ code: "PAYMENT_ALREADY_USED" });
  const left = await opened.sql`select id from settlements where nonce = ${fresh.authorization.nonce}`;
  expect(left).toEqual([]);
});

test("what fails alongside takes the claims back", async () => {
  const claim = claimFrom(account(0), freshAddress(), 1n);
  const refusing = claimTogether(system, [claim, claimFrom(account(0), freshAddress(), 1n)], async () => {
    throw new Error("no");
  });
  await expect(refusing).rejects.toMatchObject({ code: "SETTLEMENT_UNKNOWN" });
  expect(await opened.sql`select id from settlements where nonce = ${claim.authorization.nonce}`).toEqual([]);
});

test("of groups that share authorizations, claimed at once in any order, one is claimed", async () => {
  const claims = Array.from({ length: 10 }, () => claimFrom(account(0), freshAddress(), 1n));
  const answers = await Promise.allSettled([together(claims), together(claims.toReversed()), together(claims)]);
  expect(answers.filter((answer) => answer.status === "fulfilled")).toHaveLength(1);
  for (const answer of answers) {
    if (answer.status === "rejected") expect(answer.reason).toMatchObject({ code: "PAYMENT_ALREADY_USED" });
  }
});

test.each([
  ["more than a hundred claims", () => Array.from({ length: 101 }, () => claimFrom(account(0), freshAddress(), 1n))],
  [
    "claims on two networks",
    () => [
      claimFrom(account(0), freshAddress(), 1n),
      claimFrom(account(0), freshAddress(), 1n, { network: "base-sepolia" }),
    ],
  ],
])("%s are no group", async (_, claims) => {
  await expect(together(claims())).rejects.toThrow("a group has at most 100 claims, all on one network");
});

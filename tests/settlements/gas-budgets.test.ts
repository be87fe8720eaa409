import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { toAddress } from "@/lib/core/address";
import type { System } from "@/lib/platform/context";
import { admit } from "@/lib/settlements/admission";
import { type Claim, settle } from "@/lib/settlements/service";
import { violations } from "@/ops/invariants";
import { claimFrom, cranks, freshAddress, openSystem } from "../support/system";
import { changeToken, submitDirectly } from "../support/token";
import { vaultsOf } from "../support/vaults";
import { createWorld, type World } from "../support/world";

// What transfers that fail on the chain may cost us, for each payer.

let world: World;
let testSystem: ReturnType<typeof openSystem>;
let system: System;
let crank: Awaited<ReturnType<typeof cranks>>;

beforeAll(async () => {
  world = await createWorld();
  testSystem = openSystem({}, { PAYER_GAS_PER_HOUR: "400000", LOG_LEVEL: "silent" });
  system = testSystem.system;
  crank = await cranks(system);
  await crank.observe();
});

beforeEach(() => world.setAutomine(true));

afterAll(async () => {
  expect(await violations(system, ["base"])).toEqual([]);
  await testSystem?.close();
  await world?.stop();
});

const account = (index: number) => {
  const account = world.accounts[index];
  if (!account) throw new Error("no such account");
  return account;
};

const claimAll = (claims: readonly Claim[]) => Promise.all(claims.map((claim) => settle(system, claim, 0)));

/** The admission's decision on a proof that matches its requirement. */
const admission = ({ network, authorization, signature, resource, description }: Claim) =>
  admit(system, {
    proof: { scheme: "exact", network, asset: undefined, authorization, signature },
    requirement: { network, amount: authorization.value, payTo: authorization.to, resource, description },
    sender: null,
  });

const charged = async (payer: string): Promise<number> => {
  const [row] = await testSystem.sql`
    select coalesce(sum(gas), 0)::int as gas from payer_gas where payer = ${toAddress(payer)}`;
  return row?.gas;
};

const failureOf = async (id: string) => {
  const [row] = await testSystem.sql`select state, failure_code as code from settlements where id = ${id}`;
  return row;
};

/** Sends `claims` together; `inBetween` is mined before them. */
async function failing(claims: readonly Claim[], inBetween: () => Promise<void>): Promise<void> {
  await world.setAutomine(false);
  await claimAll(claims);
  await crank.relay();
  await inBetween();
  await world.setAutomine(true);
  await world.mine();
  await crank.drain();
}

test("an account that spends its money before its transfers are mined is charged for each, and refused above its gas budget", async () => {
  const payer = account(2);
  await world.mint(payer.address, 1_000n);
  const claims = Array.from({ length: 5 }, () => claimFrom(payer, freshAddress(), 1n));
  await failing(claims, () =>
    changeToken(world, "transfer", [freshAddress(), 1_000n], payer.address, { isFirst: true }),
  );
  expect(await charged(payer.address)).toBe(5 * 120_000);
  await world.mint(payer.address, 1_000n);
  const next = claimFrom(payer, freshAddress(), 1n);
  await expect(admission(next)).rejects.toMatchObject({ code: "PAYER_OVER_GAS_BUDGET" });
  // One that was claimed at the same moment as those.
  const transactionCountBefore = await world
    .client()
    .getTransactionCount({ address: toAddress(world.relayers[0]?.address ?? "") });
  const [late] = await claimAll([next]);
  await crank.drain();
  expect(await failureOf(late?.id ?? "")).toEqual({ state: "declined", code: "GAS_BUDGET_SPENT" });
  expect(await world.client().getTransactionCount({ address: toAddress(world.relayers[0]?.address ?? "") })).toBe(
    transactionCountBefore,
  );
});

test("a vault whose payment fails on the chain is charged for it, and its next payment is refused at admission", async () => {
  const v = vaultsOf(world);
  await world.mint(account(0).address, 100_000_000n);
  const terms = v.terms();
  const { vault } = await v.funded(terms, 1_000_000n);
  const claims = Array.from({ length: 3 }, () => v.claimOn(vault, freshAddress(), 10_000n));
  // Others send more than a vault leaves uncounted: it refuses payments.
  await failing(claims, () =>
    changeToken(world, "transfer", [vault, 2_000_000n], account(0).address, { isFirst: true }),
  );
  expect(await charged(vault)).toBe(3 * 200_000);
  // Its contract refuses every payment now, so no further one costs gas.
  expect(await admission(v.claimOn(vault, freshAddress(), 10_000n))).toMatchObject({
    type: "refused",
    refusedBy: "us",
  });
});

test("a payer is not charged when a stranger submits the payment first, because the money has moved", async () => {
  const payer = account(3);
  await world.mint(payer.address, 1_000_000n);
  const claims = Array.from({ length: 5 }, () => claimFrom(payer, freshAddress(), 1_000n));
  await failing(claims, async () => {
    for (const claim of claims) await submitDirectly(world, claim, { isFirst: true });
  });
  expect(await charged(payer.address)).toBe(0);
  expect(await admission(claimFrom(payer, freshAddress(), 1_000n))).toMatchObject({ type: "new" });
});

test("an account that has caused no cost can have many payments pending at once", async () => {
  const payer = account(4);
  await world.mint(payer.address, 1_000_000n);
  await world.setAutomine(false);
  const first = await claimAll([claimFrom(payer, freshAddress(), 1_000n)]);
  await crank.relay();
  const others = await claimAll(Array.from({ length: 40 }, () => claimFrom(payer, freshAddress(), 1_000n)));
  await crank.relay();
  const ids = [...first, ...others].map(({ id }) => id);
  const [row] =
    await testSystem.sql`select count(*)::int as n from settlements where id = any(${ids}) and state = 'broadcast'`;
  expect(row?.n).toBe(41);
  await world.setAutomine(true);
  await world.mine();
  await crank.drain();
});

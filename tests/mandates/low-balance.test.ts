import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { toAddress } from "@/lib/core/address";
import { readWallets } from "@/lib/mandates/funds/reading";
import type { Lease } from "@/lib/platform/lease";
import { subscribers } from "@/lib/subscribers";
import { newOwner } from "../support/actors";
import { call } from "../support/http";
import { type Json, owned, type Parties, pay, signedMandate } from "../support/mandates";
import { cranks, leaseFor, openSystem } from "../support/system";
import { submitDirectly } from "../support/token";
import { claimOf } from "../support/vault-mandates";
import { createWorld, type World } from "../support/world";

const PATH = "/api/wallet/low-balance";
const MINUTES_MS = 600_000;

let world: World;
let testSystem: ReturnType<typeof openSystem>;
let crank: Awaited<ReturnType<typeof cranks>>;
let lease: Lease;
let ahead = 0;

beforeAll(async () => {
  world = await createWorld({ blockTimeSeconds: 0 });
  process.env.LOG_LEVEL = "silent";
  testSystem = openSystem({ subscribers, now: () => new Date(Date.now() + ahead) });
  crank = await cranks(testSystem.system);
  lease = await leaseFor(testSystem.system, "funds:base");
  await crank.observe();
});
afterEach(() => {
  ahead = 0;
});
afterAll(async () => {
  const { closeSystem } = await import("../support/wiring");
  await closeSystem();
  await testSystem?.close();
  await world?.stop();
});

type Setting = Parties & { mandateId: string };

/** Pays, and reads what follows. */
async function payAndObserve({ agent, mandateId }: Setting, amount: string): Promise<void> {
  const response = await pay(agent, mandateId, { amount });
  expect(response).toMatchObject({ status: 200 });
  await submitDirectly(world, claimOf(response.body as Json));
  await look();
}

async function look(): Promise<void> {
  await crank.observe();
  while (await readWallets(testSystem.system, "base", lease));
}

const walletOf = async ({ owner }: Parties) => {
  const { wallets } = (await call("GET", "/api/wallet", { session: owner.session })).body as Json;
  return toAddress(wallets.find(({ network }: Json) => network === "base").address);
};

/** An owner with 6 USDC and a mandate of 20. */
async function setting(limitAmount = "20000000"): Promise<Setting> {
  const { owner, agent, mandateId } = await signedMandate({ limitAmount });
  await world.mint(await walletOf({ owner, agent }), 6_000_000n);
  return { owner, agent, mandateId };
}

const eventsOf = async ({ owner }: Parties): Promise<Json[]> => [
  ...(await testSystem.sql`select e.meta from events e join owners o on o.id = e.owner_id
    where o.address = ${owner.address} and e.type = 'wallet.low' order by e.created_at`),
];

test("an owner is notified once when a payment leaves less than the threshold and less than a mandate may spend", async () => {
  const given = await setting();
  await look();
  expect(await eventsOf(given)).toEqual([]);
  await payAndObserve(given, "500000");
  expect(await eventsOf(given)).toEqual([]);
  await payAndObserve(given, "1000000");
  const wallet = await walletOf(given);
  expect(await eventsOf(given)).toEqual([
    { meta: { network: "base", wallet, balance: "4500000", threshold: "5000000" } },
  ]);
  await payAndObserve(given, "1000000");
  expect(await eventsOf(given)).toHaveLength(1);
});

test("an owner is notified again after a deposit ended the low balance", async () => {
  const given = await setting();
  await payAndObserve(given, "2000000");
  expect(await eventsOf(given)).toHaveLength(1);
  await world.mint(await walletOf(given), 10_000_000n);
  await look();
  ahead = MINUTES_MS;
  await look();
  ahead = 0;
  await payAndObserve(given, "10000000");
  expect(await eventsOf(given)).toHaveLength(2);
});

test("no owner is notified whose mandates may spend no more than the balance, or are paused", async () => {
  const small = await setting("3000000");
  await payAndObserve(small, "2000000");
  expect(await eventsOf(small)).toEqual([]);
  const paused = await setting();
  const response = await pay(paused.agent, paused.mandateId, { amount: "2000000" });
  await owned(paused.owner, paused.mandateId, "enabled", { isEnabled: false });
  await submitDirectly(world, claimOf(response.body as Json));
  await look();
  expect(await eventsOf(paused)).toEqual([]);
});

test("a replaced block is read again for low balances", async () => {
  const given = await setting();
  await payAndObserve(given, "500000");
  const rowOf = async () =>
    (
      await testSystem.sql`select r.read_block, r.paid_block from wallet_readings r join wallets w on w.id = r.wallet_id
        where w.address = ${await walletOf(given)}`
    )[0];
  const rowBefore = await rowOf();
  expect(Number(rowBefore?.read_block)).toBeGreaterThanOrEqual(Number(rowBefore?.paid_block));
  await world.reorg(1);
  await world.mine(2);
  await crank.observe();
  expect((await rowOf())?.read_block).toBeNull();
});

test("an owner can set the threshold, and zero ends the notices", async () => {
  const given = await setting();
  const { session } = given.owner;
  expect(await call("GET", PATH, { session })).toMatchObject({ status: 200, body: { threshold: "5000000" } });
  for (const threshold of ["-1", "1.5", "", 5, null, (2n ** 96n).toString()]) {
    expect(await call("POST", PATH, { session, json: { threshold } })).toMatchObject({
      status: 400,
      body: { code: "invalid_request" },
    });
  }
  expect(await call("POST", PATH, { json: { threshold: "1" } })).toMatchObject({ status: 401 });
  expect(await call("POST", PATH, { session, json: { threshold: "0" } })).toMatchObject({ body: { threshold: "0" } });
  await payAndObserve(given, "2000000");
  expect(await eventsOf(given)).toEqual([]);
  await call("POST", PATH, { session, json: { threshold: "4000000" } });
  await payAndObserve(given, "1000000");
  expect(await eventsOf(given)).toMatchObject([{ meta: { balance: "3000000", threshold: "4000000" } }]);
  const otherOwner = await newOwner();
  expect(await call("GET", PATH, { session: otherOwner.session })).toMatchObject({ body: { threshold: "5000000" } });
});

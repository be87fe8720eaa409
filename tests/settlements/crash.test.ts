import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { System } from "@/lib/platform/context";
import { releaseLease } from "@/lib/platform/lease";
import { observe } from "@/lib/settlements/observer/observer";
import { settle } from "@/lib/settlements/service";
import { violations } from "@/ops/invariants";
import { type ChaosProxy, RPC_ERRORS, startChaosProxy } from "../support/chaos-proxy";
import { type Replica, startReplica, until } from "../support/replica";
import { claimFrom, freshAddress, leaseFor, openSystem } from "../support/system";
import { createWorld, type World } from "../support/world";

let world: World;
let proxy: ChaosProxy;
let testSystem: ReturnType<typeof openSystem>;
let system: System;
const replicas: Replica[] = [];
/** Returns earlier once all have ended; two busy cores need most of it. */
const PATIENT_SECONDS = 100;

beforeAll(async () => {
  world = await createWorld();
  proxy = await startChaosProxy(world.rpc.base ?? "");
  process.env.BASE_RPC_URL = proxy.url;
  testSystem = openSystem();
  system = testSystem.system;
  for (const account of world.accounts) await world.mint(account.address, 10_000_000_000n);
});

afterEach(async () => {
  proxy.heal();
  await until(async () => (await caughtUp()) && (await open()) === 0, "the queue to run empty");
  expect(await violations(system, ["base"])).toEqual([]);
  await Promise.all(replicas.splice(0).map((replica) => replica.kill()));
});

afterAll(async () => {
  await testSystem?.close();
  await proxy?.stop();
  await world?.stop();
});

const start = async (env: Record<string, string> = {}) => {
  const replica = await startReplica(env);
  replicas.push(replica);
  return replica;
};

const open = async () => {
  const [row] =
    await testSystem.sql`select count(*)::int as n from settlements where state in ('claimed', 'prepared', 'broadcast')`;
  return row?.n as number;
};

const caughtUp = async () => {
  const [row] = await testSystem.sql`select block_number from chain_cursors where network = 'base'`;
  return row !== undefined && BigInt(row.block_number) >= (await world.client().getBlockNumber());
};

const account = (index: number) => {
  const account = world.accounts[index % world.accounts.length];
  if (!account) throw new Error("no such account");
  return account;
};

/** Reads the chain up to its head, for a server that starts with armed failpoints. */
async function prepareCursor(): Promise<void> {
  const lease = await leaseFor(system, "observer:base");
  while ((await observe(system, "base", lease)).hasMore);
  await releaseLease(system.db, lease);
}

test.each(["relayer.signed", "relayer.stored", "relayer.sent", "observer.read", "observer.applied"])(
  "a server process killed at %s loses no payment and pays none twice after a restart",
  async (place) => {
    await prepareCursor();
    const payee = freshAddress();
    const doomed = await start({ FAILPOINTS: `${place}=kill` });
    const claims = Array.from({ length: 5 }, (_, index) => claimFrom(account(index), payee, 1_000n));
    const rows = await Promise.all(claims.map((claim) => settle(system, claim, 0)));
    expect(await doomed.died).toBe("SIGKILL");
    await start();
    await until(async () => (await open()) === 0, "the settlements to end");
    for (const { id } of rows) {
      const [row] = await testSystem.sql`select state from settlements where id = ${id}`;
      expect(row?.state).toBe("settled");
    }
    expect(await world.balanceOf(payee)).toBe(5_000n);
  },
);

test("two replicas share a load of two hundred payments and make each payment once", async () => {
  await Promise.all([start(), start()]);
  const payee = freshAddress();
  // Signed before the claims: signing blocks this process for seconds, and connections would time out.
  const claims = Array.from({ length: 200 }, (_, index) => claimFrom(account(index), payee, 1_000n));
  const rows = await Promise.all(claims.map((claim) => settle(system, claim, PATIENT_SECONDS)));
  expect(rows.filter((row) => row.state === "settled")).toHaveLength(200);
  expect(await world.balanceOf(payee)).toBe(200_000n);
});

test("when the replica with the lease is killed under load, another one takes over", async () => {
  const first = await start();
  await start();
  const payee = freshAddress();
  const claims = Array.from({ length: 100 }, (_, index) => claimFrom(account(index), payee, 1_000n));
  const ends = Promise.all(claims.map((claim) => settle(system, claim, PATIENT_SECONDS)));
  await first.kill();
  const rows = await ends;
  expect(rows.filter((row) => row.state === "settled")).toHaveLength(100);
  expect(await world.balanceOf(payee)).toBe(100_000n);
});

test("when a node's response to a broadcast is lost, the payment is pending, never failed, and settles once", async () => {
  await prepareCursor();
  proxy.faults.dropReplyTo.add("eth_sendRawTransaction");
  proxy.faults.dropReplyTo.add("eth_getLogs");
  await start();
  const payee = freshAddress();
  const row = await settle(system, claimFrom(account(0), payee, 1_000n), 2);
  expect(["prepared", "broadcast"]).toContain(row.state);
  expect(await world.balanceOf(payee)).toBe(1_000n);
  proxy.heal();
  await until(async () => (await open()) === 0, "the settlement to end");
  const [end] = await testSystem.sql`select state from settlements where id = ${row.id}`;
  expect(end?.state).toBe("settled");
  expect(await world.balanceOf(payee)).toBe(1_000n);
});

test("when a node refuses connections, the payment waits until the node is back", async () => {
  await start();
  await until(caughtUp, "the observer to read the chain");
  proxy.faults.isRefusing = true;
  const payee = freshAddress();
  const row = await settle(system, claimFrom(account(0), payee, 1_000n), 1);
  expect(row.state).toBe("claimed");
  proxy.heal();
  await until(async () => (await open()) === 0, "the settlement to end");
  expect(await world.balanceOf(payee)).toBe(1_000n);
});

test.each(["nonceTooLow", "alreadyKnown", "underpriced", "rateLimited", "internal"] as const)(
  "when a node responds to the broadcast with %s, it is sent again, and the payment is made once",
  async (fault) => {
    await prepareCursor();
    proxy.faults.errors.set("eth_sendRawTransaction", RPC_ERRORS[fault]);
    await start();
    const payee = freshAddress();
    const row = await settle(system, claimFrom(account(1), payee, 1_000n), 1);
    expect(row.state).not.toBe("void");
    proxy.heal();
    await until(async () => (await open()) === 0, "the settlement to end", 40);
    expect(await world.balanceOf(payee)).toBe(1_000n);
  },
);

test("when a node reports an old nonce, the relayer does not use a nonce twice", async () => {
  await prepareCursor();
  proxy.faults.staleNonceBy = 3;
  await start();
  const payee = freshAddress();
  const rows = await Promise.all(
    Array.from({ length: 10 }, (_, index) => settle(system, claimFrom(account(index), payee, 1_000n), PATIENT_SECONDS)),
  );
  expect(rows.map((row) => row.state)).toEqual(rows.map(() => "settled"));
  expect(await world.balanceOf(payee)).toBe(10_000n);
});

test("a database that repeatedly drops every connection delays payments and repeats none", async () => {
  await start();
  await until(caughtUp, "the observer to read the chain");
  const payee = freshAddress();
  const claims = Array.from({ length: 60 }, (_, index) => claimFrom(account(index), payee, 1_000n));
  const rows = await Promise.all(claims.map((claim) => settle(system, claim, 0)));
  for (let storm = 0; storm < 6; storm++) {
    await testSystem.sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name like 'tessera%'`;
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
  await until(async () => (await open().catch(() => 1)) === 0, "the settlements to end", 40);
  const settled = await testSystem.sql`select id from settlements where state = 'settled' and payee = ${payee}`;
  expect(settled).toHaveLength(rows.length);
  expect(await world.balanceOf(payee)).toBe(60_000n);
});

import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { toAddress } from "@/lib/core/address";
import { settle } from "@/lib/settlements/service";
import { violations } from "@/ops/invariants";
import { until } from "../support/replica";
import { claimFrom, freshAddress, openSystem } from "../support/system";
import * as wiring from "../support/wiring";
import { createWorld, type World } from "../support/world";

/** Longer than this test: what ends earlier was not found by polling. */
const POLL_MILLISECONDS = "60000";
const BLOCK_MS = 1_000;
const WAIT_SECONDS = 20;

let world: World;
let testSystem: ReturnType<typeof openSystem>;
let workers: { stop: () => Promise<void> };

beforeAll(async () => {
  world = await createWorld({ blockTimeSeconds: BLOCK_MS / 1_000, isMinedByClock: true });
  process.env.POLL_MILLISECONDS = POLL_MILLISECONDS;
  testSystem = openSystem();
  await world.mint(payer().address, 1_000_000n);
  workers = wiring.startWorkers();
});

afterAll(async () => {
  await workers?.stop();
  await wiring.closeSystem();
  await testSystem?.close();
  await world?.stop();
  delete process.env.POLL_MILLISECONDS;
});

const payer = () => {
  const [account] = world.accounts;
  if (!account) throw new Error("no such account");
  return account;
};
const pay = () => settle(testSystem.system, claimFrom(payer(), toAddress(freshAddress()), 1_000n), WAIT_SECONDS);
const questions = () => world.node().calls("eth_blockNumber");

test("while a transaction waits for its block, the service polls the chain's head, and afterwards it stops", async () => {
  for (let turn = 0; turn < 3; turn++) expect(await pay()).toMatchObject({ state: "settled" });
  expect(questions()).toBeGreaterThan(0);

  const open = () => testSystem.sql`select nonce from relayer_transactions where is_open`;
  await until(async () => (await open()).length === 0, "the transactions to close");
  await sleep(2 * BLOCK_MS);
  world.node().resetCalls();
  await sleep(2 * BLOCK_MS);
  expect(questions()).toBe(0);
  expect(await violations(testSystem.system, ["base"])).toEqual([]);
});

test("after a block that it has read, the observer wakes the jobs that follow it", async () => {
  const networks: string[] = [];
  const unsubscribe = testSystem.system.hub.on("block_read", (network) => networks.push(network));
  await until(async () => {
    await pay();
    return networks.includes("base");
  }, "the message");
  unsubscribe();
});

test("a node that refuses these polls delays a settlement, but loses none", async () => {
  const { faults, heal } = world.node();
  faults.errors.set("eth_blockNumber", { code: -32601, message: "the method does not exist" });
  expect(await pay()).toMatchObject({ state: "settled" });
  heal();
});

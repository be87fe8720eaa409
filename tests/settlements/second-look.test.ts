import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { toAddress } from "@/lib/core/address";
import { settle } from "@/lib/settlements/service";
import { type ChaosProxy, startChaosProxy } from "../support/chaos-proxy";
import { claimFrom, cranks, freshAddress, openSystem } from "../support/system";
import { submitDirectly } from "../support/token";
import { createWorld, type World } from "../support/world";

// One node that lies must not make a payment look impossible.

let world: World;
let testSystem: ReturnType<typeof openSystem>;
let crank: Awaited<ReturnType<typeof cranks>>;
/** Two nodes of the same chain. */
let first: ChaosProxy;
let second: ChaosProxy;

beforeAll(async () => {
  world = await createWorld();
  first = await startChaosProxy(world.rpc.base ?? "");
  second = await startChaosProxy(world.rpc.base ?? "");
  testSystem = openSystem({}, { BASE_RPC_URL: `${first.url}, ${second.url}`, LOG_LEVEL: "silent" });
  crank = await cranks(testSystem.system);
  await crank.observe();
  await world.mint(toAddress(payer().address), 100_000_000n);
});

afterEach(() => {
  first.heal();
  second.heal();
});

afterAll(async () => {
  await testSystem?.close();
  await first?.stop();
  await second?.stop();
  await world?.stop();
});

const payer = () => {
  const [account] = world.accounts;
  if (!account) throw new Error("no account");
  return account;
};

const stateOf = async (id: string): Promise<string> => {
  const [row] = await testSystem.sql`select state from settlements where id = ${id}`;
  return row?.state;
};

async function observed(): Promise<void> {
  await world.mine();
  await crank.observe();
}

const AUTHORIZATION_STATE = "0xe94a0102";

test("a proof that one node reports as unused stays pending while a second node shows its use, and then settles", async () => {
  const claim = claimFrom(payer(), freshAddress(), 1_000_000n);
  const { id } = await settle(testSystem.system, claim, 0);
  first.faults.isHidingLogs = true;
  first.faults.answers.set("eth_call", ([call], result) => {
    const isAsked = (call as { data?: string }).data?.startsWith(AUTHORIZATION_STATE);
    return isAsked ? `0x${"0".repeat(64)}` : result;
  });
  await submitDirectly(world, claim);
  await world.increaseTime(700);
  await observed();
  expect(await stateOf(id)).toBe("claimed");
  first.heal();
  await observed();
  expect(await stateOf(id)).toBe("settled");
});

test("a proof that has expired on one node stays pending while a second node has a different block at that height", async () => {
  const { id } = await settle(testSystem.system, claimFrom(payer(), freshAddress(), 1_000_000n), 0);
  second.faults.answers.set("eth_getBlockByNumber", (_, block) =>
    block ? { ...block, hash: `0x${"ab".repeat(32)}` } : block,
  );
  await observed();
  expect(await stateOf(id)).toBe("claimed");
  second.heal();
  await observed();
  expect(await stateOf(id)).toBe("void");
});

test("while the second node does not respond, the first node's report is accepted after an hour", async () => {
  const { id } = await settle(testSystem.system, claimFrom(payer(), freshAddress(), 1_000_000n), 0);
  second.faults.isRefusing = true;
  await observed();
  expect(await stateOf(id)).toBe("claimed");
  await world.increaseTime(3_600);
  await observed();
  expect(await stateOf(id)).toBe("void");
});

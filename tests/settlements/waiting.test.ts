import { afterAll, beforeAll, expect, test } from "vitest";
import { settle, waitForEnd } from "@/lib/settlements/service";
import { violations } from "@/ops/invariants";
import { claimFrom, cranks, freshAddress, openSystem } from "../support/system";
import { createWorld, type World } from "../support/world";

let world: World;
let testSystem: ReturnType<typeof openSystem>;
let crank: Awaited<ReturnType<typeof cranks>>;
let payer: World["accounts"][number];

beforeAll(async () => {
  world = await createWorld({ blockTimeSeconds: 0 });
  testSystem = openSystem();
  crank = await cranks(testSystem.system);
  await crank.observe();
  const [first] = world.accounts;
  if (!first) throw new Error("the world has no account");
  payer = first;
});

afterAll(async () => {
  expect(await violations(testSystem.system, ["base"])).toEqual([]);
  await testSystem?.close();
  await world?.stop();
});

const claim = (amount: bigint) => settle(testSystem.system, claimFrom(payer, freshAddress(), amount), 0);

/** A service to which no message of another arrives, as after a lost connection. */
const deaf = () => openSystem({ hub: { on: () => () => {}, close: async () => {} } });

test("a waiting request returns the end of its settlement although no database notification arrives", async () => {
  const waiting = deaf();
  try {
    await world.mint(payer.address, 1_000_000n);
    const { id } = await claim(1_000_000n);
    // Longer than the test may take.
    const found = waitForEnd(waiting.system, id, 3_600);
    await crank.drain();
    expect((await found).state).toBe("settled");
  } finally {
    await waiting.close();
  }
});

test("requests that wait for settlements share their database queries", async () => {
  const waiting = deaf();
  try {
    await world.mint(payer.address, 30n);
    const open = await Promise.all(Array.from({ length: 30 }, () => claim(1n)));
    let statements = 0;
    waiting.system.db.$client.on("acquire", () => statements++);
    const found = await Promise.all(open.map(({ id }) => waitForEnd(waiting.system, id, 3)));
    expect(found.map(({ id, state }) => [id, state])).toEqual(open.map(({ id }) => [id, "claimed"]));
    // One at the beginning, one each second, and those at the end, whose timers may fire one after the other.
    expect(statements).toBeLessThan(20);
  } finally {
    await waiting.close();
  }
  await crank.drain();
});

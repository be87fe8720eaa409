import { expect, test } from "vitest";
import { FOLLOW_MS, followHead } from "./following";

const POLL_MS = 1_000;

function setUp({ pollMs = POLL_MS, answerMs = 5 } = {}) {
  const world = { now: 0, head: 7n, isAwaited: true, asked: 0, isDown: false, looked: 0 };
  const chain = {
    headNumber: async () => {
      world.asked++;
      world.now += answerMs;
      if (world.isDown) throw new Error("down");
      return world.head;
    },
  };
  const isAwaited = async () => {
    world.looked++;
    return world.isAwaited;
  };
  const following = followHead({ chain, pollMs, isAwaited, nowMs: () => world.now });
  return { world, following };
}

test("the first round reads the chain without polling its head", async () => {
  const { world, following } = setUp();
  expect(await following.ask()).toBeNull();
  expect(world.asked).toBe(0);
});

test("the head is not polled while no transaction is pending", async () => {
  const { world, following } = setUp();
  world.isAwaited = false;
  expect(await following.readTo(7n, true)).toBe(POLL_MS);
  expect(await following.ask()).toBeNull();
  expect(world.asked).toBe(0);
});

test("while a transaction is pending, the head is polled often, and a new block is read at once", async () => {
  const { world, following } = setUp();
  expect(await following.readTo(7n, true)).toBe(FOLLOW_MS);
  world.now += FOLLOW_MS;
  expect(await following.ask()).toBe(FOLLOW_MS);
  world.now += FOLLOW_MS;
  world.head = 8n;
  expect(await following.ask()).toBeNull();
  expect(world.asked).toBe(2);
});

test("the chain is read at least at the normal interval, because the newest block may be replaced by one with the same number", async () => {
  const { world, following } = setUp();
  await following.readTo(7n, true);
  world.now += POLL_MS - 40;
  expect(await following.ask()).toBe(35);
  world.now += 35;
  expect(await following.ask()).toBeNull();
});

test("a slow node is polled less often, and a lower block number changes nothing", async () => {
  const { world, following } = setUp({ pollMs: 5_000, answerMs: 400 });
  await following.readTo(7n, true);
  world.head = 3n;
  world.now += FOLLOW_MS;
  expect(await following.ask()).toBe(800);
});

test("the round after a failed poll reads the chain", async () => {
  const { world, following } = setUp();
  await following.readTo(7n, true);
  world.isDown = true;
  await expect(following.ask()).rejects.toThrow("down");
  expect(await following.ask()).toBeNull();
});

test("a normal interval that is already short is kept", async () => {
  const { world, following } = setUp({ pollMs: 50 });
  expect(await following.readTo(7n, true)).toBe(50);
  expect(await following.ask()).toBeNull();
  expect(world.asked).toBe(0);
});

test("without a new block or a message, whether a transaction is pending is read only while one was", async () => {
  const { world, following } = setUp();
  world.isAwaited = false;
  expect(await following.readTo(7n, true)).toBe(POLL_MS);
  expect(world.looked).toBe(1);
  await following.ask();
  expect(await following.readTo(7n, false)).toBe(POLL_MS);
  expect(world.looked).toBe(1);

  world.isAwaited = true;
  expect(await following.readTo(7n, true)).toBe(FOLLOW_MS);
  world.now += POLL_MS;
  expect(await following.ask()).toBeNull();
  expect(await following.readTo(7n, false)).toBe(FOLLOW_MS);
  expect(world.looked).toBe(3);
});

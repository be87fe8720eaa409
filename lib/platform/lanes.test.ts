import { setTimeout as sleep } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { CONNECT_MS_MAX } from "./db";
import { createLanes, LaneBusy } from "./lanes";

test("at most that many works of a key run at once, in the order of their calls; other keys do not wait", async () => {
  const inLane = createLanes(2);
  const busy = new Map<string, number>();
  const begun: string[] = [];
  let most = 0;
  const run = (key: string, name: string) =>
    inLane(key, async () => {
      begun.push(name);
      busy.set(key, (busy.get(key) ?? 0) + 1);
      most = Math.max(most, ...busy.values());
      await sleep(5);
      busy.set(key, (busy.get(key) ?? 0) - 1);
      return name;
    });
  const names = ["1", "2", "3", "4", "5"];
  expect(await Promise.all([...names.map((name) => run("a", name)), run("b", "other")])).toEqual([...names, "other"]);
  expect(begun).toEqual(["1", "2", "other", "3", "4", "5"]);
  expect(most).toBe(2);
});

test("a work that fails, also at once, makes room for the next", async () => {
  const inLane = createLanes(1);
  const failing = () => {
    throw new Error("not today");
  };
  const results = await Promise.allSettled([
    inLane("a", failing),
    inLane("a", async () => "done"),
    inLane("a", failing),
  ]);
  expect(results.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "rejected"]);
  expect(await inLane("a", async () => "again")).toBe("again");
});

test("a work that waits as long as for a connection is refused, and takes nobody's place", async () => {
  vi.useFakeTimers();
  try {
    const inLane = createLanes(1);
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const slow = inLane("a", () => ended);
    const impatient = inLane("a", async () => "never");
    const refused = expect(impatient).rejects.toThrow(LaneBusy);
    await vi.advanceTimersByTimeAsync(CONNECT_MS_MAX - 1);
    const patient = inLane("a", async () => "done");
    await vi.advanceTimersByTimeAsync(1);
    await refused;
    end();
    expect(await patient).toBe("done");
    await slow;
  } finally {
    vi.useRealTimers();
  }
});

import { describe, expect, test } from "vitest";
import { batchedBy, batchedOn, createBatcher } from "./batch";
import type { Db } from "./db";

/** Work that the test ends: each batch waits for its outcome. */
function holdBatches() {
  const batches: { items: readonly number[]; finish: () => void; fail: (reason: unknown) => void }[] = [];
  const call = createBatcher<number, string>(
    (items) =>
      new Promise((resolve, reject) => {
        batches.push({ items, finish: () => resolve(items.map((item) => `answer ${item}`)), fail: reject });
      }),
  );
  const batchAt = (n: number) => batches[n] ?? expect.fail(`batch ${n} has not begun`);
  return { call, at: batchAt, items: () => batches.map(({ items }) => items) };
}

/** Lets all runnable tasks finish. */
const settle = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
const upTo = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

describe("concurrent calls of a batched function", () => {
  test("are joined in their order, and each gets its own result", async () => {
    const { call, at, items } = holdBatches();
    const responses = upTo(0, 3).map(call);
    expect(items()).toEqual([]);
    await settle();
    expect(items()).toEqual([[0, 1, 2]]);
    responses.push(...upTo(3, 6).map(call));
    await settle();
    expect(items()).toEqual([[0, 1, 2]]);
    at(0).finish();
    await settle();
    expect(items()).toEqual([
      [0, 1, 2],
      [3, 4, 5],
    ]);
    at(1).finish();
    expect(await Promise.all(responses)).toEqual(upTo(0, 6).map((item) => `answer ${item}`));
  });

  test("never join a batch that has begun", async () => {
    const { call, at, items } = holdBatches();
    const early = call(0);
    await settle();
    const late = call(1);
    at(0).finish();
    await settle();
    expect(items()).toEqual([[0], [1]]);
    at(1).finish();
    expect(await Promise.all([early, late])).toEqual(["answer 0", "answer 1"]);
  });

  test("of more than five hundred use several batches, and each is in exactly one", async () => {
    const { call, at, items } = holdBatches();
    const responses = upTo(0, 1202).map(call);
    for (let n = 0; n < 3; n++) {
      await settle();
      at(n).finish();
    }
    expect(items().map((batch) => batch.length)).toEqual([500, 500, 202]);
    expect(items().flat()).toEqual(upTo(0, 1202));
    expect(await Promise.all(responses)).toEqual(upTo(0, 1202).map((item) => `answer ${item}`));
  });

  test("do not wait for a batch that hangs", async () => {
    const { call, at, items } = holdBatches();
    const stuck = call(0);
    await settle();
    const next = call(1);
    await expect.poll(items).toEqual([[0], [1]]);
    at(1).finish();
    expect(await next).toBe("answer 1");
    at(0).finish();
    expect(await stuck).toBe("answer 0");
    const last = call(2);
    await settle();
    expect(items()).toEqual([[0], [1], [2]]);
    at(2).finish();
    expect(await last).toBe("answer 2");
  });
});

describe("an error in a batched function", () => {
  test("rejects every call of its batch and no other call", async () => {
    const { call, at } = holdBatches();
    const responses = [call(0), call(1)];
    await settle();
    const later = call(2);
    const outcomes = Promise.allSettled([...responses, later]);
    at(0).fail(new Error("lost"));
    await settle();
    at(1).finish();
    const lost = { status: "rejected", reason: new Error("lost") };
    expect(await outcomes).toEqual([lost, lost, { status: "fulfilled", value: "answer 2" }]);
  });

  test("that is thrown synchronously rejects too, and the next call succeeds", async () => {
    let isBroken = true;
    const call = createBatcher<number, number>((items) => {
      if (isBroken) throw new Error("at once");
      return Promise.resolve(items);
    });
    await expect(call(1)).rejects.toThrow("at once");
    isBroken = false;
    expect(await call(2)).toBe(2);
  });
});

test("calls for one database are joined, and those for another are not", async () => {
  const seen: (readonly [Db, readonly number[]])[] = [];
  const call = batchedOn((db) => async (items: readonly number[]) => {
    seen.push([db, items]);
    return items;
  });
  const [one, other] = [{} as Db, {} as Db];
  expect(await Promise.all([call(one, 1), call(other, 2), call(one, 3)])).toEqual([1, 2, 3]);
  expect(seen).toEqual([
    [one, [1, 3]],
    [other, [2]],
  ]);
  expect(seen.map(([db]) => db === one)).toEqual([true, false]);
});

test("calls for one key are joined, and do not wait for those of another", async () => {
  const seen: (readonly string[])[] = [];
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const call = batchedBy(
    (item: string) => item.slice(0, 1),
    () => async (items) => {
      seen.push(items);
      if (items.includes("a1")) await released;
      return items.map((item) => item.toUpperCase());
    },
  );
  const db = {} as Db;
  const stuck = [call(db, "a1"), call(db, "a2")];
  expect(await Promise.all([call(db, "b1"), call(db, "b2")])).toEqual(["B1", "B2"]);
  expect(await call(db, "b3")).toBe("B3");
  release();
  expect(await Promise.all(stuck)).toEqual(["A1", "A2"]);
  expect(seen).toEqual([["a1", "a2"], ["b1", "b2"], ["b3"]]);
});

test("a result that is still under way is not that of the others, and a batch has at most as many items as it may", async () => {
  const sizes: number[] = [];
  const call = createBatcher<number, number>(async (items) => {
    sizes.push(items.length);
    return items.map((item) => (item === 1 ? Promise.reject(new Error("later")) : item));
  }, 2);
  const ends = await Promise.allSettled(upTo(0, 5).map(call));
  expect(ends.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled", "fulfilled", "fulfilled"]);
  expect(sizes).toEqual([2, 2, 1]);
});

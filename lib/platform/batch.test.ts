import { describe, expect, test } from "vitest";
import { batched } from "./batch";

/** Work whose end the test decides: each batch waits until it is told what became of it. */
function held() {
  const batches: { items: readonly number[]; finish: () => void; fail: (reason: unknown) => void }[] = [];
  const ask = batched<number, string>(
    (items) =>
      new Promise((resolve, reject) => {
        batches.push({ items, finish: () => resolve(items.map((item) => `answer ${item}`)), fail: reject });
      }),
  );
  const at = (n: number) => batches[n] ?? expect.fail(`batch ${n} has not begun`);
  return { ask, at, items: () => batches.map(({ items }) => items) };
}

/** Lets everything that can go on do so. */
const settle = () => new Promise((resolve) => setImmediate(resolve));
const upTo = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at);

describe("calls that come while others are under way", () => {
  test("are joined in the order they came, and each gets its own answer", async () => {
    const { ask, at, items } = held();
    const answers = upTo(0, 6).map(ask);
    await settle();
    expect(items()).toEqual([[0], [1]]);
    at(0).finish();
    await settle();
    expect(items()).toEqual([[0], [1], [2, 3, 4, 5]]);
    at(2).finish();
    at(1).finish();
    expect(await Promise.all(answers)).toEqual(upTo(0, 6).map((item) => `answer ${item}`));
  });

  test("never join work that has begun", async () => {
    const { ask, at, items } = held();
    const early = [ask(0), ask(1), ask(2)];
    await settle();
    at(0).finish();
    await settle();
    const late = ask(3);
    await settle();
    expect(items()).toEqual([[0], [1], [2]]);
    at(1).finish();
    await settle();
    expect(items()).toEqual([[0], [1], [2], [3]]);
    at(2).finish();
    at(3).finish();
    expect(await Promise.all([...early, late])).toHaveLength(4);
  });

  test("of more than five hundred go in several batches, none twice and none left over", async () => {
    const { ask, at, items } = held();
    const answers = upTo(0, 1202).map(ask);
    await settle();
    for (let n = 0; n < 5; n++) {
      at(n).finish();
      await settle();
    }
    expect(items().map((batch) => batch.length)).toEqual([1, 1, 500, 500, 200]);
    expect(items().flat()).toEqual(upTo(0, 1202));
    expect(await Promise.all(answers)).toEqual(upTo(0, 1202).map((item) => `answer ${item}`));
  });
});

describe("a failure", () => {
  test("is told to everybody of its batch and to nobody else", async () => {
    const { ask, at } = held();
    const answers = upTo(0, 4).map(ask);
    at(0).finish();
    await settle();
    const later = ask(4);
    const outcomes = Promise.allSettled([...answers, later]);
    at(2).fail(new Error("lost"));
    await settle();
    at(3).finish();
    at(1).finish();
    const lost = { status: "rejected", reason: new Error("lost") };
    const done = (item: number) => ({ status: "fulfilled", value: `answer ${item}` });
    expect(await outcomes).toEqual([done(0), done(1), lost, lost, done(4)]);
  });

  test("thrown before anything is awaited is told too, and the next call is served", async () => {
    let isBroken = true;
    const ask = batched<number, number>((items) => {
      if (isBroken) throw new Error("at once");
      return Promise.resolve(items);
    });
    await expect(ask(1)).rejects.toThrow("at once");
    isBroken = false;
    expect(await ask(2)).toBe(2);
  });
});

import { expect, test } from "vitest";
import { shareFor } from "./share";

function counting() {
  let time = 0;
  const pending: { resolve: (value: number) => void; reject: (error: Error) => void }[] = [];
  const read = () => new Promise<number>((resolve, reject) => void pending.push({ resolve, reject }));
  const readShared = shareFor(1_000, read, () => time);
  return {
    readShared,
    pending,
    advance: (ms: number) => {
      time += ms;
    },
  };
}

test("many calls within the sharing time use one reading, and later calls use a new one", async () => {
  const { readShared, pending, advance } = counting();
  const readings = Array.from({ length: 50 }, readShared);
  pending[0]?.resolve(1);
  expect(new Set(await Promise.all(readings))).toEqual(new Set([1]));
  advance(999);
  expect(await readShared()).toBe(1);
  advance(1);
  void readShared();
  expect(pending).toHaveLength(2);
});

test("a slow reading is shared until it ends, however long it takes", async () => {
  const { readShared, pending, advance } = counting();
  const first = readShared();
  advance(60_000);
  const second = readShared();
  pending[0]?.resolve(1);
  expect(await Promise.all([first, second])).toEqual([1, 1]);
  expect(pending).toHaveLength(1);
});

test("a failed reading is not cached", async () => {
  const { readShared, pending } = counting();
  const failed = readShared();
  pending[0]?.reject(new Error("no answer"));
  await expect(failed).rejects.toThrow("no answer");
  const next = readShared();
  pending[1]?.resolve(2);
  expect(await next).toBe(2);
});

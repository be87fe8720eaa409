import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { edgeErrors } from "@/lib/http/errors";
import { streamOf } from "./open-downloads";

const ONE = new Uint8Array([1]);
async function* parts(count: number, fails = false): AsyncGenerator<Uint8Array> {
  for (let index = 0; index < count; index++) yield ONE;
  if (fails) throw new Error("gone");
}
const isRefused = (of: { caller: string; sale: string }): boolean => {
  try {
    void streamOf(of, parts(1)).cancel();
    return false;
  } catch (error) {
    return edgeErrors.rate_limited.is(error);
  }
};
const bytesIn = async (stream: ReadableStream): Promise<number> =>
  (await new Response(stream).arrayBuffer()).byteLength;

test("a client address may have twelve open downloads, and a sale four", async () => {
  const mine = Array.from({ length: 12 }, (_, index) => streamOf({ caller: "a", sale: `${index}` }, parts(2)));
  expect([isRefused({ caller: "a", sale: "x" }), isRefused({ caller: "b", sale: "x" })]).toEqual([true, false]);
  const sold = Array.from({ length: 4 }, (_, index) => streamOf({ caller: `c${index}`, sale: "s" }, parts(2)));
  expect([isRefused({ caller: "d", sale: "s" }), isRefused({ caller: "d", sale: "t" })]).toEqual([true, false]);
  await Promise.all([...mine, ...sold].map((stream) => stream.cancel()));
  expect([isRefused({ caller: "a", sale: "x" }), isRefused({ caller: "d", sale: "s" })]).toEqual([false, false]);
});

test("a download is open until its last part is read, it fails or its client disconnects", async () => {
  const of = { caller: "e", sale: "e" };
  const held = Array.from({ length: 3 }, () => streamOf(of, parts(2)));
  const reader = streamOf(of, parts(1)).getReader();
  expect(await reader.read()).toEqual({ done: false, value: ONE });
  expect(isRefused(of)).toBe(true);
  expect((await reader.read()).done).toBe(true);
  expect(isRefused(of)).toBe(false);
  await expect(bytesIn(streamOf(of, parts(1, true)))).rejects.toThrow("gone");
  expect(isRefused(of)).toBe(false);
  expect(await Promise.all(held.map(bytesIn))).toEqual([2, 2, 2]);
});

test("a download that takes too long fails, and is no longer open", async () => {
  const of = { caller: "f", sale: "f" };
  const held = Array.from({ length: 4 }, () => streamOf(of, parts(2), 20));
  expect(isRefused(of)).toBe(true);
  await sleep(60);
  expect(isRefused(of)).toBe(false);
  for (const stream of held) await expect(bytesIn(stream)).rejects.toThrow("took too long");
});

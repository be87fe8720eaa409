import { expect, test, vi } from "vitest";

test("two copies of a module share one value, made once", async () => {
  const make = vi.fn(() => new Map<string, number>());
  const first = await import("./once-per-process");
  vi.resetModules();
  const second = await import("./once-per-process");
  expect(second.oncePerProcess).not.toBe(first.oncePerProcess);
  const mine = first.oncePerProcess("test.map", make);
  mine.set("seen", 1);
  expect(second.oncePerProcess("test.map", make).get("seen")).toBe(1);
  expect(make).toHaveBeenCalledTimes(1);
});

test("a value that is undefined or null is made once too, and names do not meet", async () => {
  const { oncePerProcess } = await import("./once-per-process");
  const make = vi.fn(() => null);
  expect([oncePerProcess("test.null", make), oncePerProcess("test.null", make)]).toEqual([null, null]);
  expect(make).toHaveBeenCalledTimes(1);
  expect(oncePerProcess("test.other", () => 2)).toBe(2);
});

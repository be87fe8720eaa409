import { vi } from "vitest";

/** How many characters `run` reads: every method that reads a string is counted, a copy by its length. */
export function countSteps(run: () => unknown): number {
  let steps = 0;
  const count = <A extends unknown[], R>(method: (this: string, ...args: A) => R, weight: (result: R) => number) =>
    function counted(this: string, ...args: A): R {
      const result = method.apply(this, args);
      steps += weight(result);
      return result;
    };
  const text = String.prototype;
  const { charCodeAt, charAt, slice, startsWith } = text;
  vi.spyOn(text, "charCodeAt").mockImplementation(count(charCodeAt, () => 1));
  vi.spyOn(text, "charAt").mockImplementation(count(charAt, () => 1));
  vi.spyOn(text, "startsWith").mockImplementation(count(startsWith, () => 1));
  vi.spyOn(text, "slice").mockImplementation(count(slice, (part) => 1 + part.length));
  try {
    run();
  } finally {
    vi.restoreAllMocks();
  }
  return steps;
}

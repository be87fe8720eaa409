import { toFunctionSelector } from "viem";
import { describe, expect, test } from "vitest";
import { select } from "./abi.ts";
import { COMMANDS } from "./commands.ts";
import type { KnownFunction, Path } from "./effects.ts";
import { FUNCTIONS } from "./functions.ts";

describe("a known function", () => {
  test.each(FUNCTIONS.map((f) => [f.signature.slice(0, 60), f] as const))("%s has the listed selector", (_name, f) => {
    expect(toFunctionSelector(f.signature)).toBe(f.selector);
  });

  test("is listed once", () => {
    expect(new Set(FUNCTIONS.map((f) => f.selector)).size).toBe(FUNCTIONS.length);
    expect(new Set(COMMANDS.map((f) => f.selector)).size).toBe(COMMANDS.length);
  });

  test.each([...FUNCTIONS, ...COMMANDS].map((f) => [f.signature.slice(0, 60), f] as const))(
    "%s names only arguments that it has",
    (_name, f) => {
      for (const path of pathsOf(f)) expect(select(f.types.map(example), path), path.join(".")).not.toEqual([]);
    },
  );
});

/** The places of the effects: paths, and indexes of arguments or, for calls, of members of each item. */
function pathsOf({ effects }: KnownFunction): Path[] {
  return effects.flatMap(({ is, ...places }) => {
    const each = "each" in places ? places.each : [];
    // An item may be the calldata alone.
    const isWhole = is === "calls" && each.at(-1) === "*" && !("to" in places);
    return Object.entries(places).flatMap(([name, place]): Path[] => {
      if (Array.isArray(place)) return [place];
      return typeof place === "number" && name !== "bits" && !isWhole ? [[...each, place]] : [];
    });
  });
}

type Types = KnownFunction["types"][number];
type Example = Parameters<typeof select>[0][number];

function example(type: Types): Example {
  if (type.kind === "tuple") return type.items.map(example);
  if (type.kind === "array") return [example(type.item)];
  return type.kind === "bytes" ? { start: 0, end: 0 } : 0;
}

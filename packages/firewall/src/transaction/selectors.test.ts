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

function pathsOf({ effects }: KnownFunction): Path[] {
  return effects.flatMap((effect): Path[] => {
    switch (effect.is) {
      case "approval":
        return [effect.amount, effect.spender, effect.token ?? []];
      case "oneApproval":
        return [effect.spender];
      case "fullApproval":
        return [effect.allowed, effect.spender];
      case "operator":
        return [effect.operator, effect.allowed ?? []];
      case "transfer":
        return [effect.to, effect.amount ?? [], effect.token ?? []];
      case "refund":
        return [effect.price, effect.token, effect.to, effect.amount ?? []];
      case "handler":
        return [effect.at];
      case "handOver":
        return [[effect.to], [effect.data]];
      case "delegates":
        return [effect.to];
      case "calls":
        return effect.each.at(-1) === "*" && effect.to === undefined
          ? [effect.each]
          : [effect.to ?? 0, effect.value ?? 0, effect.data, effect.operation ?? 0].map((member) => [
              ...effect.each,
              member,
            ]);
      case "parallel":
        return [[effect.to], [effect.value ?? 0], [effect.data]];
      case "multiSend":
        return [[effect.data]];
      case "mode":
        return [[effect.mode], [effect.data]];
      case "commands":
        return [[effect.commands], [effect.inputs]];
      default:
        return [];
    }
  });
}

type Types = KnownFunction["types"][number];
type Example = Parameters<typeof select>[0][number];

function example(type: Types): Example {
  if (type.kind === "tuple") return type.items.map(example);
  if (type.kind === "array") return [example(type.item)];
  return type.kind === "bytes" ? { start: 0, end: 0 } : 0;
}

import { scanTransaction } from "@tessera/firewall";
import { COMMANDS, type Effect, FUNCTIONS, type Path } from "@tessera/firewall/rules";
import { describe, expect, test } from "vitest";
import { argumentNames, NAMES, nameOf } from "./call-tree";

const TOKEN = "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913";
const PERSON = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";

describe("the names of a call's arguments", () => {
  test.each(Object.keys(NAMES))("are listed for %s as the scanner reads them", (signature) => {
    const known = [...FUNCTIONS, ...COMMANDS].filter((one) => one.signature === signature);
    expect(known).not.toEqual([]);
    const names = argumentNames(signature);
    expect(new Set(names).size).toBe(names.length);
    for (const { types, effects } of known) {
      expect(names).toHaveLength(types.length);
      for (const [path, name] of effects.flatMap(rolesOf))
        if (path.length === 1 && typeof path[0] === "number") expect(names[path[0]]).toBe(name);
    }
  });

  test.each([null, "unheardOf(uint256)", "constructor", "__proto__"])("are unknown for %s", (signature) => {
    expect(argumentNames(signature)).toEqual([]);
  });
});

function rolesOf(effect: Effect): [path: Path, name: string][] {
  switch (effect.is) {
    case "approval":
      return [[effect.amount, "amount"], [effect.spender, "spender"], ...tokenOf(effect.token)];
    case "fullApproval":
      return [
        [effect.allowed, "allowed"],
        [effect.spender, "spender"],
      ];
    case "operator":
      return [
        [effect.operator, "operator"],
        ...(effect.allowed ? [[effect.allowed, "allowed"] as [Path, string]] : []),
      ];
    case "transfer":
      return [
        [effect.to, "recipient"],
        ...(effect.amount ? [[effect.amount, "amount"] as [Path, string]] : []),
        ...tokenOf(effect.token),
      ];
    default:
      return [];
  }
}

const tokenOf = (path: Path | undefined): [Path, string][] => (path ? [[path, "token"]] : []);

describe("the displayed name of a call", () => {
  const named = (input: Record<string, string>) => {
    const { findings, normalized } = scanTransaction(input);
    const [call] = normalized.calls;
    return (
      call &&
      nameOf(
        call,
        findings.map(({ code }) => code),
      )
    );
  };

  test.each<[name: string, input: Record<string, string>]>([
    ["plain transfer", { to: PERSON, valueWei: "5" }],
    ["plain transfer", { to: PERSON, data: "0x", valueWei: "5" }],
    ["no call, no value", { to: PERSON, data: "0x" }],
    ["no call, no value", { to: TOKEN }],
    ["native value to a token", { to: TOKEN, valueWei: "5" }],
    ["unreadable calldata", { to: PERSON, data: "0xabcd", valueWei: "5" }],
    ["unreadable calldata", { to: PERSON, data: "zz" }],
    ["unknown function", { to: PERSON, data: "0x12345678", valueWei: "5" }],
    ["transfer(address,uint256)", { to: TOKEN, data: `0xa9059cbb${"0".repeat(126)}01` }],
  ])("(%s) is %j", (name, input) => {
    expect(named(input)).toBe(name);
  });
});

import type { Hex } from "viem";
import { describe, expect, test } from "vitest";
import { approve, call, codesOf, encoded, MAX, plan, router, tree, WORD } from "../../testing/nested-calls.ts";

describe("a marketplace order in a command of the router's first versions", () => {
  const order = (data: Hex) => encoded("uint256, bytes", 10n ** 17n, data);
  const fulfil = call("validate(bytes32)", [WORD]).replace(/^0x.{8}/, "0x5b34b966") as Hex;

  test.each<[name: string, command: Hex]>([
    ["Seaport", "0x10"],
    ["an earlier Seaport", "0x20"],
    ["Seaport, with the flag that allows failure", "0x90"],
  ])("is decoded for %s", (_name, command) => {
    expect(tree(router(command, order(fulfil)))).toMatch(
      /^execute@0x1f98\[SEAPORT_V1_[45]@0x1f98\[incrementCounter@\w+\]\]$/,
    );
    expect(codesOf(router(command, order(fulfil)))).toEqual(["NESTED_CALL"]);
    expect(codesOf(router(command, order(approve(MAX))))).toContain("UNLIMITED_APPROVAL");
  });

  test.each<Hex>(["0x11", "0x12", "0x19", "0x1a", "0x1e"])(
    "is recognised as another marketplace's by the command %s",
    (command) => {
      expect(codesOf(router(command, order(WORD)))).toEqual(["MARKETPLACE_ORDER", "NESTED_CALL"]);
    },
  );

  test("does not hide malformed commands", () => {
    expect(codesOf(router("0x10", plan("0x06", WORD)))).toEqual(["NESTED_CALL"]);
    expect(codesOf(router("0x10", WORD))).toContain("MALFORMED_CALLDATA");
    expect(codesOf(router("0x20", order(fulfil).slice(0, -80) as Hex))).toContain("MALFORMED_CALLDATA");
  });
});

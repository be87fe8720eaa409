import type { Hex } from "viem";
import { describe, expect, test } from "vitest";
import { CONTRACT, call, OTHER } from "../../testing/nested-calls.ts";
import { scanTransaction } from "./scan.ts";

const USDC = "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913";
const PERSON = "0x5b38da6a701c568545dcfcb03fcb875f56beddc4";
const ZERO = "0x0000000000000000000000000000000000000000";
const MAX = 2n ** 256n - 1n;
const MAX160 = 2n ** 160n - 1n;
const WORD = `0x${"11".repeat(32)}` as const;
const SIGNATURE = `0x${"22".repeat(65)}` as const;

const SPEND = "(address,address,address,uint160,uint48,uint48,uint48,uint256,bytes)";
const spend = (allowance: bigint, token: Hex = USDC) => [PERSON, OTHER, token, allowance, 86_400, 1, 2, 3n, "0x"];

const judge = (data: Hex) => {
  const { verdict, findings } = scanTransaction({ to: CONTRACT, data });
  return [verdict, ...new Set(findings.map(({ code }) => code).sort())].join(" ");
};

const APPROVED = "review TOKEN_APPROVAL";
const UNLIMITED = "block TOKEN_APPROVAL UNLIMITED_APPROVAL";
const OPERATOR = "block OPERATOR_APPROVAL UNLIMITED_APPROVAL";

describe("the approval of a number that may be a single token's", () => {
  /** As names' numbers are: a hash. */
  const NAME = 0x9c3f81d27be40a65c8b1f0937d2e46aa5f0c8e71b3d96f204a8ce15b7390d2e7n;
  const approve = (amount: bigint) => call("approve(address,uint256)", [OTHER, amount]);
  const verdictAt = (to: Hex, data: Hex) => {
    const { verdict, findings } = scanTransaction({ to, data });
    return [verdict, ...findings.map(({ code, severity }) => `${code} ${severity}`)].join(" ");
  };

  test("needs a person's look, since a contract that is no collection would read an allowance without a limit", () => {
    expect(verdictAt(CONTRACT, approve(NAME))).toBe("review TOKEN_APPROVAL high TOKEN_APPROVAL medium");
    expect(verdictAt(CONTRACT, call("multicall(bytes[])", [[approve(NAME)]]))).toMatch(/^review TOKEN_APPROVAL high/);
  });

  test.each<[name: string, amount: bigint]>([
    ["the highest", MAX],
    ["nearly the highest", MAX - 12_345n],
    ["half of it", 2n ** 255n],
    ["the highest of 160 bits", MAX160],
    ["a round one", 10n ** 60n],
    ["a round one with many digits before", 115_792_089_237_316_195_423n * 10n ** 54n],
    ["the word of ones", BigInt(WORD)],
  ])("is unlimited if it is %s", (_name, amount) => {
    expect(verdictAt(CONTRACT, approve(amount))).toBe("block UNLIMITED_APPROVAL critical TOKEN_APPROVAL medium");
  });

  test("is unlimited for a known token, and by a function that knows no single token", () => {
    expect(verdictAt(USDC, approve(NAME))).toMatch(/^block UNLIMITED_APPROVAL/);
    expect(judge(call("increaseAllowance(address,uint256)", [OTHER, NAME]))).toBe(UNLIMITED);
  });
});

describe("an approval by another name", () => {
  const delegation = "delegationWithSig(address,address,uint256,uint256,uint8,bytes32,bytes32)";
  const allowBySig = "allowBySig(address,address,bool,uint256,uint256,uint8,bytes32,bytes32)";
  const authorize = "setAuthorizationWithSig((address,address,bool,uint256,uint256),(uint8,bytes32,bytes32))";
  const batch =
    "approveBatchWithSignature((address,uint48,uint48,uint48,(address,address,uint160,uint256,bytes)[]),bytes)";
  const spends = (...amounts: bigint[]) => [
    PERSON,
    86_400,
    1,
    2,
    amounts.map((amount) => [OTHER, USDC, amount, 3n, "0x"]),
  ];
  test.each<[name: string, signature: string, given: unknown[], found: string, taken: unknown[]]>([
    ["Aave's delegation of credit", "approveDelegation(address,uint256)", [OTHER, 5n], APPROVED, [OTHER, 0n]],
    ["all of Aave's credit", "approveDelegation(address,uint256)", [OTHER, MAX], UNLIMITED, [OTHER, 0n]],
    [
      "the same signed",
      delegation,
      [PERSON, OTHER, MAX, 1n, 27, WORD, WORD],
      UNLIMITED,
      [PERSON, OTHER, 0n, 1n, 27, WORD, WORD],
    ],
    ["Compound's manager", "allow(address,bool)", [OTHER, true], OPERATOR, [OTHER, false]],
    [
      "the same signed",
      allowBySig,
      [PERSON, OTHER, true, 0n, 1n, 27, WORD, WORD],
      OPERATOR,
      [PERSON, OTHER, false, 0n, 1n, 27, WORD, WORD],
    ],
    ["Morpho's authorization", "setAuthorization(address,bool)", [OTHER, true], OPERATOR, [OTHER, false]],
    [
      "the same signed",
      authorize,
      [
        [PERSON, OTHER, true, 0n, 1n],
        [27, WORD, WORD],
      ],
      OPERATOR,
      [
        [PERSON, OTHER, false, 0n, 1n],
        [27, WORD, WORD],
      ],
    ],
    [
      "Balancer's relayer",
      "setRelayerApproval(address,address,bool)",
      [PERSON, OTHER, true],
      OPERATOR,
      [PERSON, OTHER, false],
    ],
    ["an operator of a multi-token", "setOperator(address,bool)", [OTHER, true], OPERATOR, [OTHER, false]],
    [
      "an operator by signature",
      "permitForAll(address,address,bool,uint256,uint256,bytes)",
      [PERSON, OTHER, true, 1n, 0n, SIGNATURE],
      OPERATOR,
      [PERSON, OTHER, false, 1n, 0n, SIGNATURE],
    ],
    [
      "a permit of one token (ERC-4494)",
      "permit(address,uint256,uint256,bytes)",
      [OTHER, MAX, 1n, SIGNATURE],
      APPROVED,
      [ZERO, MAX, 1n, SIGNATURE],
    ],
    [
      "a permit of a position",
      "permit(address,uint256,uint256,uint8,bytes32,bytes32)",
      [OTHER, 7n, 1n, 27, WORD, WORD],
      APPROVED,
      [ZERO, 7n, 1n, 27, WORD, WORD],
    ],
    [
      "a permit of a newer position",
      "permit(address,uint256,uint256,uint256,bytes)",
      [OTHER, 7n, 1n, 0n, SIGNATURE],
      APPROVED,
      [ZERO, 7n, 1n, 0n, SIGNATURE],
    ],
    ["a spend permission", `approve(${SPEND})`, [spend(5n)], APPROVED, [spend(0n)]],
    ["a spend permission without limit", `approve(${SPEND})`, [spend(MAX160)], UNLIMITED, [spend(0n)]],
    ["a spend permission of a trillion USDC", `approve(${SPEND})`, [spend(10n ** 18n)], UNLIMITED, [spend(0n)]],
    [
      "a spend permission over an unknown token",
      `approve(${SPEND})`,
      [spend(10n ** 18n, CONTRACT)],
      APPROVED,
      [spend(0n)],
    ],
    [
      "a signed spend permission",
      `approveWithSignature(${SPEND},bytes)`,
      [spend(MAX160), SIGNATURE],
      UNLIMITED,
      [spend(0n), SIGNATURE],
    ],
    [
      "one spend permission for another",
      `approveWithRevoke(${SPEND},${SPEND},(uint48,uint48,uint160))`,
      [spend(5n), spend(MAX160), [1, 2, 0n]],
      APPROVED,
      [spend(0n), spend(MAX160), [1, 2, 0n]],
    ],
    ["a batch of spend permissions", batch, [spends(5n, MAX160), SIGNATURE], UNLIMITED, [spends(0n, 0n), SIGNATURE]],
    ["an approval that calls its spender", "approveAndCall(address,uint256)", [OTHER, 5n], APPROVED, [OTHER, 0n]],
    [
      "an approval of a multi-token's id",
      "approve(address,uint256,uint256)",
      [OTHER, 7n, MAX],
      UNLIMITED,
      [OTHER, 7n, 0n],
    ],
  ])("(%s) is found, and its revocation passes", (_name, signature, given, found, taken) => {
    expect(judge(call(signature, given))).toBe(found);
    expect(judge(call(signature, taken))).toBe("pass");
  });

  test.each<[given: Hex, taken: Hex]>([
    [call("hope(address)", [OTHER]), call("nope(address)", [OTHER])],
    [call("authorizeOperator(address)", [OTHER]), call("revokeOperator(address)", [OTHER])],
  ])("can have separate functions to add and to remove an operator", (given, taken) => {
    expect([judge(given), judge(taken)]).toEqual([OPERATOR, "pass"]);
  });

  test.each<[name: string, data: Hex]>([
    ["decreaseAllowance", call("decreaseAllowance(address,uint256)", [OTHER, MAX])],
    ["Permit2's lockdown", call("lockdown((address,address)[])", [[[USDC, OTHER]]])],
    ["a spend permission's end", call(`revoke(${SPEND})`, [spend(MAX160)])],
    ["its end by the spender", call(`revokeAsSpender(${SPEND})`, [spend(MAX160)])],
  ])("is revoked by %s, which passes", (_name, data) => {
    expect(judge(data)).toBe("pass");
  });

  test("that is a spend permission moves another account's tokens when it is used", () => {
    expect(judge(call(`spend(${SPEND},uint160)`, [spend(5n), 5n]))).toBe("review SUSPICIOUS_FUNCTION");
  });

  test.each<[signature: string, args: (spender: Hex) => unknown[]]>([
    ["hope(address)", (spender) => [spender]],
    ["allow(address,bool)", (spender) => [spender, true]],
    ["permit(address,uint256,uint256,bytes)", (spender) => [spender, 7n, 1n, SIGNATURE]],
    [`approve(${SPEND})`, (spender) => [[PERSON, spender, USDC, 5n, 1, 1, 2, 3n, "0x"]]],
  ])("(%s) is reported if its spender resembles the declared one", (signature, args) => {
    const poisoned = `${OTHER.slice(0, 6)}${"9".repeat(32)}${OTHER.slice(-4)}` as Hex;
    const isFound = (spender: Hex) =>
      scanTransaction({ to: CONTRACT, data: call(signature, args(spender)), context: `for ${OTHER}` }).findings.some(
        ({ code }) => code === "ADDRESS_LOOKALIKE",
      );
    expect([isFound(poisoned), isFound(OTHER)]).toEqual([true, false]);
  });
});

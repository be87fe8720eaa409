import type { Hex } from "viem";
import { describe, expect, test } from "vitest";
import {
  approve,
  CONTRACT,
  call,
  lookalikeOf,
  MAX,
  MAX160,
  multicall,
  OTHER,
  PERSON,
  SIGNATURE,
  scan,
  USDC,
  WORD,
  ZERO,
} from "../../testing/nested-calls.ts";
import { codesIn, outcomeOf } from "../../testing/outcomes.ts";
import { scanTransaction } from "./scan.ts";

const SPEND = "(address,address,address,uint160,uint48,uint48,uint48,uint256,bytes)";
/** An allowance, whether it is one, or its spender. */
type Given = bigint | boolean | Hex;
const spend = (allowance: Given, token: Hex = USDC) => [PERSON, OTHER, token, allowance, 86_400, 1, 2, 3n, "0x"];

const PERMIT_ONE = "permit(address,uint256,uint256,bytes)";

const judge = (data: Hex) => outcomeOf(scan(data));

const APPROVED = "review TOKEN_APPROVAL";
const UNLIMITED = "block TOKEN_APPROVAL UNLIMITED_APPROVAL";
const OPERATOR = "block OPERATOR_APPROVAL UNLIMITED_APPROVAL";

describe("the approval of a number that may be a single token's", () => {
  /** As names' numbers are: a hash. */
  const NAME = 0x9c3f81d27be40a65c8b1f0937d2e46aa5f0c8e71b3d96f204a8ce15b7390d2e7n;
  const verdictAt = (to: Hex, data: Hex) => {
    const { verdict, findings } = scanTransaction({ to, data });
    return [verdict, ...findings.map(({ code, severity }) => `${code} ${severity}`)].join(" ");
  };

  test("needs a person's look, since a contract that is no collection would read an allowance without a limit", () => {
    expect(verdictAt(CONTRACT, approve(NAME))).toBe("review TOKEN_APPROVAL high TOKEN_APPROVAL medium");
    expect(verdictAt(CONTRACT, multicall(approve(NAME)))).toMatch(/^review TOKEN_APPROVAL high/);
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
  const position = "permit(address,uint256,uint256,uint8,bytes32,bytes32)";
  const replacing = `approveWithRevoke(${SPEND},${SPEND},(uint48,uint48,uint160))`;
  const batch =
    "approveBatchWithSignature((address,uint48,uint48,uint48,(address,address,uint160,uint256,bytes)[]),bytes)";
  const spends = (...amounts: Given[]) => {
    const each = amounts.map((amount) => [OTHER, USDC, amount, 3n, "0x"]);
    return [PERSON, 86_400, 1, 2, each];
  };
  const bySignature = [27, WORD, WORD];
  const bySpender = [0n, 1n, ...bySignature];
  const authorize = "setAuthorizationWithSig((address,address,bool,uint256,uint256),(uint8,bytes32,bytes32))";
  const permitForAll = "permitForAll(address,address,bool,uint256,uint256,bytes)";
  const newer = "permit(address,uint256,uint256,uint256,bytes)";

  type Case = [name: string, signature: string, args: (given: Given) => unknown[], given: Given, found: string];
  test.each<Case>([
    ["Aave's delegation of credit", "approveDelegation(address,uint256)", (x) => [OTHER, x], 5n, APPROVED],
    ["all of Aave's credit", "approveDelegation(address,uint256)", (x) => [OTHER, x], MAX, UNLIMITED],
    ["the same signed", delegation, (x) => [PERSON, OTHER, x, 1n, ...bySignature], MAX, UNLIMITED],
    ["Compound's manager", "allow(address,bool)", (x) => [OTHER, x], true, OPERATOR],
    ["the same signed", allowBySig, (x) => [PERSON, OTHER, x, ...bySpender], true, OPERATOR],
    ["Morpho's authorization", "setAuthorization(address,bool)", (x) => [OTHER, x], true, OPERATOR],
    ["the same signed", authorize, (x) => [[PERSON, OTHER, x, 0n, 1n], bySignature], true, OPERATOR],
    ["Balancer's relayer", "setRelayerApproval(address,address,bool)", (x) => [PERSON, OTHER, x], true, OPERATOR],
    ["an operator of a multi-token", "setOperator(address,bool)", (x) => [OTHER, x], true, OPERATOR],
    ["an operator by signature", permitForAll, (x) => [PERSON, OTHER, x, 1n, 0n, SIGNATURE], true, OPERATOR],
    ["a permit of one token (ERC-4494)", PERMIT_ONE, (x) => [x, MAX, 1n, SIGNATURE], OTHER, APPROVED],
    ["a permit of a position", position, (x) => [x, 7n, 1n, ...bySignature], OTHER, APPROVED],
    ["a permit of a newer position", newer, (x) => [x, 7n, 1n, 0n, SIGNATURE], OTHER, APPROVED],
    ["a spend permission", `approve(${SPEND})`, (x) => [spend(x)], 5n, APPROVED],
    ["a spend permission without limit", `approve(${SPEND})`, (x) => [spend(x)], MAX160, UNLIMITED],
    ["a spend permission of a trillion USDC", `approve(${SPEND})`, (x) => [spend(x)], 10n ** 18n, UNLIMITED],
    ["one over an unknown token", `approve(${SPEND})`, (x) => [spend(x, CONTRACT)], 10n ** 18n, APPROVED],
    ["a signed one", `approveWithSignature(${SPEND},bytes)`, (x) => [spend(x), SIGNATURE], MAX160, UNLIMITED],
    ["one for another", replacing, (x) => [spend(x), spend(MAX160), [1, 2, 0n]], 5n, APPROVED],
    ["a batch of spend permissions", batch, (x) => [spends(x && 5n, x), SIGNATURE], MAX160, UNLIMITED],
    ["an approval that calls its spender", "approveAndCall(address,uint256)", (x) => [OTHER, x], 5n, APPROVED],
    ["an approval of a multi-token's id", "approve(address,uint256,uint256)", (x) => [OTHER, 7n, x], MAX, UNLIMITED],
  ])("(%s) is found, and its revocation passes", (_name, signature, args, given, found) => {
    const taken = typeof given === "bigint" ? 0n : given === true ? false : ZERO;
    expect(judge(call(signature, args(given)))).toBe(found);
    expect(judge(call(signature, args(taken)))).toBe("pass");
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
    [PERMIT_ONE, (spender) => [spender, 7n, 1n, SIGNATURE]],
    [`approve(${SPEND})`, (spender) => [[PERSON, spender, USDC, 5n, 1, 1, 2, 3n, "0x"]]],
  ])("(%s) is reported if its spender resembles the declared one", (signature, args) => {
    const codesFor = (spender: Hex) =>
      codesIn(scanTransaction({ to: CONTRACT, data: call(signature, args(spender)), context: `for ${OTHER}` }));
    expect(codesFor(lookalikeOf(OTHER))).toContain("ADDRESS_LOOKALIKE");
    expect(codesFor(OTHER)).not.toContain("ADDRESS_LOOKALIKE");
  });
});

import { concatHex, encodePacked, type Hex } from "viem";
import { describe, expect, test } from "vitest";
import {
  approve,
  batch,
  CONTRACT,
  call,
  codesOf,
  DEAD,
  encoded,
  execute,
  HANDLER,
  handleOps,
  MAX,
  mode,
  multicall,
  OPERATION,
  OTHER,
  operation,
  PERSON,
  safe,
  said,
  scan,
  setUp,
  single,
  takeOver,
  transfer,
  tree,
  USDC,
  WORD,
  ZERO,
} from "../../testing/nested-calls.ts";
import { transactionRules } from "./rules.ts";
import { scanTransaction } from "./scan.ts";

const [unlimited, paid] = [approve(MAX), transfer(PERSON)];
const UNLIMITED = ["NESTED_CALL", "TOKEN_APPROVAL", "UNLIMITED_APPROVAL"];
const EXECUTE_USER_OP = "0x8dd7712f";
const userOp = (data: Hex) => call(`executeUserOp(${OPERATION},bytes32)`, [operation(data), WORD]);
const batches = (...inner: Hex[]) => encoded("bytes[]", inner);

describe("an account's operation (ERC-4337)", () => {
  test.each<[name: string, wrap: (data: Hex) => Hex, caller: string]>([
    ["passed to the account", (data) => userOp(concatHex([EXECUTE_USER_OP, data])), "executeUserOp"],
    ["passed to the account without its selector", userOp, "executeUserOp"],
    ["that receives the whole operation", (data) => handleOps(concatHex([EXECUTE_USER_OP, data])), "handleOps"],
    ["as usual", handleOps, "handleOps"],
  ])("(%s) is decoded", (_name, wrap, caller) => {
    expect(tree(wrap(execute(USDC, unlimited)))).toBe(`${caller}@0x1f98[execute@0x5b38[approve@0x8335]]`);
    expect(codesOf(wrap(execute(USDC, unlimited)))).toEqual(UNLIMITED);
    expect(scan(wrap(execute(USDC, paid))).verdict).toBe("pass");
  });

  test("without a call does nothing", () => {
    expect(codesOf(userOp(EXECUTE_USER_OP))).toEqual(["NESTED_CALL"]);
    expect(codesOf(userOp("0x"))).toEqual(["NESTED_CALL"]);
  });

  test.each(["executeUserOp", "executeUserOpWithErrorString"])("of a Safe by %s is decoded", (name) => {
    const data = (inner: Hex, kind: number) => call(`${name}(address,uint256,bytes,uint8)`, [USDC, 0n, inner, kind]);
    expect(tree(data(unlimited, 0))).toBe(`${name}@0x1f98[approve@0x8335]`);
    expect(codesOf(data(unlimited, 0))).toEqual(UNLIMITED);
    expect(codesOf(data(paid, 1))).toEqual(["DELEGATECALL", "NESTED_CALL"]);
    expect(scan(data(paid, 0)).verdict).toBe("pass");
  });

  test.each(["execTransactionFromModule", "execTransactionFromModuleReturnData"])(
    "of a module by %s is decoded",
    (name) => {
      const data = (inner: Hex, kind: number) => call(`${name}(address,uint256,bytes,uint8)`, [USDC, 0n, inner, kind]);
      expect(codesOf(data(unlimited, 0))).toContain("UNLIMITED_APPROVAL");
      expect(codesOf(data(paid, 1))).toContain("DELEGATECALL");
      expect(codesOf(data(paid, 0))).toEqual(["NESTED_CALL", "PRIVILEGED_FUNCTION"]);
    },
  );
});

describe("the setup of a Safe", () => {
  const enable = call("enableModules(address[])", [[OTHER]]);

  test("usually makes no call, has a known handler and pays nobody", () => {
    for (const handler of [HANDLER, ZERO] as const)
      expect(codesOf(setUp({ handler }))).toEqual(["PRIVILEGED_FUNCTION"]);
    expect(tree(setUp({ data: paid }))).toBe("setup@0x1f98");
  });

  test("may delegatecall unknown code", () => {
    expect(codesOf(setUp({ to: OTHER, data: paid }))).toEqual(["DELEGATECALL", "NESTED_CALL", "PRIVILEGED_FUNCTION"]);
    expect(codesOf(setUp({ to: OTHER, data: enable }))).toEqual(["DELEGATECALL", "NESTED_CALL", "PRIVILEGED_FUNCTION"]);
    expect(scan(setUp({ to: OTHER, data: enable })).verdict).toBe("block");
    expect(tree(setUp({ to: OTHER, data: enable }))).toBe("setup@0x1f98[enableModules@0xab84]");
  });

  test("is not a change of ownership, because it had no owner before", () => {
    const library = "0x2dd68b007b46fbe91b9a7c3eda5a7a1063cb5b47";
    for (const data of [setUp({ handler: OTHER }), setUp({ to: library, data: enable })]) {
      expect(codesOf(data)).not.toContain("OWNERSHIP_CHANGE");
      expect(said(data)).toContain(transactionRules.setupControl.message);
    }
    expect(scan(setUp({ handler: OTHER })).verdict).toBe("review");
    // Outside of a set-up, the same call is one.
    expect(codesOf(enable)).toContain("OWNERSHIP_CHANGE");
    const later = multicall(setUp({ to: library, data: enable }), enable);
    expect(codesOf(later)).toContain("OWNERSHIP_CHANGE");
  });

  test("in the form of Safe 1.0 is recognised too", () => {
    const first = "setup(address[],uint256,address,bytes,address,uint256,address)";
    expect(codesOf(call(first, [[PERSON], 1n, ZERO, "0x", ZERO, 0n, ZERO]))).toEqual(["PRIVILEGED_FUNCTION"]);
  });

  test("may pay an address", () => {
    expect(codesOf(setUp({ token: USDC, payment: 5n, receiver: OTHER }))).toEqual([
      "PRIVILEGED_FUNCTION",
      "SUSPICIOUS_FUNCTION",
    ]);
    expect(codesOf(setUp({ token: USDC, payment: 5n, receiver: DEAD }))).toContain("BURN_RECIPIENT");
    expect(codesOf(setUp({ token: USDC, payment: 0n, receiver: DEAD }))).toEqual(["PRIVILEGED_FUNCTION"]);
    const amountsOf = (amount: string) =>
      scanTransaction({ to: CONTRACT, data: setUp({ token: USDC, payment: 5n, receiver: OTHER }), amount })
        .findings.map(({ code }) => code)
        .filter((code) => code === "AMOUNT_MISMATCH");
    expect([amountsOf("4"), amountsOf("5")]).toEqual([["AMOUNT_MISMATCH"], []]);
  });

  test.each(["createProxyWithNonce", "createChainSpecificProxyWithNonce"])("by %s is decoded", (name) => {
    const create = (inner: Hex) => call(`${name}(address,bytes,uint256)`, [OTHER, inner, 1n]);
    expect(tree(create(setUp({ to: OTHER, data: paid })))).toBe(`${name}@0x1f98[setup@0xab84[transfer@0xab84]]`);
    expect(codesOf(create(setUp({ to: OTHER, data: paid })))).toContain("DELEGATECALL");
    expect(codesOf(create(setUp({})))).toEqual(["NESTED_CALL", "PRIVILEGED_FUNCTION"]);
  });
});

describe("a Safe's transaction", () => {
  const exec = (...refund: [gasPrice: bigint, gasToken: Hex, receiver: Hex]) =>
    safe(USDC, paid, 0, [100_000n, ...refund]);
  const usual = ["NESTED_CALL", "PRIVILEGED_FUNCTION"];

  test("with a gas refund leads to review", () => {
    expect(codesOf(exec(1n, USDC, OTHER))).toEqual([...usual, "SUSPICIOUS_FUNCTION"]);
    expect(codesOf(exec(1n, ZERO, ZERO))).toEqual([...usual, "SUSPICIOUS_FUNCTION"]);
    expect(scan(exec(1n, USDC, OTHER)).verdict).toBe("review");
    expect(codesOf(exec(1n, USDC, USDC))).toContain("TRANSFER_TO_TOKEN_CONTRACT");
  });

  test("with a gas price of zero has no refund", () => {
    expect(codesOf(exec(0n, USDC, OTHER))).toEqual(usual);
    expect(codesOf(exec(0n, USDC, DEAD))).toEqual(usual);
  });
});

describe("bytes that are passed along with tokens", () => {
  const MOVED = ["SUSPICIOUS_FUNCTION"];
  test.each<[signature: string, args: (data: Hex) => unknown[], codes: string[]]>([
    ["approveAndCall(address,uint256,bytes)", (data) => [OTHER, 5n, data], ["TOKEN_APPROVAL"]],
    ["transferAndCall(address,uint256,bytes)", (data) => [OTHER, 5n, data], []],
    ["send(address,uint256,bytes)", (data) => [OTHER, 5n, data], []],
    ["transferFromAndCall(address,address,uint256,bytes)", (data) => [PERSON, OTHER, 5n, data], MOVED],
    ["operatorSend(address,address,uint256,bytes,bytes)", (data) => [PERSON, OTHER, 5n, data, "0x"], MOVED],
  ])("by %s are decoded if they are a call", (signature, args, codes) => {
    const data = call(signature, args(execute(USDC, unlimited)));
    const name = signature.slice(0, signature.indexOf("("));
    expect(tree(data)).toBe(`${name}@0x1f98[execute@0xab84[approve@0x8335]]`);
    expect(codesOf(data)).toEqual([...new Set([...codes, ...UNLIMITED])].sort());
  });

  test.each<[name: string, data: Hex]>([
    ["nothing", "0x"],
    ["a word", WORD],
    ["an unknown function", `0x12345678${"00".repeat(32)}`],
    ["a selector with other arguments", unlimited.slice(0, -2) as Hex],
    ["a selector with dirty arguments", `0x095ea7b3${"f".repeat(128)}`],
    ["a call with more behind it", concatHex([unlimited, WORD])],
  ])("are ignored if they are %s", (_name, data) => {
    const passed = call("transferAndCall(address,uint256,bytes)", [OTHER, 5n, data]);
    expect([tree(passed), scan(passed).findings]).toEqual(["transferAndCall@0x1f98", []]);
  });
});

describe("an execution mode (ERC-7579, ERC-7821)", () => {
  const BATCHES = "0x01000000000078210002";
  test.each<[name: string, data: (inner: Hex) => Hex]>([
    ["of one call", (inner) => mode("0x00", single(USDC, inner))],
    ["of a batch", (inner) => mode("0x01", batch(USDC, paid, inner))],
    [
      "of a batch with a note",
      (inner) =>
        mode("0x01000000000078210001", encoded("(address, uint256, bytes)[], bytes", [[USDC, 0n, inner]], WORD)),
    ],
    ["of batches of batches", (inner) => mode(BATCHES, batches(batch(USDC, paid), batch(USDC, paid, inner)))],
  ])("(%s) is decoded", (_name, data) => {
    expect(codesOf(data(unlimited))).toEqual(UNLIMITED);
    expect(scan(data(paid)).verdict).toBe("pass");
    expect(tree(data(unlimited))).toMatch(/^execute@0x1f98\[(?:transfer@0x8335 )*approve@0x8335\]$/);
  });

  test("with a delegatecall runs foreign code, and its calldata is decoded", () => {
    const data = (inner: Hex) => mode("0xff", encodePacked(["address", "bytes"], [OTHER, inner]));
    expect(codesOf(data(paid))).toEqual(["DELEGATECALL", "NESTED_CALL"]);
    expect(tree(data(unlimited))).toBe("execute@0x1f98[approve@0xab84]");
  });

  test("to the zero address calls the account itself", () => {
    expect(tree(mode("0x00", single(ZERO, paid)))).toBe("execute@0x1f98[transfer@0x1f98]");
    expect(tree(mode(BATCHES, batches(batch(ZERO, paid))))).toBe("execute@0x1f98[transfer@0x1f98]");
  });

  test("of an unknown type is opaque, and an unreadable one is malformed", () => {
    expect(said(mode("0x02", batch(USDC, paid)))).toEqual([transactionRules.opaqueNestedCall.message]);
    expect(codesOf(mode("0x01", paid))).toEqual(["MALFORMED_CALLDATA"]);
    expect(codesOf(mode(BATCHES, batch(USDC, paid)))).toEqual(["MALFORMED_CALLDATA"]);
    expect(codesOf(mode(BATCHES, batches(batch(USDC, unlimited), paid)))).toEqual(["MALFORMED_CALLDATA", ...UNLIMITED]);
  });
});

describe("a rule with many matches", () => {
  const many = (count: number) => multicall(...Array<Hex>(count).fill(unlimited));

  test("is listed in the order of the calls, up to the limit", () => {
    const { findings } = scan(many(190));
    expect(findings).toHaveLength(50);
    const unlimited = findings.filter(({ code }) => code === "UNLIMITED_APPROVAL").map(({ field }) => field);
    expect(unlimited).toEqual(Array.from({ length: 48 }, (_, index) => `calls[0].calls[${index}]`));
  });

  test("does not hide other rules", () => {
    const { findings } = scan(multicall(...Array<Hex>(190).fill(unlimited), takeOver));
    expect(findings).toContainEqual(
      expect.objectContaining({ code: "OWNERSHIP_CHANGE", field: "calls[0].calls[190]" }),
    );
  });
});

import { getAddress, type Hex } from "viem";
import { describe, expect, test } from "vitest";
import { approve, call, PERMIT2, PERSON, transfer, CONTRACT as UNKNOWN } from "../../testing/nested-calls.ts";
import { scanTransaction } from "../transaction/scan.ts";
import { KNOWN_TOKENS } from "./known-tokens.ts";

const NATIVE = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee";
const BASE_USDC = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";

const isUnlimited = (input: object) =>
  scanTransaction(input).findings.some(({ code }) => code === "UNLIMITED_APPROVAL");
const named = KNOWN_TOKENS.map((token) => [`${token.symbol} on ${token.chainId}`, token] as const);

describe("a known token", () => {
  test.each(named)("%s has a checksummed address and is listed once", (_name, { chainId, address }) => {
    expect(getAddress(address)).toBe(address);
    expect(KNOWN_TOKENS.filter((token) => token.chainId === chainId && token.address === address)).toHaveLength(1);
  });

  test.each(named)("%s has a ceiling for allowances", (_name, { chainId, address, ceiling }) => {
    expect(isUnlimited({ chainId, to: address, data: approve(ceiling, PERSON) })).toBe(true);
    expect(isUnlimited({ chainId, to: address, data: approve(ceiling - 1n, PERSON) })).toBe(false);
    expect(isUnlimited({ chainId: 59144, to: address, data: approve(ceiling, PERSON) })).toBe(false);
  });

  test.each(named)("%s is a token contract, and a transfer to it is reported", (_name, { chainId, address }) => {
    const { findings } = scanTransaction({ chainId, to: UNKNOWN, data: transfer(getAddress(address), 5n) });
    expect(findings.map(({ code }) => code)).toEqual(["TRANSFER_TO_TOKEN_CONTRACT"]);
  });
});

test("native value may be sent to a contract that wraps it, not to another token", () => {
  const codesOf = (chainId: number, to: string) =>
    scanTransaction({ chainId, to, valueWei: "1" }).findings.map(({ code }) => code);
  for (const { chainId, address, takesCoin } of KNOWN_TOKENS)
    expect(codesOf(chainId, address).includes("TRANSFER_TO_TOKEN_CONTRACT")).toBe(!takesCoin);
});

test.each([
  [8453, 10n ** 27n],
  [137, 10n ** 29n],
])("a Permit2 approval has the ceiling of the named token, and of the coin of chain %s", (chainId, ceiling) => {
  const permit = (token: Hex, amount: bigint) => ({
    chainId,
    to: PERMIT2,
    data: call("approve(address,address,uint160,uint48)", [token, PERSON, amount, 1]),
  });
  expect(isUnlimited(permit(NATIVE, ceiling))).toBe(true);
  expect(isUnlimited(permit(NATIVE, ceiling - 1n))).toBe(false);
  expect(isUnlimited(permit(UNKNOWN, ceiling))).toBe(false);
});

test("a declared amount is compared with the ceiling of its token", () => {
  const declared = (chainId: number, amount: bigint) =>
    isUnlimited({ chainId, to: BASE_USDC, data: "0x", function: "approve", amount: `${amount}` });
  expect(declared(8453, 10n ** 18n)).toBe(true);
  expect(declared(8453, 10n ** 18n - 1n)).toBe(false);
  expect(declared(1, 10n ** 18n)).toBe(false);
});

import { hashTypedData } from "viem";
import { expect, test } from "vitest";
import { NETWORKS } from "./networks.ts";
import { TRANSFER_TYPE_TEXT, tokenDomain, transferTypedData } from "./transfer.ts";

const message = {
  from: `0x${"aa".repeat(20)}`,
  to: `0x${"bb".repeat(20)}`,
  value: 5n,
  validAfter: 0n,
  validBefore: 1_900_000_000n,
  nonce: `0x${"cc".repeat(32)}`,
} as const;

test("the text of the type is EIP-712's", () => {
  expect(TRANSFER_TYPE_TEXT).toBe(
    "TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)",
  );
});

test("decimal strings, which survive JSON, are signed as the same transfer", () => {
  const { value, validAfter, validBefore, ...rest } = message;
  const strings = { ...rest, value: `${value}`, validAfter: `${validAfter}`, validBefore: `${validBefore}` };
  const overJson = JSON.parse(JSON.stringify(transferTypedData(NETWORKS.base, strings)));
  expect(hashTypedData(overJson)).toBe(hashTypedData(transferTypedData(NETWORKS.base, message)));
});

test("each network's token has a domain of its own", () => {
  expect(tokenDomain(NETWORKS.base)).toEqual({
    name: "USD Coin",
    version: "2",
    chainId: 8453,
    verifyingContract: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
  });
  expect(tokenDomain(NETWORKS["base-sepolia"])).not.toEqual(tokenDomain(NETWORKS.base));
});

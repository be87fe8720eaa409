import { expect, test } from "vitest";
import { NETWORKS } from "./networks.ts";
import { TRANSFER_TYPE_TEXT, tokenDomain } from "./transfer.ts";

test("the type's text is the one of EIP-712", () => {
  expect(TRANSFER_TYPE_TEXT).toBe(
    "TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)",
  );
});

test("each network's token has its own EIP-712 domain", () => {
  expect(tokenDomain(NETWORKS.base)).toEqual({
    name: "USD Coin",
    version: "2",
    chainId: 8453,
    verifyingContract: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
  });
  expect(tokenDomain(NETWORKS["base-sepolia"])).not.toEqual(tokenDomain(NETWORKS.base));
});

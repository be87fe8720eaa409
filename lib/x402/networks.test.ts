import { expect, test } from "vitest";
import { networkText } from "./network-text";
import { NETWORKS, networkNamed } from "./networks";

test("a network is named by its x402 v1 name or its CAIP-2 id, and by nothing else", () => {
  for (const text of ["base", "eip155:8453"]) expect(networkText.parse(text)).toBe("base");
  for (const text of ["base-sepolia", "eip155:84532"]) expect(networkText.parse(text)).toBe("base-sepolia");
  for (const text of ["", "Base", "BASE", "base ", "8453", "eip155:1", "eip155:08453", "ethereum", "__proto__"]) {
    expect(networkNamed(text), text).toBeNull();
    expect(networkText.safeParse(text).success, text).toBe(false);
  }
});

test("the tokens are Circle's own, checksummed as stock clients compare them", () => {
  expect(
    [NETWORKS.base, NETWORKS["base-sepolia"]].map(({ usdc, tokenName, tokenVersion }) => [
      usdc,
      tokenName,
      tokenVersion,
    ]),
  ).toEqual([
    ["0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", "USD Coin", "2"],
    ["0x036CbD53842c5426634e7929541eC2318f3dCF7e", "USDC", "2"],
  ]);
});

import { expect, test } from "vitest";
import { toAddress, ZERO_ADDRESS } from "@/lib/core/address";
import { newId } from "@/lib/core/ids";
import { NETWORKS } from "@/lib/x402/networks";
import { isFreeFor, isLost } from "./rules";

test("money sent to the zero address or to the token contract counts as lost", () => {
  const addresses = [ZERO_ADDRESS, NETWORKS.base.usdc, NETWORKS["base-sepolia"].usdc];
  expect(addresses.map(isLost)).toEqual([true, true, true]);
  expect(isLost(toAddress(`0x${"aa".repeat(20)}`))).toBe(false);
});

test("an agent can be linked by its own owner and, while it has no owner, by anybody", () => {
  const [mine, other] = [newId("owner"), newId("owner")];
  expect(isFreeFor({ ownerId: null }, mine)).toBe(true);
  expect(isFreeFor({ ownerId: mine }, mine)).toBe(true);
  expect(isFreeFor({ ownerId: other }, mine)).toBe(false);
});

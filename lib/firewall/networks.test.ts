import { KNOWN_TOKENS, NETWORKS as SCANNED } from "@tessera/firewall/rules";
import { expect, test } from "vitest";
import { NETWORKS } from "@/lib/x402/networks";

const ours = Object.values(NETWORKS).map(({ name, chainId, caip2, usdc }) => ({ name, chainId, caip2, usdc }));

test("the scanners know the networks that are paid on, and no other", () => {
  expect(SCANNED).toEqual(ours);
});

test("the USDC of every network that is paid on is a known token", () => {
  for (const { chainId, usdc } of ours)
    expect(KNOWN_TOKENS).toContainEqual(expect.objectContaining({ chainId, address: usdc, symbol: "USDC" }));
});

import { KNOWN_TOKENS } from "@tessera/firewall/rules";
import { NETWORKS } from "@tessera/x402/networks";
import { expect, test } from "vitest";

test("the firewall knows the USDC contract of every network that the service pays on", () => {
  for (const { chainId, usdc } of Object.values(NETWORKS))
    expect(KNOWN_TOKENS).toContainEqual(expect.objectContaining({ chainId, address: usdc, symbol: "USDC" }));
});

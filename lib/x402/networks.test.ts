import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { NETWORKS as FIREWALL_NETWORKS } from "@tessera/firewall/rules";
import { expect, test } from "vitest";
import { NETWORKS as CLIENT_NETWORKS } from "@/packages/client/src/offers";
import { networkText } from "./network-text";
import { NETWORK_NAMES, NETWORKS, networkNamed } from "./networks";

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

/** What is signed has its own names, and examples are of some network. */
const MAY_NAME = [
  "lib/x402/networks.ts",
  "lib/confirmations/actions.ts",
  "components/firewall/gallery-requirements.ts",
  "components/firewall/editor.tsx",
  "components/home/home.tsx",
  "components/payouts/batch.ts",
];

test("no other source names a network: a third one needs a row and nothing else", () => {
  const files = ["app", "components", "lib"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => join(folder, file)),
  );
  const sources = files.filter(
    (file) => /(?<!\.test)\.tsx?$/.test(file) && !MAY_NAME.includes(file) && !file.startsWith("lib/openapi/reference/"),
  );
  expect(sources.length).toBeGreaterThan(900);
  expect(sources.filter((file) => /"base(?:-sepolia)?"/.test(readFileSync(file, "utf8")))).toEqual([]);
});

test("the client and the firewall, which stand alone, have the same networks", () => {
  for (const name of NETWORK_NAMES) {
    const { chainId, caip2, usdc, tokenName, tokenVersion } = NETWORKS[name];
    expect(CLIENT_NETWORKS[name]).toEqual({ caip2, usdc, name: tokenName, version: tokenVersion });
    expect(FIREWALL_NETWORKS).toContainEqual({ name, chainId, caip2, usdc });
  }
  expect(Object.keys(CLIENT_NETWORKS)).toHaveLength(NETWORK_NAMES.length);
  expect(FIREWALL_NETWORKS).toHaveLength(NETWORK_NAMES.length);
});

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { NETWORK_NAMES, NETWORKS, networkNamed } from "./networks.ts";

test("a network is found by its x402 v1 name or its CAIP-2 id, and by nothing else", () => {
  for (const text of ["base", "eip155:8453"]) expect(networkNamed(text)).toBe(NETWORKS.base);
  for (const text of ["base-sepolia", "eip155:84532"]) expect(networkNamed(text)).toBe(NETWORKS["base-sepolia"]);
  for (const value of ["", "Base", "8453", 8453, "eip155:1", "eip155:08453", "__proto__", null, undefined, {}])
    expect(networkNamed(value)).toBeNull();
});

test("each network's row is consistent", () => {
  for (const name of NETWORK_NAMES) {
    expect(NETWORKS[name].name).toBe(name);
    expect(NETWORKS[name].caip2).toBe(`eip155:${NETWORKS[name].chainId}`);
  }
});

test("the tokens are Circle's, checksummed as stock clients compare them", () => {
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
  "packages/x402/src/networks.ts",
  "packages/client/src/types.ts",
  "packages/firewall/src/chain/known-tokens.ts",
  "packages/firewall/src/secrets/forms.ts",
  "lib/confirmations/actions.ts",
  "lib/samples.ts",
  "components/firewall/gallery-requirements.ts",
  "components/firewall/editor.tsx",
  "components/home/home.tsx",
  "components/payouts/batch.ts",
];

test("no other source file names a network, so that a third one needs only a row", () => {
  const packages = ["client", "firewall", "x402"].map((name) => `packages/${name}/src`);
  const files = ["app", "components", "lib", "ops", ...packages].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => join(folder, file)),
  );
  const sources = files.filter((file) => /(?<!\.test)\.tsx?$/.test(file) && !MAY_NAME.includes(file));
  expect(sources.length).toBeGreaterThan(900);
  // Examples in docstrings name one, as users do.
  const codeOf = (file: string) => readFileSync(file, "utf8").replace(/^\s*\*.*$/gm, "");
  expect(sources.filter((file) => /"base(?:-sepolia)?"/.test(codeOf(file)))).toEqual([]);
});

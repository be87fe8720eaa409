import { readFileSync } from "node:fs";
import * as client from "@tessera/client/vault";
import { encodeFunctionData, getAddress, keccak256, maxUint96, toHex } from "viem";
import { expect, test } from "vitest";
import { toAddress } from "@/lib/core/address";
import { toUsdc } from "@/lib/core/money";
import { SETTLER, SETTLER_CODE } from "@/lib/settlements/relayer/settler";
import { NETWORKS } from "@/lib/x402/networks";
import { checksummed } from "@/packages/client/src/vault/bytes";
import { keccak256 as clientKeccak } from "@/packages/client/src/vault/keccak";
import { vaultCode as clientCode } from "@/packages/client/src/vault/terms";
import { openCall, revokeCall } from "@/tests/support/vault-calls";
import { withdrawCall } from "./calls";
import { VAULT_CONTRACTS } from "./contracts";
import { vaultFile } from "./file";
import { type Terms, termsText, vaultAddress, vaultCode } from "./terms";

/** The client derives addresses and calls with separate code: both must agree. */
const hash = (n: number) => keccak256(toHex(n));
const address = (n: number) => toAddress(hash(n).slice(0, 42));

const ALL: Terms[] = [0, 1, 2, 3].map((n) => ({
  contractVersion: n === 1 ? 1 : 2,
  token: NETWORKS[n % 2 === 0 ? "base" : "base-sepolia"].usdc,
  owner: address(4 * n + 1),
  signer: address(4 * n + 2),
  agent: n < 2 ? null : address(4 * n + 3),
  start: n * 1_000,
  end: n === 3 ? 2 ** 48 - 1 : 1_900_000_000,
  limit: toUsdc(n === 3 ? maxUint96 : 25_000_000n),
  perPayment: n === 0 ? null : toUsdc(5n),
  release: n < 2 ? null : { amount: toUsdc(30n), seconds: 86_400 },
  payees: n < 3 ? null : hash(9),
  mandate: hash(n),
}));

test.each(ALL)("the client and the service derive the same vault from the terms %o", (terms) => {
  const file = vaultFile(terms);
  expect(termsText.parse(file.terms)).toEqual(terms);
  const vault = client.vaultOf(JSON.stringify(file));
  expect(vault.address).toBe(vaultAddress(terms));
  expect(vault.chainId).toBe(Object.values(NETWORKS).find(({ usdc }) => usdc === terms.token)?.chainId);
  expect(clientCode(vault.terms)).toBe(vaultCode(terms).toLowerCase());
  const [revoke, withdraw, open, cancel] = client.ownerActions(vault);
  const same = ({ to, data }: { to: string; data: string }) => ({ to, data });
  expect([revoke, withdraw, open].map((action) => action && same(action))).toEqual([
    ...[revokeCall(vaultAddress(terms)), withdrawCall(vaultAddress(terms)), openCall(terms)],
  ]);
  const abi = [
    { type: "function", name: "approve", inputs: [{ type: "address" }, { type: "uint256" }], outputs: [] },
  ] as const;
  expect(cancel?.data).toBe(encodeFunctionData({ abi, functionName: "approve", args: [vaultAddress(terms), 0n] }));
  expect(cancel?.to).toBe(terms.token);
});

test("the client's contract addresses are those written by `npm run contracts`", () => {
  for (const version of [1, 2] as const) {
    const { factory, implementation } = VAULT_CONTRACTS[version];
    expect(client.VAULT_CONTRACTS[version]).toEqual({
      factory: factory.address,
      implementation: implementation.address,
      implementationHash: keccak256(implementation.code),
    });
  }
});

test("docs/contracts.md publishes the contracts' addresses and hashes", () => {
  const page = readFileSync("docs/contracts.md", "utf8");
  const settler = { name: "settler", address: SETTLER, code: SETTLER_CODE };
  const vaults = Object.values(VAULT_CONTRACTS).flatMap(({ factory, implementation }) => [factory, implementation]);
  for (const { name, address, code } of [...vaults, settler]) {
    expect(page.toLowerCase()).toContain(`| ${name} | \`${address}\` | \`${keccak256(code)}\` |`.toLowerCase());
    expect(page).toContain(address);
  }
});

test("the client's hash and checksum functions agree with Ethereum's at every length around a block", () => {
  for (const length of [0, 1, 31, 32, 134, 135, 136, 137, 271, 272, 273, 1_000]) {
    const data = Uint8Array.from({ length }, (_, n) => (n * 7 + length) % 256);
    expect(toHex(clientKeccak(data))).toBe(keccak256(data));
  }
  for (const { owner } of ALL) expect(checksummed(owner.toLowerCase())).toBe(getAddress(owner));
});

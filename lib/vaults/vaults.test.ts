import { concat, type Hex, keccak256, zeroAddress, zeroHash } from "viem";
import { describe, expect, test } from "vitest";
import { type Address, toAddress } from "@/lib/core/address";
import { toUsdc } from "@/lib/core/money";
import { NETWORKS } from "@/lib/x402/networks";
import { FACTORY_ABI, VAULT_ABI, VAULT_CONTRACTS } from "./contracts";
import artifacts from "./contracts.json";
import first from "./contracts-v1.json";
import { PAYEES_MAX, type PayeeList, payeeList } from "./payees";
import { packTerms, releasedBy, type Terms, termsText, vaultAddress, vaultCode } from "./terms";

const addressOf = (n: number): Address => toAddress(`0x${n.toString(16).padStart(40, "0")}`);

const TERMS: Terms = {
  contractVersion: 2,
  token: NETWORKS.base.usdc,
  owner: addressOf(1),
  signer: addressOf(2),
  agent: null,
  start: 1_000,
  end: 2_000,
  limit: toUsdc(100n),
  perPayment: null,
  release: { amount: toUsdc(30n), seconds: 10 },
  payees: null,
  mandate: keccak256("0x01"),
};

function listed(payees: Address[]): PayeeList {
  const list = payeeList(payees);
  if (typeof list === "string") throw new Error(list);
  return list;
}

/** The same computation as OpenZeppelin's MerkleProof. */
const rootOf = (leaf: Hex, proof: readonly Hex[]): Hex =>
  proof.reduce((node, other) => keccak256(concat(node < other ? [node, other] : [other, node])), leaf);

const leafOf = (payee: Address): Hex => keccak256(keccak256(`0x${payee.slice(2).padStart(64, "0")}` as Hex));

describe("a vault's list of payees", () => {
  test.each([1, 2, 3, 5, 8, 1_000])("has a proof for each of %i payees, and for nobody else", (count) => {
    const payees = Array.from({ length: count }, (_, n) => addressOf(n + 1));
    const { root, proofOf } = listed(payees);
    for (const payee of payees) expect(rootOf(leafOf(payee), proofOf(payee) ?? [zeroHash])).toBe(root);
    expect(proofOf(addressOf(5_000))).toBeNull();
    expect(listed(payees.toReversed()).root).toBe(root);
  });

  test("can be invalid", () => {
    expect(payeeList([])).toBe("empty");
    expect(payeeList([addressOf(1), addressOf(2), addressOf(1)])).toBe("repeated");
    expect(payeeList(Array.from({ length: PAYEES_MAX + 1 }, (_, n) => addressOf(n)))).toBe("too_many");
  });
});

describe("the terms of a vault", () => {
  const wire = { ...TERMS, limit: "100", release: { amount: "30", seconds: 10 } };

  test("are read from a request", () => {
    expect(termsText.parse(wire)).toEqual(TERMS);
  });

  test.each([
    ["contractVersion", { contractVersion: 3 }],
    ["contractVersion", { contractVersion: undefined }],
    ["owner", { owner: zeroAddress }],
    ["signer", { signer: zeroAddress }],
    ["agent", { agent: addressOf(2) }],
    ["agent", { agent: zeroAddress }],
    ["end", { end: 1_000 }],
    ["end", { end: 2 ** 48 }],
    ["limit", { limit: "0" }],
    ["limit", { limit: (2n ** 96n).toString() }],
    ["perPayment", { perPayment: "0" }],
    ["release", { release: { amount: "1", seconds: 0 } }],
    ["release", { release: { amount: "1", seconds: 2 ** 32 } }],
    ["payees", { payees: zeroHash }],
  ])("are refused with %s: %o", (path, change) => {
    const { error } = termsText.safeParse({ ...wire, ...change });
    expect(error?.issues.map((issue) => issue.path[0])).toContain(path);
  });

  test("each change the vault's address", () => {
    const changes: Partial<Terms>[] = [
      {},
      { contractVersion: 1 },
      { token: NETWORKS["base-sepolia"].usdc },
      { owner: addressOf(3) },
      { signer: addressOf(3) },
      { agent: addressOf(3) },
      { start: 1_001 },
      { end: 2_001 },
      { limit: toUsdc(101n) },
      { perPayment: toUsdc(1n) },
      { release: { amount: toUsdc(31n), seconds: 10 } },
      { release: { amount: toUsdc(30n), seconds: 11 } },
      { payees: keccak256("0x02") },
      { mandate: keccak256("0x02") },
    ];
    expect(new Set(changes.map((change) => vaultAddress({ ...TERMS, ...change }))).size).toBe(changes.length);
    expect(packTerms(TERMS)).toHaveLength(2 + 2 * 196);
    expect(vaultCode(TERMS)).toHaveLength(2 + 2 * (45 + 196));
  });

  test("release a part of the limit in each period", () => {
    expect([999, 1_000, 1_009, 1_010, 1_029, 1_030, 9_999].map((now) => releasedBy(TERMS, now))).toEqual([
      0n,
      30n,
      30n,
      60n,
      90n,
      100n,
      100n,
    ]);
    expect(releasedBy({ ...TERMS, release: null }, 1_000)).toBe(100n);
  });
});

test("the first version's contracts are where vaults of it were opened", () => {
  const { factory, implementation } = VAULT_CONTRACTS[1];
  expect([factory.address, implementation.address]).toEqual([
    "0xe7f31DB81F8958D06E6538C6a5CEea8CbF259289",
    "0x93395A5e1c99d372eB6e4bF2f7E7C04092A779b5",
  ]);
  expect([factory, implementation].map(({ code }) => keccak256(code))).toEqual([
    "0xf8c24d444771007a1cdf8c08acbaf76ea7ac6f4ba79e698413fa341d0a81c577",
    "0x6cd772d32ce9970406312cd3106860c51895ce134cf2c42264314066df3c01fa",
  ]);
});

test("the service's ABIs match the contracts", () => {
  const names = (abi: readonly { type: string; name?: string }[]) =>
    abi.filter(({ name }) => name).map(({ type, name }) => `${type} ${name}`);
  expect(names(artifacts.vault.abi)).toEqual(expect.arrayContaining(names(VAULT_ABI)));
  expect(names(artifacts.factory.abi)).toEqual(expect.arrayContaining(names(FACTORY_ABI)));
  const sinceSecond = ["error NothingToCount", "function countSigned"];
  expect(names(first.vault.abi)).toEqual(
    expect.arrayContaining(names(VAULT_ABI).filter((name) => !sinceSecond.includes(name))),
  );
  expect(names(first.factory.abi)).toEqual(names(artifacts.factory.abi));
  for (const { factory, implementation } of Object.values(VAULT_CONTRACTS))
    for (const { code } of [factory, implementation]) expect(code.length).toBeGreaterThan(1_000);
});

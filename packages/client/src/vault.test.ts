import { describe, expect, test } from "vitest";
import { hashOf, toHex } from "./vault/bytes.ts";
import { keccak256 } from "./vault/keccak.ts";
import { vaultCode } from "./vault/terms.ts";
import { isOver, ownerActions, readVault, VAULT_CONTRACTS, vaultOf } from "./vault.ts";

const addressOf = (n: number) => `0x${n.toString(16).padStart(40, "0")}`;
const TERMS = {
  contractVersion: 2,
  token: "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913",
  owner: addressOf(1),
  signer: addressOf(2),
  agent: addressOf(3),
  start: 1_000,
  end: 2_000,
  limit: "100",
  perPayment: "7",
  release: { amount: "30", seconds: 10 },
  payees: `0x${"5a".repeat(32)}`,
  mandate: `0x${"6b".repeat(32)}`,
};

const { implementation, implementationHash } = VAULT_CONTRACTS[2];

describe("the keccak-256 hash", () => {
  // The known digests of nothing, "abc", and a length beside each edge of a block.
  test.each([
    ["", "0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470"],
    ["abc", "0x4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45"],
  ])("of %o is correct", (text, hash) => expect(toHex(keccak256(new TextEncoder().encode(text)))).toBe(hash));
});

describe("a saved vault file", () => {
  test("is read with or without its address, alone or as the member `vault`", () => {
    const { address } = vaultOf({ terms: TERMS });
    expect(vaultOf(JSON.stringify({ address, terms: TERMS })).address).toBe(address);
    expect(vaultOf({ mandateId: "m", vault: { address: address.toLowerCase(), terms: TERMS } })).toMatchObject({
      address,
      network: "base",
      chainId: 8453,
    });
    expect(vaultOf({ terms: { ...TERMS, agent: null, perPayment: null, release: null, payees: null } })).toBeDefined();
  });

  test("is of the contract's first version if it names none", () => {
    const { contractVersion, ...old } = TERMS;
    const first = vaultOf({ terms: old });
    expect(first).toEqual(vaultOf({ terms: { ...old, contractVersion: 1 } }));
    expect(first.address).not.toBe(vaultOf({ terms: TERMS }).address);
    expect(() => vaultOf({ address: first.address, terms: { ...old, contractVersion } })).toThrow("of the vault 0x");
    const opened = (vault: ReturnType<typeof vaultOf>) => ownerActions(vault).find(({ name }) => name === "open")?.to;
    expect([opened(first), opened(vaultOf({ terms: TERMS }))]).toEqual(
      ([1, 2] as const).map((version) => VAULT_CONTRACTS[version].factory),
    );
  });

  test.each([
    ["not JSON", "{"],
    ["a JSON object", "[]"],
    ["no `terms`", {}],
    ["terms.contractVersion is not known", { terms: { ...TERMS, contractVersion: 3 } }],
    ["terms.contractVersion is not known", { terms: { ...TERMS, contractVersion: "2" } }],
    ["terms.owner", { terms: { ...TERMS, owner: "0x12" } }],
    ["terms.limit", { terms: { ...TERMS, limit: "0" } }],
    ["terms.limit", { terms: { ...TERMS, limit: 100 } }],
    ["terms.limit", { terms: { ...TERMS, limit: (2n ** 96n).toString() } }],
    ["terms.end", { terms: { ...TERMS, end: 2 ** 48 } }],
    ["terms.start", { terms: { ...TERMS, start: 1.5 } }],
    ["terms.release.seconds", { terms: { ...TERMS, release: { amount: "1", seconds: 0 } } }],
    ["terms.payees", { terms: { ...TERMS, payees: "0x" } }],
    // The factory opens no such vault: what is sent there cannot come back.
    ["terms.end must be after terms.start", { terms: { ...TERMS, start: 2_000 } }],
    ["terms.end must be after terms.start", { terms: { ...TERMS, start: 2_001 } }],
    ["terms.owner must not be the zero", { terms: { ...TERMS, owner: addressOf(0) } }],
    ["terms.signer must not be the zero", { terms: { ...TERMS, signer: addressOf(0) } }],
    ["terms.agent must be another", { terms: { ...TERMS, agent: TERMS.signer } }],
    ["not the USDC", { terms: { ...TERMS, token: addressOf(9) } }],
    ["of the vault 0x", { address: addressOf(9), terms: TERMS }],
  ])("is refused with a reason: %s", (fault, file) => expect(() => vaultOf(file)).toThrow(fault));
});

describe("the state of a vault on the chain", () => {
  const vault = vaultOf({ terms: TERMS });
  const rpc =
    (responses: { code?: string; chainId?: number }) =>
    async (method: string, [first]: readonly unknown[]) => {
      if (method === "eth_chainId") return `0x${(responses.chainId ?? 8453).toString(16)}`;
      if (method === "eth_getCode") return first === implementation ? "0x6001" : (responses.code ?? "0x");
      if (method === "eth_getBlockByNumber") return { timestamp: "0x7cf" };
      return "0x5";
    };

  test("is reported for a vault that is not open, for other code at its address, and for another chain", async () => {
    expect(await readVault(rpc({}), vault)).toMatchObject({ code: "not_open", balance: 5n, time: 1_999 });
    expect((await readVault(rpc({ code: "0x00" }), vault)).code).toBe("other_code");
    // The proxy is right, but what it calls is not.
    expect(hashOf("0x6001")).not.toBe(implementationHash);
    expect((await readVault(rpc({ code: vaultCode(vault.terms) }), vault)).code).toBe("other_code");
    await expect(readVault(rpc({ chainId: 1 }), vault)).rejects.toThrow("chain 1");
  });

  test("lets anybody withdraw after its end or a revocation", () => {
    const state = { code: "open", balance: 0n, allowance: 0n, isRevoked: false, counts: null, time: 1_999 } as const;
    expect([state, { ...state, time: 2_000 }, { ...state, isRevoked: true }].map((s) => isOver(vault, s))).toEqual([
      ...[false, true, true],
    ]);
  });

  test("names calls with their published selectors", () => {
    const selectors = ownerActions(vault).map(({ data }) => data.slice(0, 10));
    expect(selectors.slice(0, 2)).toEqual(["0xb6549f75", "0x3ccfd60b"]);
    expect(selectors[3]).toBe("0x095ea7b3");
  });
});

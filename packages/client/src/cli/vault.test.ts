import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { VAULT_CONTRACTS, vaultOf } from "../vault.ts";
import { run } from "./run.ts";

const addressOf = (n: number) => `0x${n.toString(16).padStart(40, "0")}`;
const terms = {
  token: "0x036CbD53842c5426634e7929541eC2318f3dCF7e",
  owner: addressOf(1),
  signer: addressOf(2),
  agent: null,
  start: 1_000,
  end: 2_000,
  limit: "25000000",
  perPayment: null,
  release: { amount: "5000000", seconds: 86_400 },
  payees: null,
  mandate: `0x${"6b".repeat(32)}`,
};
const { address } = vaultOf({ terms });
let directory: string;
const file = () => join(directory, "vault.json");

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "tessera-vault-"));
  writeFileSync(file(), JSON.stringify({ address, terms }));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

async function cli(argv: string[], fetch: typeof globalThis.fetch = () => Promise.reject(new Error("no network"))) {
  const written = { out: "", err: "" };
  const code = await run(argv, {
    env: { TESSERA_CONFIG_DIR: directory },
    out: (text) => {
      written.out += text;
    },
    err: (text) => {
      written.err += text;
    },
    isTerminal: true,
    readIn: async () => JSON.stringify({ terms }),
    lines: async function* () {},
    fetch,
    signal: new AbortController().signal,
  });
  return { code, ...written };
}

test("the vault command shows the terms and the transactions without a login and without a network", async () => {
  const { code, out } = await cli(["vault", file()]);
  expect(code).toBe(0);
  expect(out).toContain(`vault: ${address}\naddressIs: derived from these terms\nnetwork: base-sepolia (chain 84532)`);
  expect(out).toMatch(/limit: 25\.00 USDC\nperPayment: no cap\nrelease: 5\.00 USDC every 86400 seconds/);
  expect(out).toMatch(/revoke: Ends the mandate [^\n]+\nto: 0x\w{40}\ndata: 0xb6549f75\n/);
  expect((await cli(["vault", "--file", file()])).out).toBe(out);
  expect((await cli(["vault", "-"])).out).toBe(out);
});

test("the vault command shows the state on the chain when a node is given", async () => {
  const responses: Record<string, unknown> = {
    eth_chainId: "0x14a34",
    eth_getCode: "0x",
    eth_getBlockByNumber: { timestamp: "0x10" },
    eth_call: "0x7a120",
  };
  const { code, out } = await cli(["vault", file(), "--rpc", "http://node", "--json"], async (_, init) =>
    Response.json({ result: responses[JSON.parse(String(init?.body)).method] }),
  );
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ code: "not open", balance: "0.50 USDC", allowance: "0.50 USDC" });
});

test.each([
  ["no file", ["vault"], 2, "vault file is missing"],
  ["a file that is not there", ["vault", "/no/such/file"], 1, "no such file"],
  ["a node that is down", ["vault", "-", "--rpc", "http://node"], 1, "did not respond"],
])("the vault command fails with %s", async (_, argv, code, message) => {
  const result = await cli(argv);
  expect(result.code).toBe(code);
  expect(result.err).toContain(message);
  expect(result.err + result.out).not.toContain(VAULT_CONTRACTS[1].implementation);
});

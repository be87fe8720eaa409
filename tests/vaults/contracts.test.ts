import type { Hex } from "viem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Address, toAddress } from "@/lib/core/address";
import { toUsdc } from "@/lib/core/money";
import { unixSeconds } from "@/lib/core/time";
import { readConfig } from "@/lib/platform/config";
import { settle } from "@/lib/settlements/service";
import { openAndFundCall, openAndPullCall, pullCall, revokeSignedCall, withdrawCall } from "@/lib/vaults/calls";
import { vaultCheck } from "@/lib/vaults/checks";
import { FACTORY_ABI, REFUSALS, VAULT_ABI, VAULT_CONTRACTS, VAULT_FACTORY } from "@/lib/vaults/contracts";
import { payeeList } from "@/lib/vaults/payees";
import { vaultSignature } from "@/lib/vaults/payments";
import { type Terms, toArgument, vaultAddress } from "@/lib/vaults/terms";
import { fundingTypedData, permitTypedData, pullDigest, revocationTypedData } from "@/lib/vaults/typed-data";
import { type Authorization, authorizationDigest } from "@/lib/x402/authorization";
import { NETWORKS } from "@/lib/x402/networks";
import { signAuthorization } from "@/lib/x402/signature";
import { deploy, VAULTS_DEPLOYMENT } from "@/ops/deploy-contracts";
import { privateKeyOf } from "../support/accounts";
import { claimFrom, cranks, freshAddress, openSystem, randomNonce } from "../support/system";
import { submitDirectly } from "../support/token";
import { createWorld, type World } from "../support/world";

const FUNDS = 100_000_000n;
let world: World;
let opened: ReturnType<typeof openSystem>;

beforeAll(async () => {
  world = await createWorld();
  opened = openSystem();
  for (const { address } of world.accounts) await world.mint(toAddress(address), 10n * FUNDS);
});

afterAll(async () => {
  await opened?.close();
  await world?.stop();
});

function account(at: number) {
  const found = world.accounts[at];
  if (!found) throw new Error("no such account");
  return found;
}
const [OWNER, SIGNER, AGENT, OTHER] = [0, 1, 2, 3];
const addressOf = (at: number) => toAddress(account(at).address);

const now = () => unixSeconds(new Date());

const terms = (change: Partial<Terms> = {}): Terms => ({
  token: NETWORKS.base.usdc,
  owner: addressOf(OWNER),
  signer: addressOf(SIGNER),
  agent: null,
  start: now() - 3_600,
  end: now() + 86_400,
  limit: toUsdc(FUNDS),
  perPayment: null,
  release: null,
  payees: null,
  mandate: randomNonce(),
  ...change,
});

/** Sends a call from the ninth of anvil's accounts: a stranger to the vault. Returns the gas it used. */
async function send({ to, data }: { to: Address; data: Hex }, from = addressOf(8)): Promise<bigint> {
  const hash = await world.client().sendTransaction({ account: from, chain: null, to, data });
  await world.mine();
  const receipt = await world.client().waitForTransactionReceipt({ hash });
  expect(receipt.status).toBe("success");
  return receipt.gasUsed;
}

const authorizationOf = (from: Address, to: Address, atomic: bigint, change: Partial<Authorization> = {}) => ({
  from,
  to,
  value: toUsdc(atomic),
  validAfter: 0n,
  validBefore: BigInt(now() + 3_000),
  nonce: randomNonce(),
  ...change,
});

async function funded(of: Terms, atomic = FUNDS) {
  const vault = vaultAddress(of);
  const funding = authorizationOf(of.owner, vault, atomic, { nonce: of.mandate });
  const signature = await account(OWNER).signTypedData(fundingTypedData("base", funding));
  const gas = await send(openAndFundCall(of, { ...funding, signature }));
  expect(await world.balanceOf(vault)).toBe(atomic);
  return { vault, gas };
}

/** A claim on a vault, signed by the service's key, or as `change` has it. */
function claimOn(
  vault: Address,
  to: Address,
  atomic: bigint,
  change: { by?: number; agent?: number; proof?: readonly Hex[] } = {},
) {
  const { by = SIGNER, agent, proof = null } = change;
  const authorization = authorizationOf(vault, to, atomic);
  const sign = (at: number) => signAuthorization("base", authorization, privateKeyOf(account(at)));
  const agentSignature = agent === undefined ? null : sign(agent);
  const signature = vaultSignature(authorization, { signature: sign(by), agentSignature, proof });
  return { ...claimFrom(account(OTHER), to, atomic), authorization, signature, signatureKind: "erc1271" as const };
}

async function judge(vault: Address, { authorization, signature }: ReturnType<typeof claimOn>) {
  const args = [authorizationDigest("base", authorization), signature] as const;
  return REFUSALS[await world.client().readContract({ address: vault, abi: VAULT_ABI, functionName: "judge", args })];
}

test("the address of a vault is derived as the factory derives it", async () => {
  const root = payeeList([freshAddress(), freshAddress()]);
  if (typeof root === "string") throw new Error(root);
  const all = [
    terms(),
    terms({ agent: addressOf(AGENT), payees: root.root, perPayment: toUsdc(1n) }),
    terms({ release: { amount: toUsdc(5n), seconds: 1 }, limit: toUsdc(2n ** 96n - 1n), end: 2 ** 48 - 1 }),
  ];
  for (const one of all) {
    const call = {
      address: VAULT_FACTORY,
      abi: FACTORY_ABI,
      functionName: "vaultOf",
      args: [toArgument(one)],
    } as const;
    expect(toAddress(await world.client().readContract(call))).toBe(vaultAddress(one));
  }
});

test("a vault is opened and funded with one signature, pays a listed payee as any facilitator submits it, and returns the rest", async () => {
  const payee = freshAddress();
  const list = payeeList([payee, freshAddress(), freshAddress()]);
  if (typeof list === "string") throw new Error(list);
  const of = terms({ payees: list.root, agent: addressOf(AGENT), perPayment: toUsdc(2_000_000n) });
  const { vault, gas } = await funded(of);
  const proof = list.proofOf(payee) ?? [];
  const good = claimOn(vault, payee, 2_000_000n, { agent: AGENT, proof });
  expect(await judge(vault, good)).toBe("None");
  await submitDirectly(world, good);
  expect(await world.balanceOf(payee)).toBe(2_000_000n);
  console.info(`gas of opening and funding: ${gas}`);

  const refused = [
    ["OverPaymentCap", claimOn(vault, payee, 2_000_001n, { agent: AGENT, proof })],
    ["PayeeNotListed", claimOn(vault, freshAddress(), 1n, { agent: AGENT, proof })],
    ["NotSigned", claimOn(vault, payee, 1n, { by: OTHER, agent: AGENT, proof })],
    ["NotSignedByAgent", claimOn(vault, payee, 1n, { proof })],
    ["OtherDigest", { ...good, authorization: { ...good.authorization, value: toUsdc(1n) } }],
  ] as const;
  for (const [reason, claim] of refused) {
    expect(await judge(vault, claim)).toBe(reason);
    // It does not throw when the token reverts.
    await submitDirectly(world, claim);
    expect(await world.balanceOf(vault)).toBe(FUNDS - 2_000_000n);
  }
  const signature = await account(OWNER).signTypedData(revocationTypedData("base", vault, of.mandate));
  await send(revokeSignedCall(vault, signature));
  expect(await world.balanceOf(vault)).toBe(0n);
  expect(await judge(vault, claimOn(vault, payee, 1n, { agent: AGENT, proof }))).toBe("Revoked");
});

test("tranches are drawn by a permit, within what is released; the owner leaves with their own key", async () => {
  const of = terms({ start: now() - 5, release: { amount: toUsdc(10_000_000n), seconds: 86_400 } });
  const vault = vaultAddress(of);
  const call = { address: NETWORKS.base.usdc, functionName: "nonces", args: [of.owner] } as const;
  const abi = [
    {
      type: "function",
      name: "nonces",
      stateMutability: "view",
      inputs: [{ type: "address" }],
      outputs: [{ type: "uint256" }],
    },
  ] as const;
  const nonce = await world.client().readContract({ ...call, abi });
  const deadline = BigInt(now() + 3_000);
  const permit = permitTypedData("base", { owner: of.owner, spender: vault, value: of.limit, nonce, deadline });
  const signature = await account(OWNER).signTypedData(permit);
  const pull = async (total: bigint) => ({
    total: toUsdc(total),
    signature: await account(SIGNER).sign({ hash: pullDigest("base", vault, toUsdc(total)) }),
  });
  await send(openAndPullCall(of, { allowance: of.limit, deadline, signature }, await pull(4_000_000n)));
  await send(pullCall(vault, await pull(10_000_000n)));
  expect(await world.balanceOf(vault)).toBe(10_000_000n);
  await expect(send(pullCall(vault, await pull(10_000_001n)))).rejects.toThrow();
  expect(await judge(vault, claimOn(vault, freshAddress(), 10_000_001n))).toBe("NotReleased");
  expect(await judge(vault, claimOn(vault, of.owner, 10_000_000n, { by: OWNER }))).toBe("None");
  await expect(send(withdrawCall(vault))).rejects.toThrow();
  await send(withdrawCall(vault), of.owner);
  expect(await world.balanceOf(vault)).toBe(0n);
});

test("before the start and after the end nothing is paid", async () => {
  const early = terms({ start: now() + 3_600 });
  const late = terms({ end: now() + 600 });
  const { vault: ofEarly } = await funded(early, 1_000n);
  expect(await judge(ofEarly, claimOn(ofEarly, freshAddress(), 1n))).toBe("NotStarted");
  const { vault: ofLate } = await funded(late, 1_000n);
  const snapshot = await world.snapshot();
  await world.increaseTime(700);
  expect(await judge(ofLate, claimOn(ofLate, freshAddress(), 1n))).toBe("Ended");
  await world.revert(snapshot);
});

test("the relayer settles payments of vaults together with those of ordinary payers", async () => {
  const { vault } = await funded(terms());
  const payee = freshAddress();
  const crank = await cranks(opened.system);
  await crank.observe();
  const claims = [
    claimOn(vault, payee, 1_000_000n),
    claimFrom(account(OTHER), payee, 1_000_000n),
    claimOn(vault, payee, 1_000_000n),
  ];
  const ids: string[] = [];
  for (const claim of claims) ids.push((await settle(opened.system, claim, 0)).id);
  await crank.drain();
  const rows = await opened.sql`select state from settlements where id = any(${ids})`;
  expect(rows.map(({ state }) => state)).toEqual(["settled", "settled", "settled"]);
  expect(await world.balanceOf(payee)).toBe(3_000_000n);
});

describe("the contracts", () => {
  test("are compared with what this version was compiled with", async () => {
    expect((await vaultCheck("base").run(opened.system)).status).toBe("ok");
    const config = { ...readConfig(process.env), vaultFactory: freshAddress() };
    expect((await vaultCheck("base").run({ ...opened.system, config })).detail).toMatch(/this version's factory/);
    const off = { ...config, mode: "production" as const, vaultFactory: null };
    expect((await vaultCheck("base").run({ ...opened.system, config: off })).status).toBe("ok");
  });

  test("are deployed with the code that is expected of them", async () => {
    for (const { address } of VAULT_CONTRACTS) {
      await world.client().setCode({ address, bytecode: "0x" });
      // A contract that was created cannot be created again.
      await world.client().setNonce({ address, nonce: 0 });
    }
    expect((await vaultCheck("base").run(opened.system)).detail).toMatch(/mandates have no vaults/);
    const configured = { ...opened.system, config: { ...readConfig(process.env), vaultFactory: VAULT_FACTORY } };
    const missing = await vaultCheck("base").run(configured);
    expect(missing).toMatchObject({ status: "fail", remedy: expect.stringMatching(/contracts:deploy/) });
    const costs: string[] = [];
    const wanted = {
      rpcUrl: world.rpc.base,
      network: "base" as const,
      key: privateKeyOf(account(7)),
      agrees: async (cost: string) => costs.push(cost) > 0,
      nonce: async () => null,
    };
    expect(await deploy(VAULTS_DEPLOYMENT, wanted)).toMatchObject({ address: VAULT_FACTORY });
    expect(costs[0]).toMatch(/vault factory: \d+ gas/);
    expect((await vaultCheck("base").run(configured)).status).toBe("ok");
  });
});

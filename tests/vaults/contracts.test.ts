import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { toAddress } from "@/lib/core/address";
import { toUsdc } from "@/lib/core/money";
import { readConfig } from "@/lib/platform/config";
import { settle } from "@/lib/settlements/service";
import { openAndPullCall, pullCall, revokeSignedCall, withdrawCall } from "@/lib/vaults/calls";
import { vaultCheck } from "@/lib/vaults/checks";
import { FACTORY_ABI, VAULT_CONTRACTS } from "@/lib/vaults/contracts";
import { toArgument, vaultAddress } from "@/lib/vaults/terms";
import { revocationTypedData } from "@/lib/vaults/typed-data";
import { deploy, VAULTS_DEPLOYMENT } from "@/ops/deploy-contracts";
import { privateKeyOf } from "../support/accounts";
import { claimFrom, cranks, freshAddress, openSystem } from "../support/system";
import { submitDirectly } from "../support/token";
import { AGENT, FUNDS, listOf, OTHER, OWNER, vaultsOf } from "../support/vaults";
import { createWorld, type World } from "../support/world";

const { factory, implementation } = VAULT_CONTRACTS[2];
const VAULT_FACTORY = factory.address;

let world: World;
let on: ReturnType<typeof vaultsOf>;
let testSystem: ReturnType<typeof openSystem>;

beforeAll(async () => {
  world = await createWorld();
  testSystem = openSystem();
  on = vaultsOf(world);
  for (const { address } of world.accounts) await world.mint(toAddress(address), 10n * FUNDS);
});

afterAll(async () => {
  await testSystem?.close();
  await world?.stop();
});

test("the service derives a vault's address as the factory contract does", async () => {
  const { root } = listOf(freshAddress(), freshAddress());
  const all = [
    on.terms(),
    on.terms({ contractVersion: 1 }),
    on.terms({ agent: on.addressOf(AGENT), payees: root, perPayment: toUsdc(1n) }),
    on.terms({ release: { amount: toUsdc(5n), seconds: 1 }, limit: toUsdc(2n ** 96n - 1n), end: 2 ** 48 - 1 }),
  ];
  for (const one of all) {
    const call = {
      address: VAULT_CONTRACTS[one.contractVersion].factory.address,
      abi: FACTORY_ABI,
      functionName: "vaultOf",
      args: [toArgument(one)],
    } as const;
    expect(toAddress(await world.client().readContract(call))).toBe(vaultAddress(one));
  }
});

test("a vault is opened and funded with one signature, pays a listed payee when any facilitator submits, and returns the rest", async () => {
  const payee = freshAddress();
  const list = listOf(payee, freshAddress(), freshAddress());
  const terms = on.terms({ payees: list.root, agent: on.addressOf(AGENT), perPayment: toUsdc(2_000_000n) });
  const { vault, gas } = await on.funded(terms);
  const proof = list.proofOf(payee) ?? [];
  const good = on.claimOn(vault, payee, 2_000_000n, { agent: AGENT, proof });
  expect(await on.judge(vault, good)).toBe("None");
  await submitDirectly(world, good);
  expect(await world.balanceOf(payee)).toBe(2_000_000n);
  console.info(`gas of opening and funding: ${gas}`);

  const refused = [
    ["OverPaymentCap", on.claimOn(vault, payee, 2_000_001n, { agent: AGENT, proof })],
    ["PayeeNotListed", on.claimOn(vault, freshAddress(), 1n, { agent: AGENT, proof })],
    ["NotSigned", on.claimOn(vault, payee, 1n, { by: OTHER, agent: AGENT, proof })],
    ["NotSignedByAgent", on.claimOn(vault, payee, 1n, { proof })],
    ["OtherDigest", { ...good, authorization: { ...good.authorization, value: toUsdc(1n) } }],
  ] as const;
  for (const [reason, claim] of refused) {
    expect(await on.judge(vault, claim)).toBe(reason);
    // The call does not throw when the token reverts.
    await submitDirectly(world, claim);
    expect(await world.balanceOf(vault)).toBe(FUNDS - 2_000_000n);
  }
  const signature = await on.account(OWNER).signTypedData(revocationTypedData("base", vault, terms.mandate));
  await on.send(revokeSignedCall(vault, signature));
  expect(await world.balanceOf(vault)).toBe(0n);
  expect(await on.judge(vault, on.claimOn(vault, payee, 1n, { agent: AGENT, proof }))).toBe("Revoked");
});

test("a permit's tranches are drawn only as they are released, and the owner withdraws with their own key", async () => {
  const terms = on.terms({ start: on.now() - 5, release: { amount: toUsdc(10_000_000n), seconds: 86_400 } });
  const vault = vaultAddress(terms);
  await on.send(openAndPullCall(terms, await on.permitOf(terms), await on.pullOf(terms, 4_000_000n)));
  await on.send(pullCall(vault, await on.pullOf(terms, 10_000_000n)));
  expect(await world.balanceOf(vault)).toBe(10_000_000n);
  await expect(on.send(pullCall(vault, await on.pullOf(terms, 10_000_001n)))).rejects.toThrow();
  expect(await on.judge(vault, on.claimOn(vault, freshAddress(), 10_000_001n))).toBe("NotReleased");
  expect(await on.judge(vault, on.claimOn(vault, terms.owner, 10_000_000n, { by: OWNER }))).toBe("None");
  await expect(on.send(withdrawCall(vault))).rejects.toThrow();
  await on.send(withdrawCall(vault), terms.owner);
  expect(await world.balanceOf(vault)).toBe(0n);
});

test("a vault pays nothing before its start and after its end", async () => {
  const earlyTerms = on.terms({ start: on.now() + 3_600 });
  const lateTerms = on.terms({ end: on.now() + 600 });
  const { vault: ofEarly } = await on.funded(earlyTerms, 1_000n);
  expect(await on.judge(ofEarly, on.claimOn(ofEarly, freshAddress(), 1n))).toBe("NotStarted");
  const { vault: ofLate } = await on.funded(lateTerms, 1_000n);
  const snapshot = await world.snapshot();
  await world.increaseTime(700);
  expect(await on.judge(ofLate, on.claimOn(ofLate, freshAddress(), 1n))).toBe("Ended");
  await world.revert(snapshot);
});

test("the relayer settles payments from vaults in one transaction with those of ordinary payers", async () => {
  const { vault } = await on.funded(on.terms());
  const payee = freshAddress();
  const crank = await cranks(testSystem.system);
  await crank.observe();
  const claims = [
    on.claimOn(vault, payee, 1_000_000n),
    claimFrom(on.account(OTHER), payee, 1_000_000n),
    on.claimOn(vault, payee, 1_000_000n),
  ];
  const ids: string[] = [];
  for (const claim of claims) ids.push((await settle(testSystem.system, claim, 0)).id);
  await crank.drain();
  const rows = await testSystem.sql`select state, tx_hash from settlements where id = any(${ids})`;
  expect(rows.map(({ state }) => state)).toEqual(["settled", "settled", "settled"]);
  expect(new Set(rows.map(({ tx_hash }) => tx_hash)).size).toBe(1);
  expect(await world.balanceOf(payee)).toBe(3_000_000n);
});

describe("the deployed vault contracts", () => {
  test("are checked against the factory address of this version", async () => {
    expect((await vaultCheck("base").run(testSystem.system)).status).toBe("ok");
    const config = { ...readConfig(process.env), vaultFactory: freshAddress() };
    expect((await vaultCheck("base").run({ ...testSystem.system, config })).detail).toMatch(/this version's factory/);
    const first = { ...config, vaultFactory: VAULT_CONTRACTS[1].factory.address };
    expect(await vaultCheck("base").run({ ...testSystem.system, config: first })).toMatchObject({
      status: "ok",
      detail: expect.stringContaining(first.vaultFactory),
    });
    const off = { ...config, mode: "production" as const, vaultFactory: null };
    expect((await vaultCheck("base").run({ ...testSystem.system, config: off })).status).toBe("ok");
  });

  test("have exactly the expected code", async () => {
    for (const { address } of [factory, implementation]) {
      await world.client().setCode({ address, bytecode: "0x" });
      // A contract that was created cannot be created again.
      await world.client().setNonce({ address, nonce: 0 });
    }
    expect((await vaultCheck("base").run(testSystem.system)).detail).toMatch(/mandates have no vaults/);
    const configured = { ...testSystem.system, config: { ...readConfig(process.env), vaultFactory: VAULT_FACTORY } };
    const missing = await vaultCheck("base").run(configured);
    expect(missing).toMatchObject({ status: "fail", remedy: expect.stringMatching(/contracts:deploy/) });
    const costs: string[] = [];
    const wanted = {
      rpcUrl: world.rpc.base,
      network: "base" as const,
      key: privateKeyOf(on.account(7)),
      agrees: async (cost: string) => costs.push(cost) > 0,
      nonce: async () => null,
    };
    expect(await deploy(VAULTS_DEPLOYMENT, wanted)).toMatchObject({ address: VAULT_FACTORY });
    expect(costs[0]).toMatch(/vault factory, version 2: \d+ gas/);
    expect((await vaultCheck("base").run(configured)).status).toBe("ok");
  });
});

import { ownerActions, type Rpc, readVault, vaultOf } from "@tessera/client/vault";
import type { Hex } from "viem";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Address } from "@/lib/core/address";
import { toUsdc } from "@/lib/core/money";
import { unixSeconds } from "@/lib/core/time";
import { settlerCall } from "@/lib/settlements/relayer/settler";
import { openAndPullCall, pullCall, revokeSignedCall, withdrawCall } from "@/lib/vaults/calls";
import { vaultFile } from "@/lib/vaults/file";
import { type Terms, vaultAddress } from "@/lib/vaults/terms";
import { revocationTypedData } from "@/lib/vaults/typed-data";
import { NETWORKS } from "@/lib/x402/networks";
import { freshAddress } from "../support/system";
import { changeToken, submitDirectly } from "../support/token";
import { AGENT, FUNDS, listOf, OWNER, SIGNER, STRANGER, vaultsOf } from "../support/vaults";
import { createWorld, type World } from "../support/world";

/**
 * The service is stolen: a thief has the signer's key, the relayer's, and whatever the server stores. Nothing of the service
 * runs here. What the owner then does needs the vault file and a wallet, and nothing else.
 */
const DAY = 86_400;
const DAILY = 10_000_000n;
let world: World;
let on: ReturnType<typeof vaultsOf>;
let loot: Address;
let had: bigint;
/** What the chain's clock is ahead. */
let passed = 0;

beforeAll(async () => {
  world = await createWorld();
  on = vaultsOf(world, () => unixSeconds(new Date()) + passed);
  await world.mint(on.addressOf(OWNER), 20n * FUNDS);
});

beforeEach(async () => {
  loot = freshAddress();
  had = await world.balanceOf(on.addressOf(OWNER));
});

afterAll(async () => await world?.stop());

const released = (change: Partial<Terms> = {}) =>
  on.terms({
    start: on.now() - 60,
    end: on.now() + 30 * DAY,
    release: { amount: toUsdc(DAILY), seconds: DAY },
    ...change,
  });

async function pass(seconds: number): Promise<void> {
  passed += seconds;
  await world.increaseTime(seconds);
}

/** Powers of two in falling order, so that together they are any sum: whatever can be taken is taken. */
const SUMS = Array.from({ length: 28 }, (_, n) => 2n ** BigInt(27 - n));

/** All that the thief can sign for, each of it twice, until the vault gives nothing more. */
async function plunder(vault: Address): Promise<void> {
  const items = SUMS.flatMap((sum) => {
    const authorization = on.authorizationOf(vault, loot, sum);
    const item = { authorization, signature: on.payment(authorization), stipend: 200_000n };
    return [item, item];
  });
  await on.send(settlerCall(NETWORKS.base.usdc, items, { isAllOrNothing: false }));
}

/** The owner's wallet: a node and the owner's account. */
const wallet: Rpc = (method, params) => world.client().request({ method, params } as never);

/** What the owner sends from a wallet, with what the saved file says. */
async function ownerSends(terms: Terms, name: "revoke" | "withdraw"): Promise<void> {
  const vault = vaultOf(JSON.stringify(vaultFile(terms)));
  expect((await readVault(wallet, vault)).code).toBe("open");
  const action = ownerActions(vault).find((each) => each.name === name);
  if (!action) throw new Error("no such action");
  await on.send({ to: vaultAddress(terms), data: action.data }, terms.owner);
  expect(action.to).toBe(vaultAddress(terms));
  expect((await readVault(wallet, vault)).balance).toBe(0n);
}

const lost = async () => had - (await world.balanceOf(on.addressOf(OWNER)));

test("a thief with the service's keys takes only what is released, and the owner gets everything else", async () => {
  const terms = released();
  const { vault } = await on.funded(terms);
  await plunder(vault);
  expect(await world.balanceOf(loot)).toBe(DAILY);
  await pass(DAY);
  await plunder(vault);
  // An owner who waits loses what was released meanwhile.
  expect(await world.balanceOf(loot)).toBe(2n * DAILY);
  await ownerSends(terms, "revoke");
  await pass(DAY);
  await plunder(vault);
  expect(await world.balanceOf(loot)).toBe(2n * DAILY);
  expect(await lost()).toBe(2n * DAILY);
});

test("with an agent's key in the terms, the thief takes nothing", async () => {
  const terms = released({ agent: on.addressOf(AGENT) });
  const { vault } = await on.funded(terms);
  await plunder(vault);
  for (const agent of [SIGNER, STRANGER]) await submitDirectly(world, on.claimOn(vault, loot, 1n, { agent }));
  // Nor does the agent alone.
  await submitDirectly(world, on.claimOn(vault, loot, 1n, { by: AGENT, agent: AGENT }));
  expect(await world.balanceOf(loot)).toBe(0n);
  await ownerSends(terms, "withdraw");
  expect(await lost()).toBe(0n);
});

test("with payees in the terms, the thief can pay only them, and no more than is released", async () => {
  const shop = freshAddress();
  const list = listOf(shop, freshAddress());
  const terms = released({ payees: list.root, perPayment: toUsdc(1_000_000n) });
  const { vault } = await on.funded(terms);
  await plunder(vault);
  await submitDirectly(world, on.claimOn(vault, loot, 1n, { proof: list.proofOf(shop) ?? [] }));
  expect(await world.balanceOf(loot)).toBe(0n);
  for (let n = 0; n < 12; n++)
    await submitDirectly(world, on.claimOn(vault, shop, 1_000_000n, { proof: list.proofOf(shop) ?? [] }));
  expect(await world.balanceOf(shop)).toBe(DAILY);
  await ownerSends(terms, "revoke");
  expect(await lost()).toBe(DAILY);
});

test("an allowance can be drawn only as far as it is released", async () => {
  const terms = released();
  const vault = vaultAddress(terms);
  const permit = await on.permitOf(terms);
  await expect(on.send(openAndPullCall(terms, permit, await on.pullOf(terms, DAILY + 1n)))).rejects.toThrow();
  await on.send(openAndPullCall(terms, permit, await on.pullOf(terms, DAILY)));
  await expect(on.send(pullCall(vault, await on.pullOf(terms, DAILY + 1n)))).rejects.toThrow();
  await plunder(vault);
  expect(await world.balanceOf(loot)).toBe(DAILY);
  await ownerSends(terms, "revoke");
  await pass(DAY);
  await expect(on.send(pullCall(vault, await on.pullOf(terms, 2n * DAILY)))).rejects.toThrow();
  expect(await lost()).toBe(DAILY);
});

test("several payments in one transaction are limited to the same sum", async () => {
  const terms = released();
  const { vault } = await on.funded(terms);
  const items = Array.from({ length: 4 }, () => {
    const authorization = on.authorizationOf(vault, loot, (DAILY * 3n) / 5n);
    return { authorization, signature: on.payment(authorization), stipend: 200_000n };
  });
  await on.send(settlerCall(terms.token, items, { isAllOrNothing: false }));
  expect(await world.balanceOf(loot)).toBe((DAILY * 3n) / 5n);
  await ownerSends(terms, "withdraw");
  expect(await lost()).toBe((DAILY * 3n) / 5n);
});

test("the thief cannot revoke, cannot stop the owner from leaving, and gains nothing by sending money to the vault", async () => {
  const terms = released();
  const { vault } = await on.funded(terms);
  const forged: Hex = await on.account(SIGNER).signTypedData(revocationTypedData("base", vault, terms.mandate));
  await expect(on.send(revokeSignedCall(vault, forged))).rejects.toThrow();
  await expect(on.send(withdrawCall(vault))).rejects.toThrow();
  await plunder(vault);
  // Money that the thief sends back can be spent again, by the thief, at no cost to the owner.
  await world.mint(vault, 900_000n);
  await plunder(vault);
  expect(await world.balanceOf(loot)).toBe(DAILY + 900_000n);
  await ownerSends(terms, "withdraw");
  expect(await lost()).toBe(DAILY);
});

test("an owner without ETH withdraws by a signature that anybody can submit", async () => {
  const terms = released();
  const { vault } = await on.funded(terms);
  const signature = await on.account(OWNER).signTypedData(revocationTypedData("base", vault, terms.mandate));
  await on.send(revokeSignedCall(vault, signature));
  expect(await lost()).toBe(0n);
  const { vault: second } = await on.funded(released());
  await submitDirectly(world, on.claimOn(second, terms.owner, FUNDS, { by: OWNER }));
  expect([await world.balanceOf(second), await lost()]).toEqual([0n, 0n]);
});

/** No promise of the vault: money that arrives by a plain transfer is not counted (docs/trust.md). */
test("money that arrives by a plain transfer after payments can be spent again", async () => {
  const terms = released();
  const { vault } = await on.funded(terms);
  await plunder(vault);
  await changeToken(world, "transfer", [vault, 1_000_000n], terms.owner);
  await plunder(vault);
  expect(await world.balanceOf(loot)).toBe(DAILY + 1_000_000n);
});

import { zeroAddress } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { toAddress } from "@/lib/core/address";
import { hasSettler, SETTLER, SETTLER_CODE } from "@/lib/settlements/relayer/settler";
import { type Settlement, settle } from "@/lib/settlements/service";
import { deploy, nonceOf, SETTLER_DEPLOYMENT } from "@/ops/deploy-contracts";
import { privateKeyOf } from "../support/accounts";
import { claimFrom, cranks, freshAddress, openSystem } from "../support/system";
import { createWorld, type World } from "../support/world";

let world: World;
const closing: (() => Promise<void>)[] = [];

beforeAll(async () => {
  world = await createWorld();
  for (const { address } of world.accounts) await world.mint(toAddress(address), 10_000_000n);
});

afterAll(async () => {
  for (const close of closing) await close();
  await world?.stop();
});

/** A process that has not checked for the settler contract yet. */
function fresh() {
  const testSystem = openSystem();
  closing.push(testSystem.close);
  return testSystem;
}

const account = (index: number) => {
  const account = world.accounts[index % world.accounts.length];
  if (!account) throw new Error("no such account");
  return account;
};

async function settleMany(testSystem: ReturnType<typeof openSystem>, count: number) {
  const payee = freshAddress();
  const crank = await cranks(testSystem.system);
  await crank.observe();
  await world.setAutomine(false);
  const first = await settle(testSystem.system, claimFrom(account(0), payee, 1_000n), 0);
  await crank.relay();
  // Signed first, because signing blocks this process while connections are opened.
  const claims = Array.from({ length: count }, (_, index) => claimFrom(account(index), payee, 1_000n));
  const rows: Settlement[] = [];
  for (const claim of claims) rows.push(await settle(testSystem.system, claim, 0));
  await crank.relay();
  await world.setAutomine(true);
  await world.mine();
  for (let round = 0; round < 10; round++) {
    await testSystem.sql`update settlements set retry_at = null`;
    await crank.drain(6);
  }
  const ids = rows.map(({ id }) => id);
  const found = await testSystem.sql`select state, relayer_nonce, tx_hash from settlements where id = any(${ids})`;
  expect(found.map((row) => row.state)).toEqual(ids.map(() => "settled"));
  expect(await world.balanceOf(payee)).toBe(1_000n * BigInt(count + 1));
  return { first, hashes: [...new Set(found.map((row) => row.tx_hash as `0x${string}`))] };
}

test("many transfers share one transaction of the settler contract, at about half the gas of a single transfer", async () => {
  const testSystem = fresh();
  expect(await hasSettler(testSystem.system.chains.base)).toBe(true);
  const { hashes } = await settleMany(testSystem, 100);
  expect(hashes).toHaveLength(1);
  const receipt = await world.client().getTransactionReceipt({ hash: hashes[0] ?? "0x" });
  expect(toAddress(receipt.to ?? zeroAddress)).toBe(SETTLER);
  const each = receipt.gasUsed / 100n;
  console.info(`gas for each of 100 transfers: ${each}`);
  expect(each).toBeLessThan(60_000n);
});

test("on a network without the settler contract each transfer has its own transaction, and all are made", async () => {
  await world.client().setCode({ address: SETTLER, bytecode: "0x" });
  const testSystem = fresh();
  expect(await hasSettler(testSystem.system.chains.base)).toBe(false);
  const { hashes } = await settleMany(testSystem, 20);
  expect(hashes).toHaveLength(20);
});

test("anybody can deploy the settler contract once at its address, with a nonce that the service tracks", async () => {
  await world.client().setCode({ address: SETTLER, bytecode: "0x" });
  const testSystem = fresh();
  const { system } = testSystem;
  const wanted = {
    rpcUrl: world.rpc.base ?? "",
    network: "base" as const,
    key: system.config.relayerKeys[0],
    agrees: async () => true,
    nonce: (signer: `0x${string}`) => nonceOf(system.db, "base", toAddress(signer)),
  };
  const signer = toAddress(world.relayers[0]?.address ?? "");
  await expect(deploy(SETTLER_DEPLOYMENT, { ...wanted, network: "base-sepolia" })).rejects.toThrow(/chain 8453/);
  expect(await deploy(SETTLER_DEPLOYMENT, { ...wanted, agrees: async () => false })).toBeNull();
  const rowsBefore = await testSystem.sql`select next_nonce::int as n from relayers where signer = ${signer}`;
  expect(await deploy(SETTLER_DEPLOYMENT, wanted)).toMatchObject({
    address: SETTLER,
    hash: expect.stringMatching(/^0x/),
  });
  expect(await world.client().getCode({ address: SETTLER })).toBe(SETTLER_CODE);
  const rowsAfter = await testSystem.sql`select next_nonce::int as n from relayers where signer = ${signer}`;
  expect(rowsAfter[0]?.n).toBe(rowsBefore[0]?.n + 1);
  expect(await deploy(SETTLER_DEPLOYMENT, wanted)).toEqual({ address: SETTLER, hash: null });
  // The service continues with the next nonce.
  await settleMany(fresh(), 5);
  await world.client().setCode({ address: SETTLER, bytecode: "0x00" });
  await expect(deploy(SETTLER_DEPLOYMENT, { ...wanted, key: privateKeyOf(account(1)) })).rejects.toThrow(
    /unexpected code/,
  );
});

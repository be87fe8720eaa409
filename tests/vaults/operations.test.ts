import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as operations from "@/lib/mandates/vaults/operation-store";
import type { Tx } from "@/lib/platform/db";
import { addTransaction, closeTransaction } from "@/lib/settlements/relayer/store";
import { relayers } from "@/lib/settlements/tables";
import { VAULT_CONTRACTS } from "@/lib/vaults/contracts";
import { freshAddress, openSystem } from "../support/system";
import { vaultMandate } from "../support/vault-mandates";
import { createWorld, type World } from "../support/world";

let world: World;
let testSystem: ReturnType<typeof openSystem>;

beforeAll(async () => {
  world = await createWorld();
  testSystem = openSystem();
});
afterAll(async () => {
  const { closeSystem } = await import("../support/wiring");
  await closeSystem();
  await testSystem?.close();
  await world?.stop();
});

const inTx = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => testSystem.system.db.transaction(work);

/** An operation that waits, and a relayer that never runs. */
async function waiting() {
  const { mandateId } = await vaultMandate(world);
  const [operation] = await inTx((tx) => operations.lockLive(tx, mandateId as never, null));
  if (!operation) throw new Error("no operation waits");
  const [network, signer] = ["base" as const, freshAddress()];
  await testSystem.system.db.insert(relayers).values({ network, signer, nextNonce: 0 });
  const nonce = { network, signer, nonce: 0 };
  const send = async (tx: Tx) => {
    const call = { to: VAULT_CONTRACTS[2].factory.address, calldata: "0x" as const, gasLimit: 1n };
    await addTransaction(tx, { ...nonce, ...call, createdAt: new Date() });
    await operations.change(tx, operation.id, { state: "sent", signer, relayerNonce: 0 });
  };
  const live = (upTo: bigint | null) => inTx((tx) => operations.lockLive(tx, operation.mandateId, upTo));
  return { operation, nonce, send, live };
}

test("an operation that is sent while its vault is being read is not taken for a finished one", async () => {
  const { operation, send, live } = await waiting();
  let reading: ReturnType<typeof live> | undefined;
  await inTx(async (tx) => {
    await operations.lockWaiting(tx, operation.id);
    // Waits for the lock.
    reading = live(null);
    await sleep(300);
    await send(tx);
  });
  expect(await reading).toMatchObject([{ id: operation.id, state: "sent", isClosed: false }]);
});

test("a transaction that was mined after the block at which a vault is read does not count as finished at that block", async () => {
  const { nonce, send, live } = await waiting();
  await inTx(send);
  expect(await live(null)).toMatchObject([{ isClosed: false }]);
  await inTx((tx) => closeTransaction(tx, nonce, 100n));
  expect(await live(99n)).toMatchObject([{ isClosed: false }]);
  expect(await live(100n)).toMatchObject([{ isClosed: true }]);
  await inTx((tx) => closeTransaction(tx, nonce, null));
  expect(await live(99n)).toMatchObject([{ isClosed: true }]);
});

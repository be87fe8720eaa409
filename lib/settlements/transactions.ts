import type { Hex } from "viem";
import type { Address } from "@/lib/core/address";
import type { Chain } from "@/lib/platform/chain";
import type { System } from "@/lib/platform/context";
import type { Tx } from "@/lib/platform/db";
import { failpoint } from "@/lib/platform/failpoint";
import { assertLease, type Lease } from "@/lib/platform/lease";
import { notify } from "@/lib/platform/queue";
import type { NetworkName } from "@/lib/x402/networks";
import type { Item } from "./calls";
import * as store from "./relayer-store";
import { bundle, gasFor } from "./rules";

/** One relayer key on one network, under a lease that makes it this process's alone. */
export type RelayerJob = {
  system: System;
  chain: Chain;
  network: NetworkName;
  key: Hex;
  signer: Address;
  lease: Lease;
};

export type Load = {
  items: readonly [Item, ...Item[]];
  /** The most it may use; by what it carries, unless told otherwise. */
  gas?: bigint;
  /** One refused call takes back all of them. */
  isAllOrNothing?: boolean;
  /** Asked in the transaction that stores it: whether what was decided still holds. */
  holds?: (tx: Tx) => Promise<boolean>;
};

/** Takes a nonce, signs, stores the signed bytes with what travels in them, and only then broadcasts. */
export async function send(job: RelayerJob, load: Load): Promise<void> {
  const { items, gas = gasFor(items), isAllOrNothing = false, holds = async () => true } = load;
  const { system, chain, network, signer, key } = job;
  const relayer = await store.relayer(system.db, network, signer);
  if (!relayer) return;
  const call = bundle(items, { isAllOrNothing });
  const fees = await chain.fees();
  const nonce = { network, signer, nonce: relayer.nextNonce };
  const signed = await chain.signTransaction(key, { ...call, ...fees, gas, nonce: nonce.nonce });
  await failpoint("relayer.signed");
  const at = system.now();
  const attempt = attemptRow(nonce, signed, fees, at);
  const ids = items.map((item) => item.settlement.id);
  const isStored = await system.db.transaction(async (tx) => {
    await assertLease(tx, job.lease);
    // A settlement that ended meanwhile (its payer cancelled): leave this set and simulate anew.
    if (!(await holds(tx)) || !(await store.lockWaiting(tx, ids, signer))) return false;
    if (!(await store.takeNonce(tx, nonce))) return false;
    await store.prepare(tx, ids, nonce.nonce, signed.hash);
    await store.addTransaction(tx, { ...nonce, to: call.to, calldata: call.data, gasLimit: gas, createdAt: at });
    await store.addAttempt(tx, attempt);
    return true;
  });
  if (!isStored) return;
  await failpoint("relayer.stored");
  await broadcast(job, nonce, attempt);
}

export const attemptRow = (
  at: store.NonceKey,
  signed: { raw: Hex; hash: Hex },
  fees: { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint },
  createdAt: Date,
) => ({ network: at.network, signer: at.signer, nonce: at.nonce, ...signed, ...fees, createdAt });

/** Sends stored bytes; sending them again is harmless. Only an answer of the node counts as sent. */
export async function broadcast(job: RelayerJob, key: store.NonceKey, attempt: { hash: Hex; raw: Hex }): Promise<void> {
  const { system, chain } = job;
  const result = await chain.send(attempt.raw);
  await failpoint("relayer.sent");
  if (result === "rejected") {
    system.log.error({ network: key.network, nonce: key.nonce, hash: attempt.hash }, "relayer.rejected");
    return;
  }
  await store.markSent(system.db, attempt.hash, system.now());
  await store.markBroadcast(system.db, key);
  await notify(system.db, "relayer_sent", key.network);
}

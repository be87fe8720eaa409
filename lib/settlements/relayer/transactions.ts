import type { Hex } from "viem";
import type { Call, Fees, SendResult } from "@/lib/platform/chain";
import type { System } from "@/lib/platform/context";
import type { Tx } from "@/lib/platform/db";
import { failpoint } from "@/lib/platform/failpoint";
import { assertLease } from "@/lib/platform/lease";
import { notify } from "@/lib/platform/queue";
import type { NetworkName } from "@/lib/x402/networks";
import { cappedFees, multicall } from "../rules";
import { batchCall, type Item } from "./calls";
import type { RelayerJob } from "./job";
import { aloneGas, hasSettler, settlerGas } from "./settler";
import * as store from "./store";

export type Load = {
  items: readonly [Item, ...Item[]];
  /** One rejected transfer reverts all of them. */
  isAllOrNothing?: boolean;
  /** Runs inside the database transaction that stores the load; false when the decision to send no longer holds. */
  holds?: (tx: Tx) => Promise<boolean>;
};

/** Sends settlements. If one ended in the meantime (its payer cancelled), the load is dropped and simulated again. */
export async function send(job: RelayerJob, load: Load): Promise<void> {
  const { items, holds = async () => true } = load;
  const ids = items.map((item) => item.settlement.id);
  await sendCall(job, await callOf(job, load), {
    holds: async (tx) => (await holds(tx)) && (await store.lockWaiting(tx, ids, job.signer)),
    onStored: (tx, { nonce }, hash) => store.prepare(tx, ids, nonce, hash),
  });
}

export { raisedFees } from "../rules";

/** The fees of a transaction that is signed now. */
export const feesNow = async ({ chains, config }: System, network: NetworkName): Promise<Fees> =>
  cappedFees(await chains[network].fees(), config.feeCaps[network]);

/** Hooks of a transaction. Both run inside the database transaction that stores it. */
export type Cargo = {
  /** False when the decision to send no longer holds. */
  holds: (tx: Tx) => Promise<boolean>;
  onStored: (tx: Tx, nonce: store.NonceKey, hash: Hex) => Promise<void>;
};

/** Two loops send with one key: each may take the nonce that the other has read. */
const NONCE_TRIES = 5;

/**
 * Signs, stores the nonce, the signed bytes and the cargo in one database transaction, and only then broadcasts.
 * Why: docs/decisions.md, 394.
 */
export async function sendCall(job: RelayerJob, unsigned: { call: Call; gas: bigint }, cargo: Cargo): Promise<void> {
  const fees = await feesNow(job.system, job.network);
  for (let tries = 0; tries < NONCE_TRIES; tries++) {
    const stored = await sign(job, unsigned, fees, cargo);
    if (stored === "nonce_taken") continue;
    if (stored === null) return;
    await failpoint("relayer.stored");
    return broadcast(job, stored, stored);
  }
  throw new Error(`the nonce was taken ${NONCE_TRIES} times in a row`);
}

/** Null when the decision to send no longer holds. */
async function sign(
  { system, chain, network, signer, key, lease }: RelayerJob,
  { call, gas }: { call: Call; gas: bigint },
  fees: Fees,
  { holds, onStored }: Cargo,
) {
  const relayer = await store.relayer(system.db, network, signer);
  if (!relayer) return null;
  const nonce = { network, signer, nonce: relayer.nextNonce };
  const signed = await chain.signTransaction(key, { ...call, ...fees, gas, nonce: nonce.nonce });
  await failpoint("relayer.signed");
  const time = system.now();
  const attempt = attemptRow(nonce, signed, fees, time);
  return system.db.transaction(async (tx) => {
    await assertLease(tx, lease);
    if (!(await holds(tx))) return null;
    if (!(await store.takeNonce(tx, nonce))) return "nonce_taken" as const;
    await store.addTransaction(tx, { ...nonce, to: call.to, calldata: call.data, gasLimit: gas, createdAt: time });
    await store.addAttempt(tx, attempt);
    await onStored(tx, nonce, signed.hash);
    return attempt;
  });
}

async function callOf(
  { chain }: RelayerJob,
  { items, isAllOrNothing = false }: Load,
): Promise<{ call: Call; gas: bigint }> {
  const [first, ...tail] = items;
  if (tail.length === 0) return { call: first.call, gas: aloneGas(first.call, first.stipend) };
  if (await hasSettler(chain)) {
    const call = batchCall(items, isAllOrNothing);
    return { call, gas: settlerGas(call, items) };
  }
  if (!isAllOrNothing) throw new Error("without the settler, transfers of different groups cannot share a transaction");
  const call = multicall(items);
  return { call, gas: settlerGas(call, items) };
}

export const attemptRow = (
  key: store.NonceKey,
  signed: { raw: Hex; hash: Hex },
  fees: Fees,
  createdAt: Date,
  isEmpty = false,
) => ({ network: key.network, signer: key.signer, nonce: key.nonce, ...signed, ...fees, isEmpty, createdAt });

export const nameOf = ({ network, signer, nonce }: store.NonceKey) => `${network} ${signer} ${nonce}`;

/** `count`: consecutive rejections. */
type Refused = { result: SendResult; atMs: number; count: number };

/**
 * The last rejection of each transaction by all nodes, in this process's monotonic milliseconds. Kept in memory only: after a
 * restart, the next broadcast restores it.
 */
const rejections = new Map<string, Refused>();
export const refusals = {
  of: (key: store.NonceKey) => {
    const rejection = rejections.get(nameOf(key));
    return rejection && { ...rejection, ageMs: performance.now() - rejection.atMs };
  },
  forget: (key: store.NonceKey) => void rejections.delete(nameOf(key)),
};

const NOT_TAKEN: ReadonlySet<SendResult> = new Set<SendResult>(["rejected", "impossible", "unfunded", "underpriced"]);

/**
 * Sends stored bytes. Idempotent. Counts as sent only when a node accepts them. After a rejection the relayer sends again, after
 * STUCK_SECONDS at a higher fee, and finally an empty transaction with this nonce.
 */
export async function broadcast(job: RelayerJob, key: store.NonceKey, attempt: { hash: Hex; raw: Hex }): Promise<void> {
  const { system, chain } = job;
  const result = await chain.send(attempt.raw);
  await failpoint("relayer.sent");
  if (NOT_TAKEN.has(result)) {
    const count = (rejections.get(nameOf(key))?.count ?? 0) + 1;
    rejections.set(nameOf(key), { result, atMs: performance.now(), count });
  } else refusals.forget(key);
  if (NOT_TAKEN.has(result) && result !== "underpriced") {
    system.log.error({ network: key.network, nonce: key.nonce, hash: attempt.hash, result }, "relayer.rejected");
    return;
  }
  await store.markSent(system.db, key, attempt.hash, system.now());
  await notify(system.db, "relayer_sent", key.network);
}

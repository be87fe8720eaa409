import { formatEther, type Hex } from "viem";
import { privateKeyToAddress } from "viem/accounts";
import { toAddress } from "@/lib/core/address";
import { addSeconds } from "@/lib/core/time";
import type { Fees, Receipt } from "@/lib/platform/chain";
import type { System } from "@/lib/platform/context";
import { assertLease, LeaseLost } from "@/lib/platform/lease";
import { metrics } from "@/lib/platform/metrics";
import { oncePerProcess } from "@/lib/platform/once-per-process";
import type { NetworkName } from "@/lib/x402/networks";
import { sendCancellations } from "../cancellations/service";
import { decline } from "../observer/endings";
import { readFacts } from "../observer/facts";
import { apply } from "../observer/observer";
import { readBlocks } from "../observer/read-blocks";
import { gasCharged, isCodePayersOwn, raisedFees } from "../rules";
import type { Settlement } from "../store";
import { cursor as readCursor } from "../store";
import { ATTEMPTS_MAX } from "./faults";
import type { RelayerJob } from "./job";
import * as queue from "./queue-store";
import { type Pace, sendWaiting } from "./sending";
import type { RelayerAttempt, RelayerTransaction } from "./store";
import * as store from "./store";
import { attemptRow, broadcast, nameOf, refusals } from "./transactions";

export const relayerJob = (system: System, network: NetworkName, key: Hex): Omit<RelayerJob, "lease"> => ({
  system,
  network,
  key,
  chain: system.chains[network],
  signer: toAddress(privateKeyToAddress(key)),
});

const RESEND_SECONDS = 3;

/** One round: follows open transactions, then sends what waits. Returns how soon to run again. */
export async function relay(job: RelayerJob): Promise<Pace> {
  const open = await followOpen(job);
  const outlook = (await look(job)) ?? (await begin(job));
  if (outlook.pausedReason !== null) {
    await queue.unassign(job.system.db, job.network, job.signer);
    return open > 0 ? "underway" : "idle";
  }
  if (outlook.hasCancellations) await sendCancellations(job);
  let isBusy = false;
  for (const send of job.senders ?? []) isBusy = (await send(job)) || isBusy;
  const pace = await sendWaiting(job, outlook);
  return pace === "idle" && isBusy ? "underway" : pace;
}

const look = ({ system, network, signer }: RelayerJob) => queue.outlook(system.db, network, signer, system.now());

/** Registers a key that is used on a network for the first time. */
async function begin(job: RelayerJob): Promise<queue.Outlook> {
  const { system, chain, network, signer } = job;
  await store.addRelayer(system.db, { network, signer, nextNonce: await chain.transactionCount(signer) });
  const outlook = await look(job);
  if (!outlook) throw new Error("the relayer was added and is missing");
  return outlook;
}

async function followOpen(job: RelayerJob): Promise<number> {
  const open = await store.openTransactions(job.system.db, job.network, job.signer);
  if (open.length === 0) return 0;
  // Read before the receipts: a nonce that is used here has its receipt below, unless a foreign transaction used it.
  const minedNonces = await job.chain.transactionCount(job.signer);
  await followUnmined(job, minedNonces, open);
  for (const transaction of open) {
    try {
      await follow(job, transaction, minedNonces);
    } catch (err) {
      if (LeaseLost.is(err)) throw err;
      // It stays open for the next round; the others must not wait for it.
      job.system.log.warn({ network: job.network, nonce: transaction.nonce, err }, "relayer.unfollowed");
    }
  }
  return open.length;
}

/**
 * Opens closed transactions again that the chain does not have: those from `minedNonces` to the first open one. Until they are
 * mined, no later nonce can be.
 */
async function followUnmined(job: RelayerJob, minedNonces: number, [first]: RelayerTransaction[]): Promise<void> {
  const { system, network, signer } = job;
  if (!first || first.nonce <= minedNonces) return;
  const unmined = { network, signer, nonce: minedNonces };
  if (!hasLasted(job, unmined)) return;
  contradictions.delete(nameOf(unmined));
  await store.reopenTransactions(system.db, unmined, first.nonce);
  system.log.error({ network, signer, from: minedNonces, to: first.nonce - 1 }, "relayer.reopened");
}

async function follow(job: RelayerJob, transaction: RelayerTransaction, minedNonces: number): Promise<void> {
  const forms = await store.attempts(job.system.db, transaction);
  const receipts = await Promise.all(forms.map((form) => job.chain.receipt(form.hash)));
  const receipt = receipts.find((found) => found !== null);
  if (receipt) return close(job, transaction, receipt);
  const [latest] = forms;
  if (!latest) return;
  const age = job.system.now().getTime() - (latest.sentAt ?? latest.createdAt).getTime();
  if (transaction.nonce < minedNonces) {
    if (hasLasted(job, transaction)) await pauseForForeignUse(job, transaction);
    return;
  }
  contradictions.delete(nameOf(transaction));
  const refusal = refusals.of(transaction);
  const mayRaise = refusal ? refusal.isOfFee && isStuck(job, latest) : await isPassedOver(job, latest);
  const fees = mayRaise ? raisedFees(latest, await job.chain.fees()) : null;
  if (fees) return replace(job, transaction, fees);
  const isDue = refusal ? refusal.ageMs > RESEND_SECONDS * 1000 : !latest.sentAt || age > RESEND_SECONDS * 1000;
  if (isDue) await broadcast(job, transaction, latest);
}

/**
 * Closes a mined transaction once the observer has read its block. A transfer that the receipt shows and the observer missed
 * (a node withheld the log) is settled from the receipt; the others return to the queue, where simulation finds the reason.
 */
async function close(job: RelayerJob, transaction: RelayerTransaction, receipt: Receipt): Promise<void> {
  const { system, network } = job;
  const read = await readBlocks(system, network, [receipt.block]);
  if (!read.has(receipt.block)) return;
  const left = await store.listInFlight(system.db, transaction);
  const isShown = (row: Settlement) => receipt.uses.some((u) => u.payer === row.payer && u.nonce === row.nonce);
  const logs = left
    .filter(isShown)
    .map(({ payer, nonce }) => ({ kind: "used" as const, payer, nonce, txHash: receipt.hash, block: receipt.block }));
  const facts = await readFacts(system, network, logs);
  const unmoved = left.filter((row) => !isShown(row));
  const carried = await store.carried(system.db, transaction);
  // Payer code that passes simulation and fails on the chain would burn our gas on every attempt.
  const attemptsMax = isCodePayersOwn(transaction.gasLimit, carried.length) ? 1 : ATTEMPTS_MAX;
  const now = system.now();
  const charges = carried
    .map((row) => {
      const gas = gasCharged({ hasMoved: isShown(row), gasUsed: receipt.gasUsed, carried: carried.length });
      const { signer, nonce: relayerNonce } = transaction;
      return { network, payer: row.payer, signer, relayerNonce, gas, createdAt: now };
    })
    .filter(({ gas }) => gas > 0n);
  const spent = unmoved.filter((row) => row.attempts + 1 >= attemptsMax).map((row) => row.id);
  const again = unmoved.filter((row) => row.attempts + 1 < attemptsMax).map((row) => row.id);
  await system.db.transaction(async (tx) => {
    await assertLease(tx, job.lease);
    await read.assertKept(tx);
    await apply(tx, system, facts);
    await store.closeTransaction(tx, transaction, receipt.block.number);
    refusals.forget(transaction);
    await store.chargeGas(tx, charges, addSeconds(now, -store.GAS_WINDOW_SECONDS));
    if (spent.length > 0) await decline(tx, spent, "REVERTED", system.now());
    if (again.length > 0) await store.requeue(tx, again);
  });
  metrics().gasUsed.inc({ network }, Number(receipt.gasUsed));
  metrics().gasPaid.inc({ network }, Number(formatEther(receipt.feeWei)));
}

/**
 * Since when a nonce counts as mined while none of our attempts has a receipt, or as unmined while its transaction is closed; in
 * this process's monotonic milliseconds.
 */
const contradictions = oncePerProcess("relayer.contradictions", () => new Map<string, number>());

/** Two nodes behind one URL can disagree briefly; only a lasting contradiction counts. */
function hasLasted(job: RelayerJob, nonce: store.NonceKey): boolean {
  const since = contradictions.get(nameOf(nonce)) ?? performance.now();
  contradictions.set(nameOf(nonce), since);
  return performance.now() - since >= job.system.config.stuckSeconds * 1000;
}

/** Whether the chain has been producing blocks without it. While no block is mined, a higher fee does not help. */
async function isPassedOver(job: RelayerJob, latest: RelayerAttempt): Promise<boolean> {
  if (!latest.sentAt || !isStuck(job, latest)) return false;
  const cursor = await readCursor(job.system.db, job.network);
  return cursor !== null && cursor.blockTime > latest.createdAt;
}

const isStuck = ({ system }: RelayerJob, latest: RelayerAttempt) =>
  system.now() > addSeconds(latest.createdAt, system.config.stuckSeconds);

/** The key was used outside of this service: an operator must check before it signs again. */
async function pauseForForeignUse(job: RelayerJob, transaction: RelayerTransaction): Promise<void> {
  const { system, network, signer } = job;
  const left = await store.listInFlight(system.db, transaction);
  await system.db.transaction(async (tx) => {
    await assertLease(tx, job.lease);
    await store.pause(tx, network, signer, `nonce ${transaction.nonce} was used by a transaction that is not ours`);
    await store.closeTransaction(tx, transaction, null);
    refusals.forget(transaction);
    await store.requeue(
      tx,
      left.map((row) => row.id),
    );
  });
  system.log.error({ network, signer, nonce: transaction.nonce }, "relayer.paused");
}

/** Signs the same nonce and call at a higher fee. Receipts of the earlier attempts are still checked. */
async function replace(job: RelayerJob, transaction: RelayerTransaction, fees: Fees): Promise<void> {
  const { system, chain, key } = job;
  const signed = await chain.signTransaction(key, {
    to: transaction.to,
    data: transaction.calldata,
    gas: transaction.gasLimit,
    nonce: transaction.nonce,
    ...fees,
  });
  const attempt = attemptRow(transaction, signed, fees, system.now());
  await system.db.transaction(async (tx) => {
    await assertLease(tx, job.lease);
    await store.addAttempt(tx, attempt);
    await store.setAttemptHash(tx, transaction, signed.hash);
  });
  system.log.warn({ network: job.network, nonce: transaction.nonce, hash: signed.hash }, "relayer.replaced");
  await broadcast(job, transaction, attempt);
}

import { formatEther, type Hex, size } from "viem";
import { privateKeyToAddress } from "viem/accounts";
import { toAddress } from "@/lib/core/address";
import { addSeconds } from "@/lib/core/time";
import type { Fees, Receipt } from "@/lib/platform/chain";
import type { System } from "@/lib/platform/context";
import { assertLease, LeaseLost } from "@/lib/platform/lease";
import { metrics } from "@/lib/platform/metrics";
import type { NetworkName } from "@/lib/x402/networks";
import { sendCancellations } from "../cancellations/service";
import { type SendingOutcome, simulated, trySending } from "../deployment";
import { decline } from "../observer/endings";
import { readFacts } from "../observer/facts";
import { apply } from "../observer/observer";
import { readBlocks } from "../observer/read-blocks";
import {
  BATCH_MAX,
  cappedFees,
  gasCharges,
  highestFees,
  isForeignCode,
  isTimeToSend,
  raisedFees,
  stipendOf,
} from "../rules";
import type { Settlement } from "../store";
import { cursor as readCursor } from "../store";
import { fitting, type Item, itemsOf, simulateTogether } from "./calls";
import { ATTEMPTS_MAX, blame, guarded, putOff } from "./faults";
import { chargeGas, GAS_WINDOW_SECONDS } from "./gas-store";
import { sendNextGroup } from "./groups";
import type { Pace, RelayerJob } from "./job";
import { gasBudget, spentGas } from "./payer-gas";
import * as queue from "./queue-store";
import { giveUp, refuse } from "./refusals";
import { hasSettler } from "./settler";
import type { RelayerAttempt, RelayerTransaction } from "./store";
import * as store from "./store";
import { attemptRow, broadcast, nameOf, refusals, send } from "./transactions";

/** Mempools reliably keep about sixteen transactions per account. */
const IN_FLIGHT_MAX = 16;

/** Sends waiting settlements without a group. */
async function sendBatch(job: RelayerJob, outlook: queue.Outlook): Promise<Pace> {
  const { system, network, signer } = job;
  const { waiting, inFlight, hasCancellations } = outlook;
  if (!isTimeToSend(outlook, system.now())) return waiting + inFlight > 0 || hasCancellations ? "underway" : "idle";
  const picked = await queue.pick(system.db, network, signer, system.now(), BATCH_MAX);
  const items = await itemsOf(job, picked);
  const canShare = await hasSettler(job.chain);
  const spent = await spentGas(
    system,
    network,
    items.map(({ settlement }) => settlement.payer),
  );
  // A payer with code gets its own transaction, so that the receipt shows its gas cost. An item that has failed once is never
  // batched again.
  const shareable = items.filter(({ kind, settlement: { attempts, payer } }) => {
    return canShare && !isForeignCode(kind) && attempts === 0 && !spent.has(payer);
  });
  const sharing = fitting(shareable);
  const ready = await simulateTogether(job, sharing);
  const [first, ...tail] = ready;
  const readySettlements = ready.map(({ settlement }) => settlement);
  if (first) await send(job, { items: [first, ...tail] }).catch((err) => blame(job, readySettlements, err));
  const soloItems = items.filter((item) => !shareable.includes(item));
  const room = Math.max(0, IN_FLIGHT_MAX - inFlight - 1);
  for (const item of soloItems.slice(0, room)) await guarded(job, item.settlement, () => sendAlone(job, item));
  // Deferred items queue behind later arrivals, so no one can block the front of the queue.
  await putOff(job, ...soloItems.slice(room).map(({ settlement }) => settlement.id));
  // Items that did not fit are first in the next round.
  return waiting > picked.length || sharing.length < shareable.length ? "more" : "underway";
}

async function sendAlone(job: RelayerJob, item: Item): Promise<void> {
  const { settlement } = item;
  const outcome = await trySending(item, async (sending): Promise<SendingOutcome<{ underway: number }>> => {
    const { underway, fits } = await gasBudget(job, settlement, sending.kind);
    return fits ? simulated(job.chain, job.signer, sending) : { type: "over_budget", over: { underway } };
  });
  switch (outcome.type) {
    case "accepted":
      return send(job, { items: [{ ...item, ...outcome.sending }] });
    case "refused":
      return refuse(job, settlement, outcome.reason);
    case "over_budget":
      // The transfers under way may turn out to be free.
      return outcome.over.underway > 0 ? putOff(job, settlement.id) : giveUp(job, settlement, "GAS_BUDGET_SPENT");
    default:
      return outcome satisfies never;
  }
}

export const relayerJob = (system: System, network: NetworkName, key: Hex): Omit<RelayerJob, "lease"> => ({
  system,
  network,
  key,
  chain: system.chains[network],
  signer: toAddress(privateKeyToAddress(key)),
});

const RESEND_SECONDS = 3;
/** Gas of a transaction to an account without calldata. */
const EMPTY_GAS = 21_000n;

/**
 * One round: follows open transactions, then sends waiting settlements: one batch and one group, so that neither delays the other.
 * Returns how soon to run again.
 */
export async function relay(job: RelayerJob): Promise<Pace> {
  const open = await followOpen(job);
  const outlook = await readOutlook(job);
  if (outlook.pausedReason !== null) {
    await queue.unassign(job.system.db, job.network, job.signer);
    return open > 0 ? "underway" : "idle";
  }
  const [batch] = await Promise.allSettled([sendBatch(job, outlook)]);
  const [group] = await Promise.allSettled([outlook.hasGroups && sendNextGroup(job)]);
  // After the payments, which must not wait for cancellations.
  if (outlook.hasCancellations) await sendCancellations(job);
  if (group.status === "rejected") throw group.reason;
  if (batch.status === "rejected") throw batch.reason;
  return group.value ? "more" : batch.value;
}

/** Registers a key that is used on a network for the first time. */
async function readOutlook({ system, chain, network, signer }: RelayerJob): Promise<queue.Outlook> {
  const outlook = await queue.outlook(system.db, network, signer, system.now());
  if (outlook) return outlook;
  await store.addRelayer(system.db, { network, signer, nextNonce: await chain.transactionCount(signer) });
  const firstOutlook = await queue.outlook(system.db, network, signer, system.now());
  if (!firstOutlook) throw new Error("the relayer was added and is missing");
  return firstOutlook;
}

/** Returns the number of open transactions. */
async function followOpen(job: RelayerJob): Promise<number> {
  const { system, network, signer } = job;
  const open = await store.openTransactions(system.db, network, signer);
  const [first] = open;
  if (!first) return 0;
  // Read before the receipts: a nonce below this count has a receipt, unless a foreign transaction used it.
  const minedNonces = await job.chain.transactionCount(signer);
  const unmined = { network, signer, nonce: minedNonces };
  // The chain does not have closed transactions below the first open one. No later nonce can be mined before them.
  if (first.nonce > minedNonces && hasLasted(job, unmined)) {
    contradictions.delete(nameOf(unmined));
    await store.reopenTransactions(system.db, unmined, first.nonce);
    system.log.error({ network, signer, from: minedNonces, to: first.nonce - 1 }, "relayer.reopened");
  }
  for (const transaction of open) {
    try {
      await follow(job, transaction, minedNonces);
    } catch (err) {
      if (err instanceof LeaseLost) throw err;
      // This transaction stays open for the next round; the others must not wait for it.
      system.log.warn({ network, nonce: transaction.nonce, err }, "relayer.lookup_failed");
    }
  }
  return open.length;
}

async function follow(job: RelayerJob, transaction: RelayerTransaction, minedNonces: number): Promise<void> {
  const forms = await store.attempts(job.system.db, transaction);
  const receipts = await Promise.all(forms.map((form) => job.chain.receipt(form.hash)));
  const receipt = receipts.find((candidate) => candidate !== null);
  if (receipt) return close(job, transaction, receipt, forms);
  const [newest] = forms;
  if (!newest) return;
  if (transaction.nonce < minedNonces) {
    if (hasLasted(job, transaction)) await pauseForForeignUse(job, transaction);
    return;
  }
  contradictions.delete(nameOf(transaction));
  await pursue(job, transaction, [newest, ...forms.slice(1)]);
}

/**
 * Sends an unmined nonce again, at a higher fee if that may help, and as an empty transaction if no fee does.
 * Why: docs/decisions.md, 387.
 */
async function pursue(
  job: RelayerJob,
  transaction: RelayerTransaction,
  forms: readonly [RelayerAttempt, ...RelayerAttempt[]],
): Promise<void> {
  const [newest] = forms;
  // A node that refused the call may accept it now. An empty transaction that a node accepted replaces the call.
  const isEmptied = forms.some(({ isEmpty, sentAt }) => isEmpty && sentAt !== null);
  const current = isEmptied ? newest : (forms.find(({ isEmpty }) => !isEmpty) ?? newest);
  const refusal = refusals.of(transaction);
  const mayRaise = refusal ? refusal.result !== "unfunded" && isStuck(job, newest) : await isPassedOver(job, current);
  const fees = mayRaise ? await raise(job, forms) : null;
  if (refusal && !newest.isEmpty && isHopeless(refusal, forms, { isExhausted: mayRaise && fees === null })) {
    return replace(job, transaction, (await raise(job, forms)) ?? newest, true);
  }
  const age = job.system.now().getTime() - (current.sentAt ?? current.createdAt).getTime();
  const isDue = refusal ? refusal.ageMs > RESEND_SECONDS * 1000 : !current.sentAt || age > RESEND_SECONDS * 1000;
  if (refusal && newest !== current) {
    // Nodes refused both the call and the empty transaction. The call goes first: they may accept it now.
    if (isDue || fees) await broadcast(job, transaction, current);
    if (!refusals.of(transaction)) return;
    if (fees) return replace(job, transaction, fees, true);
    if (isDue) await broadcast(job, transaction, newest);
    return;
  }
  if (fees) return replace(job, transaction, fees, current.isEmpty);
  if (isDue) await broadcast(job, transaction, current);
}

/** After this many refused versions, each at a higher fee, the call counts as hopeless whatever the reason given. */
const VERSIONS_MAX = 3;

type Refusal = NonNullable<ReturnType<typeof refusals.of>>;

/** Whether all nodes refuse the call itself. An empty transaction then confirms it: if nodes refuse that too, nothing is lost. */
function isHopeless(
  { result, count }: Refusal,
  forms: readonly RelayerAttempt[],
  { isExhausted }: { isExhausted: boolean },
): boolean {
  if (result === "impossible") return true;
  if (result === "rejected") return isExhausted || (forms.length >= VERSIONS_MAX && count >= VERSIONS_MAX);
  // The fee is too low, or the key lacks ETH: the call is not to blame.
  return false;
}

/** Fees above those of all attempts, any of which may be in a mempool. */
async function raise({ chain, system, network }: RelayerJob, forms: readonly [RelayerAttempt, ...RelayerAttempt[]]) {
  const cap = system.config.feeCaps[network];
  return raisedFees(highestFees(forms), cappedFees(await chain.fees(), cap), cap);
}

/**
 * Closes a mined transaction once the observer has read its block. A transfer that the receipt shows and the observer missed
 * (a node withheld the log) is settled from the receipt; the others return to the queue, where simulation finds the reason.
 */
async function close(
  job: RelayerJob,
  transaction: RelayerTransaction,
  receipt: Receipt,
  forms: readonly RelayerAttempt[],
): Promise<void> {
  const { system, network } = job;
  const observedBlocks = await readBlocks(system, network, [receipt.block]);
  if (!observedBlocks.has(receipt.block)) return;
  const inFlight = await store.listInFlight(system.db, transaction);
  const isShown = (row: Settlement) => receipt.uses.some((u) => u.payer === row.payer && u.nonce === row.nonce);
  const logs = inFlight
    .filter(isShown)
    .map(({ payer, nonce }) => ({ kind: "used" as const, payer, nonce, txHash: receipt.hash, block: receipt.block }));
  const facts = await readFacts(system, network, logs);
  const unmoved = inFlight.filter((row) => !isShown(row));
  const carried = await store.carried(system.db, transaction);
  const isEmpty = forms.some((form) => form.isEmpty && form.hash === receipt.hash);
  const now = system.now();
  const { signer, nonce: relayerNonce } = transaction;
  // No other single transfer gets this much gas.
  const isCodePayersOwn = carried.length === 1 && transaction.gasLimit > stipendOf("code");
  // Payer code that passes simulation and fails on the chain would burn our gas on every attempt. One more for whoever came with its
  // deployment: somebody else can have made it first, or a replaced block can have undone it.
  const attemptsMax = ({ factory }: Settlement) => {
    if (isEmpty || !isCodePayersOwn) return ATTEMPTS_MAX;
    return factory === null ? 1 : 2;
  };
  const charges = [
    ...gasCharges(carried, { to: isEmpty ? signer : transaction.to, gasUsed: receipt.gasUsed, isShown, isEmpty }),
  ].map(([payer, gas]) => {
    return { network, payer, signer, relayerNonce, gas, createdAt: now };
  });
  const isSpent = (row: Settlement) => row.attempts + 1 >= attemptsMax(row);
  const spent = unmoved.filter(isSpent).map((row) => row.id);
  const retryIds = unmoved.filter((row) => !isSpent(row)).map((row) => row.id);
  await system.db.transaction(async (tx) => {
    await assertLease(tx, job.lease);
    await observedBlocks.assertKept(tx);
    await apply(tx, system, facts);
    await store.closeTransaction(tx, transaction, receipt.block.number);
    refusals.forget(transaction);
    await chargeGas(tx, charges, addSeconds(now, -GAS_WINDOW_SECONDS));
    if (spent.length > 0) await decline(tx, spent, "REVERTED", system.now());
    if (retryIds.length > 0) await store.requeue(tx, retryIds);
  });
  metrics().gasUsed.inc({ network }, Number(receipt.gasUsed));
  metrics().gasPaid.inc({ network }, Number(formatEther(receipt.feeWei)));
}

/**
 * Since when a nonce counts as mined while none of our attempts has a receipt, or as unmined while its transaction is closed; in
 * this process's monotonic milliseconds.
 */
const contradictions = new Map<string, number>();

/** Two nodes behind one URL can disagree briefly; only a lasting contradiction counts. */
function hasLasted(job: RelayerJob, nonce: store.NonceKey): boolean {
  const since = contradictions.get(nameOf(nonce)) ?? performance.now();
  contradictions.set(nameOf(nonce), since);
  return performance.now() - since >= job.system.config.stuckSeconds * 1000;
}

/** Whether the chain has mined blocks without this attempt. While no block is mined, a higher fee does not help. */
async function isPassedOver(job: RelayerJob, latest: RelayerAttempt): Promise<boolean> {
  if (!latest.sentAt || !isStuck(job, latest)) return false;
  const cursor = await readCursor(job.system.db, job.network);
  return cursor !== null && cursor.blockTime > latest.createdAt;
}

const isStuck = ({ system }: RelayerJob, latest: RelayerAttempt) =>
  system.now() > addSeconds(latest.createdAt, system.config.stuckSeconds);

/** The key was used outside of this service: an operator must check before the key signs again. */
async function pauseForForeignUse(job: RelayerJob, transaction: RelayerTransaction): Promise<void> {
  const { system, network, signer } = job;
  const inFlight = await store.listInFlight(system.db, transaction);
  await system.db.transaction(async (tx) => {
    await assertLease(tx, job.lease);
    await store.pause(tx, network, signer, `nonce ${transaction.nonce} was used by a transaction that is not ours`);
    await store.closeTransaction(tx, transaction, null);
    refusals.forget(transaction);
    await store.requeue(
      tx,
      inFlight.map((row) => row.id),
    );
  });
  system.log.error({ network, signer, nonce: transaction.nonce }, "relayer.paused");
}

/**
 * Signs the same nonce at other fees, with its call or empty. Receipts of earlier attempts are still checked: any may be mined.
 * The call's settlements return to the queue once the empty transaction is mined.
 */
async function replace(
  job: RelayerJob,
  transaction: RelayerTransaction,
  { maxFeePerGas, maxPriorityFeePerGas }: Fees,
  isEmpty: boolean,
): Promise<void> {
  const { system, chain, key, signer } = job;
  const { to, calldata: data, gasLimit: gas, nonce } = transaction;
  const fees = { maxFeePerGas, maxPriorityFeePerGas };
  const call = isEmpty ? { to: signer, data: "0x" as const, gas: EMPTY_GAS } : { to, data, gas };
  const signed = await chain.signTransaction(key, { ...call, ...fees, nonce });
  const attempt = attemptRow(transaction, signed, fees, system.now(), isEmpty);
  await system.db.transaction(async (tx) => {
    await assertLease(tx, job.lease);
    await store.addAttempt(tx, attempt);
    // The hash of an empty transaction would look like a receipt.
    if (!isEmpty) await store.setAttemptHash(tx, transaction, signed.hash);
  });
  const { network } = job;
  if (isEmpty) system.log.error({ network, nonce, hash: signed.hash, bytes: size(data), gas }, "relayer.emptied");
  else system.log.warn({ network, nonce, hash: signed.hash }, "relayer.replaced");
  await broadcast(job, transaction, attempt);
}

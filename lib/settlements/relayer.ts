import type { Hex } from "viem";
import { privateKeyToAddress } from "viem/accounts";
import { type Address, toAddress } from "@/lib/core/address";
import { addSeconds } from "@/lib/core/time";
import type { Call, Chain, Receipt } from "@/lib/platform/chain";
import type { System } from "@/lib/platform/context";
import { failpoint } from "@/lib/platform/failpoint";
import { assertLease, type Lease, LeaseLost } from "@/lib/platform/lease";
import { notify } from "@/lib/platform/queue";
import type { NetworkName } from "@/lib/x402/networks";
import { apply, lookUp, readFacts } from "./observer";
import {
  BATCH_MAX,
  bundle,
  CONTRACT_PAYER_GAS,
  gasFor,
  isTimeToSend,
  meaningOf,
  type Refusal,
  raisedFees,
  transferCall,
} from "./rules";
import { endWithoutTransfer } from "./service";
import type { RelayerTransaction, Settlement } from "./store";
import * as store from "./store";

/** One relayer key on one network, under a lease that makes it this process's alone. */
export type RelayerJob = {
  system: System;
  chain: Chain;
  network: NetworkName;
  key: Hex;
  signer: Address;
  lease: Lease;
};

export const relayerJob = (system: System, network: NetworkName, key: Hex, lease: Lease): RelayerJob => ({
  system,
  network,
  key,
  lease,
  chain: system.chains[network],
  signer: toAddress(privateKeyToAddress(key)),
});

const RESEND_SECONDS = 3;
const RETRY_SECONDS = 1;
const ATTEMPTS_MAX = 5;
/** Some minutes of blocks before the claim, in which an authorization may have been used elsewhere. */
const LOOK_BEFORE_CLAIM = 2_000n;

export type Pace = "more" | "underway" | "idle";

/** One round: look after what is on its way, then send what waits. Returns how soon there may be more to do. */
export async function relay(job: RelayerJob): Promise<Pace> {
  await ensureRelayer(job);
  const open = await followOpen(job);
  const relayer = await store.relayer(job.system.db, job.network, job.signer);
  if (!relayer || relayer.pausedReason !== null) {
    await store.unassign(job.system.db, job.network, job.signer);
    return open > 0 ? "underway" : "idle";
  }
  return sendWaiting(job);
}

async function ensureRelayer({ system, chain, network, signer }: RelayerJob): Promise<void> {
  if (await store.relayer(system.db, network, signer)) return;
  await store.addRelayer(system.db, { network, signer, nextNonce: await chain.transactionCount(signer) });
}

// What is on its way

async function followOpen(job: RelayerJob): Promise<number> {
  const open = await store.openTransactions(job.system.db, job.network, job.signer);
  if (open.length === 0) return 0;
  // Asked before the receipts: a nonce that was used by then has its receipt by now, unless the use was not ours.
  const minedNonces = await job.chain.transactionCount(job.signer);
  for (const transaction of open) await follow(job, transaction, minedNonces);
  return open.length;
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
  if (latest.sentAt && (await isPassedOver(job, latest))) {
    await replace(job, transaction, latest);
  } else if (!latest.sentAt || age > RESEND_SECONDS * 1000) {
    await broadcast(job, transaction, latest);
  }
}

/**
 * The transaction is mined and the observer has read its block. What its receipt shows as paid and the observer did not
 * see (a node kept the log from it) is settled by the receipt; the rest goes back to the queue, where simulation tells why.
 */
async function close(job: RelayerJob, transaction: RelayerTransaction, receipt: Receipt): Promise<void> {
  const { system, network } = job;
  const cursor = await store.cursor(system.db, network);
  if (!cursor || cursor.blockNumber < receipt.block.number) return;
  const left = await store.travelling(system.db, transaction);
  const isShown = (row: Settlement) => receipt.uses.some((u) => u.payer === row.payer && u.nonce === row.nonce);
  const logs = left
    .filter(isShown)
    .map(({ payer, nonce }) => ({ kind: "used" as const, payer, nonce, txHash: receipt.hash, block: receipt.block }));
  const facts = await readFacts(system, network, logs);
  const unmoved = left.filter((row) => !isShown(row));
  // A contract that agreed in simulation and refused on the chain would burn our gas each time.
  const attemptsMax = transaction.gasLimit === CONTRACT_PAYER_GAS ? 1 : ATTEMPTS_MAX;
  const spent = unmoved.filter((row) => row.attempts + 1 >= attemptsMax).map((row) => row.id);
  const again = unmoved.filter((row) => row.attempts + 1 < attemptsMax).map((row) => row.id);
  await system.db.transaction(async (tx) => {
    await assertLease(tx, job.lease);
    await apply(tx, system, facts);
    await store.closeTransaction(tx, transaction, receipt.block.number);
    if (spent.length > 0) await endWithoutTransfer(tx, spent, "REVERTED", system.now());
    if (again.length > 0) await store.requeue(tx, again);
  });
}

/** Since when a nonce counts as mined without any receipt of ours, by this process's own clock. */
const contradictions = new Map<string, number>();

const nameOf = ({ network, signer, nonce }: store.NonceKey) => `${network} ${signer} ${nonce}`;

/** Two nodes behind one address contradict each other for a moment now and then; only what stays is a finding. */
function hasLasted(job: RelayerJob, transaction: RelayerTransaction): boolean {
  const since = contradictions.get(nameOf(transaction)) ?? performance.now();
  contradictions.set(nameOf(transaction), since);
  return performance.now() - since >= job.system.config.stuckSeconds * 1000;
}

/** Whether the chain has gone on for long without it. While no block comes at all, a higher fee buys nothing. */
async function isPassedOver({ system, network }: RelayerJob, latest: store.RelayerAttempt): Promise<boolean> {
  const patience = addSeconds(latest.createdAt, system.config.stuckSeconds);
  if (system.now() <= patience) return false;
  const cursor = await store.cursor(system.db, network);
  return cursor !== null && cursor.blockTime > latest.createdAt;
}

/** Somebody used our key outside of this service: a person has to look before it signs again. */
async function pauseForForeignUse(job: RelayerJob, transaction: RelayerTransaction): Promise<void> {
  const { system, network, signer } = job;
  const left = await store.travelling(system.db, transaction);
  await system.db.transaction(async (tx) => {
    await assertLease(tx, job.lease);
    await store.pause(tx, network, signer, `nonce ${transaction.nonce} was used by a transaction that is not ours`);
    await store.closeTransaction(tx, transaction, null);
    await store.requeue(
      tx,
      left.map((row) => row.id),
    );
  });
  system.log.error({ network, signer, nonce: transaction.nonce }, "relayer.paused");
}

/** The same nonce and call at a higher fee; the earlier forms stay watched. */
async function replace(job: RelayerJob, transaction: RelayerTransaction, latest: store.RelayerAttempt): Promise<void> {
  const { system, chain, key } = job;
  const fees = raisedFees(latest, await chain.fees());
  if (!fees) return broadcast(job, transaction, latest);
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
    await store.renameTravelling(tx, transaction, signed.hash);
  });
  system.log.warn({ network: job.network, nonce: transaction.nonce, hash: signed.hash }, "relayer.replaced");
  await broadcast(job, transaction, attempt);
}

const attemptRow = (
  at: store.NonceKey,
  signed: { raw: Hex; hash: Hex },
  fees: { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint },
  createdAt: Date,
) => ({ network: at.network, signer: at.signer, nonce: at.nonce, ...signed, ...fees, createdAt });

/** Sends stored bytes; sending them again is harmless. Only an answer of the node counts as sent. */
async function broadcast(job: RelayerJob, key: store.NonceKey, attempt: { hash: Hex; raw: Hex }): Promise<void> {
  const { system, chain } = job;
  const result = await chain.send(attempt.raw);
  failpoint("relayer.sent");
  if (result === "rejected") {
    system.log.error({ network: key.network, nonce: key.nonce, hash: attempt.hash }, "relayer.rejected");
    return;
  }
  await store.markSent(system.db, attempt.hash, system.now());
  await store.markBroadcast(system.db, key);
  await notify(system.db, "relayer_sent", key.network);
}

// What waits

async function sendWaiting(job: RelayerJob): Promise<Pace> {
  const { system, network, signer } = job;
  const [queue, open] = await Promise.all([
    store.waiting(system.db, network, signer, system.now()),
    store.openTransactions(system.db, network, signer),
  ]);
  if (!isTimeToSend({ ...queue, inFlight: open.length }, system.now())) {
    return queue.waiting + open.length > 0 ? "underway" : "idle";
  }
  const picked = await store.pick(system.db, network, signer, system.now(), BATCH_MAX);
  const { accounts, contracts } = await split(job, picked);
  const ready = await simulateTogether(job, accounts);
  const [first, ...rest] = ready;
  if (first) await send(job, [first, ...rest], gasFor(ready.length));
  for (const item of contracts) await sendContractPayer(job, item);
  return queue.waiting > picked.length ? "more" : "underway";
}

type Item = { settlement: Settlement; call: Call };

/** Accounts with code (ERC-1271, EIP-7702) judge their own signature with their own code: they never share a transaction. */
async function split(job: RelayerJob, picked: Settlement[]): Promise<{ accounts: Item[]; contracts: Item[] }> {
  const payers = [...new Set(picked.map((row) => row.payer))];
  const flags = await job.chain.hasCode(payers);
  const contractPayers = new Set(payers.filter((_, at) => flags[at]));
  const items = picked.map((settlement) => {
    const isContract = contractPayers.has(settlement.payer);
    return { settlement, isContract, call: transferCall(settlement, isContract) };
  });
  return { accounts: items.filter((item) => !item.isContract), contracts: items.filter((item) => item.isContract) };
}

/** The items the chain would accept now, one after another on one state; the refused ones are ended or put off. */
async function simulateTogether(job: RelayerJob, items: Item[]): Promise<Item[]> {
  const results = await job.chain.simulate(
    job.signer,
    items.map((item) => item.call),
    gasFor(items.length),
  );
  const ready: Item[] = [];
  for (const [at, item] of items.entries()) {
    const result = results[at];
    if (!result || result.ok) ready.push(item);
    else await refuse(job, item.settlement, result.reason);
  }
  return ready;
}

async function sendContractPayer(job: RelayerJob, item: Item): Promise<void> {
  const result = await job.chain.simulateAlone(job.signer, item.call, CONTRACT_PAYER_GAS);
  if (result.ok) await send(job, [item], CONTRACT_PAYER_GAS);
  else await refuse(job, item.settlement, result.reason);
}

/** Ends a settlement that the chain refuses, or puts it off; what goes wrong with one must not hold up the others. */
async function refuse(job: RelayerJob, settlement: Settlement, reason: string): Promise<void> {
  try {
    await decide(job, settlement, meaningOf(reason));
  } catch (err) {
    if (err instanceof LeaseLost) throw err;
    job.system.log.warn({ settlementId: settlement.id, err }, "relayer.postponed");
    await putOff(job, settlement);
  }
}

async function decide(job: RelayerJob, settlement: Settlement, refusal: Refusal): Promise<void> {
  if (refusal.next === "wait") return putOff(job, settlement);
  if (refusal.next === "look_up") return lookUpUse(job, settlement);
  if (refusal.next === "fail") return end(job, settlement, refusal.code);
  // The token checks these before it looks whether the authorization was used: it may have paid already.
  const [isUsed] = await job.chain.authorizationStates([settlement]);
  return isUsed ? lookUpUse(job, settlement) : end(job, settlement, refusal.code);
}

const putOff = (job: RelayerJob, settlement: Settlement) =>
  store.postpone(job.system.db, [settlement.id], addSeconds(job.system.now(), RETRY_SECONDS));

async function end(job: RelayerJob, settlement: Settlement, code: string): Promise<void> {
  await job.system.db.transaction(async (tx) => {
    await assertLease(tx, job.lease);
    await endWithoutTransfer(tx, [settlement.id], code, job.system.now());
  });
}

/** For so long "spent, but not to be found" is a node that lags and not an authorization of long ago. */
const FIND_SECONDS = 60;

/** The authorization is spent. Since the claim: somebody else submitted it, and it pays. Before: it paid for something else. */
async function lookUpUse(job: RelayerJob, settlement: Settlement): Promise<void> {
  const { system, chain, network } = job;
  const { logs } = await lookUp(chain, settlement, settlement.claimedAtBlock - LOOK_BEFORE_CLAIM);
  const since = logs.filter((log) => log.block.number > settlement.claimedAtBlock);
  if (since.length === 0) {
    const isOld = system.now() > addSeconds(settlement.createdAt, FIND_SECONDS);
    return logs.length > 0 || isOld ? end(job, settlement, "ALREADY_USED") : putOff(job, settlement);
  }
  await putOff(job, settlement);
  const cursor = await store.cursor(system.db, network);
  if (since.some((log) => !cursor || log.block.number > cursor.blockNumber)) return;
  // The observer passed that block in the moment before the claim was there to be seen.
  const facts = await readFacts(system, network, since);
  await system.db.transaction(async (tx) => {
    await assertLease(tx, job.lease);
    await apply(tx, system, facts);
  });
}

/** Takes a nonce, signs, stores the signed bytes with what travels in them, and only then broadcasts. */
async function send(job: RelayerJob, items: [Item, ...Item[]], gas: bigint): Promise<void> {
  const { system, chain, network, signer, key } = job;
  const relayer = await store.relayer(system.db, network, signer);
  if (!relayer) return;
  const [first, ...rest] = items.map((item) => item.call) as [Call, ...Call[]];
  const call = bundle([first, ...rest]);
  const fees = await chain.fees();
  const nonce = { network, signer, nonce: relayer.nextNonce };
  const signed = await chain.signTransaction(key, { ...call, ...fees, gas, nonce: nonce.nonce });
  failpoint("relayer.signed");
  const at = system.now();
  const attempt = attemptRow(nonce, signed, fees, at);
  const ids = items.map((item) => item.settlement.id);
  const isStored = await system.db.transaction(async (tx) => {
    await assertLease(tx, job.lease);
    // A settlement that ended meanwhile (its payer cancelled): leave this set and simulate anew.
    if (!(await store.lockWaiting(tx, ids, signer))) return false;
    if (!(await store.takeNonce(tx, nonce))) return false;
    await store.prepare(tx, ids, nonce.nonce, signed.hash);
    await store.addTransaction(tx, { ...nonce, to: call.to, calldata: call.data, gasLimit: gas, createdAt: at });
    await store.addAttempt(tx, attempt);
    return true;
  });
  if (!isStored) return;
  failpoint("relayer.stored");
  await broadcast(job, nonce, attempt);
}

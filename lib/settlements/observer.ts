import type { AuthorizationLog, Block, Chain } from "@/lib/platform/chain";
import type { System } from "@/lib/platform/context";
import type { Tx } from "@/lib/platform/db";
import { record } from "@/lib/platform/events";
import { failpoint } from "@/lib/platform/failpoint";
import { assertLease, type Lease } from "@/lib/platform/lease";
import { notify } from "@/lib/platform/queue";
import { type Cancellation, keyOf, type Transfer } from "@/lib/platform/subscriber";
import type { NetworkName } from "@/lib/x402/networks";
import { endWithoutTransfer, settlementEvent } from "./service";
import * as store from "./store";

/** Blocks read in one go when catching up. */
const RANGE_MAX = 500n;

/**
 * Reads the chain on from where it was left and writes down what it did to authorizations of ours: the only way a
 * settlement becomes settled. Facts and cursor move in one transaction, so that a crash repeats or loses nothing.
 * Returns whether anything was read.
 */
export async function observe(system: System, network: NetworkName, lease: Lease): Promise<boolean> {
  const chain = system.chains[network];
  const cursor = await store.cursor(system.db, network);
  const head = await chain.head();
  if (!cursor) {
    await advance(system, lease, network, head, { transfers: [], cancellations: [] });
    return true;
  }
  if (head.hash === cursor.blockHash) return false;
  const same = await chain.block(cursor.blockNumber);
  if (same?.hash !== cursor.blockHash) {
    await unwind(system, chain, lease, cursor);
    return true;
  }
  const end = cursor.blockNumber + RANGE_MAX < head.number ? cursor.blockNumber + RANGE_MAX : head.number;
  const logs = await chain.authorizationLogs({ from: cursor.blockNumber + 1n, to: end });
  const facts = await readFacts(system, network, logs);
  // Asked last: if this block is still there, so were all the logs before it.
  const last = await chain.block(end);
  if (!last || (end === head.number && last.hash !== head.hash)) return true;
  failpoint("observer.read");
  await advance(system, lease, network, last, facts);
  failpoint("observer.applied");
  return end < head.number;
}

type Facts = { transfers: Transfer[]; cancellations: Cancellation[] };

/** Keeps the logs that are about authorizations of ours, and reads the transfer each use made from its receipt. */
export async function readFacts(system: System, network: NetworkName, logs: AuthorizationLog[]): Promise<Facts> {
  const keys = logs.map((log) => ({ network, from: log.payer, nonce: log.nonce }));
  const ours = new Set([
    ...(await store.known(system.db, network, keys)).map((key) => keyOf({ network, ...key })),
    ...(await Promise.all(system.subscribers.map((s) => s.knows(system.db, network, keys)))).flat(),
  ]);
  const relevant = logs.filter((log) => ours.has(keyOf({ network, from: log.payer, nonce: log.nonce })));
  const times = await blockTimes(system.chains[network], relevant);
  const uses = await usesByKey(system.chains[network], relevant);
  const facts: Facts = { transfers: [], cancellations: [] };
  for (const log of relevant) {
    const time = times.get(log.block.hash);
    if (!time) continue;
    const key = { network, from: log.payer, nonce: log.nonce };
    const at = { txHash: log.txHash, block: { ...log.block, time } };
    const transfer = log.kind === "used" ? uses.get(keyOf(key))?.transfer : undefined;
    if (transfer) facts.transfers.push({ ...key, ...at, ...transfer });
    else facts.cancellations.push({ ...key, ...at });
  }
  return facts;
}

async function blockTimes(chain: Chain, logs: AuthorizationLog[]) {
  const numbers = [...new Set(logs.map((log) => log.block.number))];
  const blocks = await Promise.all(numbers.map((number) => chain.block(number)));
  return new Map(blocks.filter((block) => block !== null).map((block) => [block.hash, block.time]));
}

async function usesByKey(chain: Chain, logs: AuthorizationLog[]) {
  const hashes = [...new Set(logs.filter((log) => log.kind === "used").map((log) => log.txHash))];
  const receipts = await Promise.all(hashes.map((hash) => chain.receipt(hash)));
  const network = chain.network.name;
  return new Map(
    receipts.flatMap((receipt) =>
      (receipt?.uses ?? []).map((use) => [keyOf({ network, from: use.payer, nonce: use.nonce }), use] as const),
    ),
  );
}

async function advance(system: System, lease: Lease, network: NetworkName, block: Block, facts: Facts): Promise<void> {
  await system.db.transaction(async (tx) => {
    await assertLease(tx, lease);
    await apply(tx, system, facts);
    await store.moveCursor(tx, { network, blockNumber: block.number, blockHash: block.hash, blockTime: block.time });
  });
}

/** Ends settlements by what the chain shows and tells every subscriber, in one transaction; applying twice changes nothing. */
export async function apply(tx: Tx, system: System, { transfers, cancellations }: Facts): Promise<void> {
  const at = system.now();
  await settleTransfers(tx, transfers, at);
  await failCancelled(tx, cancellations, at);
  for (const subscriber of system.subscribers) {
    if (transfers.length > 0) await subscriber.transferred(tx, transfers, at);
    if (cancellations.length > 0) await subscriber.cancelled(tx, cancellations, at);
  }
  await store.post(tx, transfers, at);
}

async function settleTransfers(tx: Tx, transfers: Transfer[], at: Date): Promise<void> {
  const facts = new Map(transfers.map((fact) => [keyOf(fact), fact]));
  for (const row of await lockOurs(tx, transfers)) {
    const fact = facts.get(keyOf({ network: row.network, from: row.payer, nonce: row.nonce }));
    // An authorization commits to its payee and value; anything else in the log is not this payment.
    if (!fact || row.state === "settled" || fact.to !== row.payee || fact.value !== row.amount) continue;
    // Used before it was presented to us: it paid for something else, and the relayer ends it as such.
    if (fact.block.number <= row.claimedAtBlock) continue;
    await store.update(tx, row.id, {
      state: "settled",
      isLate: row.state === "failed",
      txHash: fact.txHash,
      blockNumber: fact.block.number,
      endedAt: at,
    });
    const meta = { txHash: fact.txHash, amount: row.amount.toString(), payer: row.payer, payee: row.payee };
    await record(tx, at, settlementEvent("settlement.settled", row, meta));
    await notify(tx, "settlement_ended", row.id);
  }
}

async function failCancelled(tx: Tx, cancellations: Cancellation[], at: Date): Promise<void> {
  const blocks = new Map(cancellations.map((fact) => [keyOf(fact), fact.block.number]));
  for (const row of await lockOurs(tx, cancellations)) {
    if (row.state === "settled" || row.state === "failed") continue;
    const block = blocks.get(keyOf({ network: row.network, from: row.payer, nonce: row.nonce }));
    await endWithoutTransfer(tx, [row.id], "CANCELED", at);
    if (block !== undefined) await store.update(tx, row.id, { blockNumber: block });
  }
}

async function lockOurs(tx: Tx, facts: Cancellation[]) {
  const [first] = facts;
  return first ? store.lockByAuthorizations(tx, first.network, facts) : [];
}

/** Finds the last block that is still on the chain and takes back everything that later ones had ended. */
async function unwind(system: System, chain: Chain, lease: Lease, cursor: store.Cursor): Promise<void> {
  const network = cursor.network;
  const base = await lastCommonBlock(system, chain, cursor);
  const at = system.now();
  await system.db.transaction(async (tx) => {
    await assertLease(tx, lease);
    const first = base.number + 1n;
    const reopened = await store.reopen(tx, network, first);
    for (const subscriber of system.subscribers) await subscriber.unwound(tx, network, first, at);
    await store.reverse(tx, network, first, at);
    await store.forgetBlocks(tx, network, first);
    await store.moveCursor(tx, { network, blockNumber: base.number, blockHash: base.hash, blockTime: base.time });
    const meta = { network, firstBlock: first.toString(), reopened: reopened.length };
    await record(tx, at, { type: "chain.reorganised", subject: network, meta });
  });
  system.log.warn({ network, from: base.number.toString(), to: cursor.blockNumber.toString() }, "chain.reorganised");
}

async function lastCommonBlock(system: System, chain: Chain, cursor: store.Cursor): Promise<Block> {
  for (const known of await store.rememberedBlocks(system.db, cursor.network, cursor.blockNumber)) {
    const block = await chain.block(known.number);
    if (block?.hash === known.hash) return block;
  }
  // Deeper than all we remember: no automatic repair is safe.
  throw new Error(`${cursor.network}: no remembered block is on the chain any more; see docs/operations.md`);
}

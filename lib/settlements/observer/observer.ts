import type { Block, Chain } from "@/lib/platform/chain";
import type { System } from "@/lib/platform/context";
import type { Tx } from "@/lib/platform/db";
import { record } from "@/lib/platform/events";
import { failpoint } from "@/lib/platform/failpoint";
import { assertLease, type Lease } from "@/lib/platform/lease";
import { keyOf, type Transfer } from "@/lib/platform/subscriber";
import type { NetworkName } from "@/lib/x402/networks";
import { isOpen } from "../rules";
import * as store from "../store";
import { announceEnds, showSpent } from "./endings";
import { assertPresent, type Facts, readFacts } from "./facts";
import * as endings from "./store";

/** Maximum number of blocks per read. */
const RANGE_MAX = 500n;

export type Observation = { cursor: store.ChainCursor; hasMore: boolean };

/**
 * Reads the chain from the cursor on and applies uses and cancellations of known authorizations. Most settlements settle here;
 * the relayer's receipts and searches apply facts through the same `apply`. Facts and cursor are written in one transaction, so a
 * crash neither repeats nor loses any. Returns the cursor afterwards, and whether there may be more to read immediately. `known`: the
 * cursor, if this lease has read or written it before.
 * Why: docs/decisions.md, 137.
 */
export async function observe(
  system: System,
  network: NetworkName,
  lease: Lease,
  known: store.ChainCursor | null = null,
): Promise<Observation> {
  const chain = system.chains[network];
  const head = await chain.head();
  if (known && head.hash === known.blockHash) return { hasMore: false, cursor: known };
  const cursor = await store.cursor(system.db, network);
  if (!cursor) {
    const firstCursor = await advance(system, lease, network, head, { transfers: [], cancellations: [] });
    return { hasMore: true, cursor: firstCursor };
  }
  // This node may lag behind the previous one: a block counts as replaced only if the node has it with another hash.
  if (head.hash === cursor.blockHash || head.number < cursor.blockNumber) return { hasMore: false, cursor };
  const same = await chain.block(cursor.blockNumber);
  if (!same) return { hasMore: false, cursor };
  if (same.hash !== cursor.blockHash) {
    return { hasMore: true, cursor: await unwind(system, chain, lease, cursor) };
  }
  const from = cursor.blockNumber + 1n;
  const to = from + RANGE_MAX - 1n < head.number ? from + RANGE_MAX - 1n : head.number;
  const { logs, last } = await chain.authorizationLogs({ from, to });
  if (!last || (last.number === head.number && last.hash !== head.hash)) return { hasMore: false, cursor };
  const facts = await readFacts(system, network, logs);
  await failpoint("observer.read");
  const nextCursor = await advance(system, lease, network, last, facts);
  await failpoint("observer.applied");
  return { hasMore: last.number < head.number, cursor: nextCursor };
}

const cursorAt = (network: NetworkName, { number, hash, time }: Block): store.ChainCursor => {
  return { network, blockNumber: number, blockHash: hash, blockTime: time };
};

async function advance(
  system: System,
  lease: Lease,
  network: NetworkName,
  block: Block,
  facts: Facts,
): Promise<store.ChainCursor> {
  const cursor = cursorAt(network, block);
  await system.db.transaction(async (tx) => {
    await assertLease(tx, lease);
    await apply(tx, system, facts);
    await store.moveCursor(tx, cursor);
  });
  return cursor;
}

/** Applies chain facts to settlements, subscribers and the ledger, in one transaction. Idempotent. */
export async function apply(tx: Tx, system: System, { transfers, cancellations }: Facts): Promise<void> {
  const time = system.now();
  await settleTransfers(tx, system, transfers, time);
  const cancelledIn = new Map(cancellations.map((fact) => [keyOf(fact), fact.block.number]));
  for (const row of await store.lockByAuthorizations(tx, cancellations)) {
    const block = cancelledIn.get(keyOf({ network: row.network, from: row.payer, nonce: row.nonce }));
    if (block !== undefined) await showSpent(tx, row, "CANCELED", block, time);
  }
  for (const subscriber of system.subscribers) {
    if (transfers.length > 0) await subscriber.transferred?.(tx, transfers, time);
    if (cancellations.length > 0) await subscriber.cancelled?.(tx, cancellations, time);
  }
  await store.post(tx, transfers, time);
}

async function settleTransfers(tx: Tx, system: System, transfers: Transfer[], time: Date): Promise<void> {
  const facts = new Map(transfers.map((fact) => [keyOf(fact), fact]));
  const settled: { row: store.Settlement; fact: Transfer }[] = [];
  for (const row of await store.lockByAuthorizations(tx, transfers)) {
    const fact = facts.get(keyOf({ network: row.network, from: row.payer, nonce: row.nonce }));
    if (!fact || row.state === "settled") continue;
    // Used before the claim, or for a different transfer that the payer signed with the same nonce.
    const isOther = fact.block.number <= row.claimedAtBlock || fact.to !== row.payee || fact.value !== row.amount;
    if (isOther) await showSpent(tx, row, "ALREADY_USED", fact.block.number, time);
    else settled.push({ row, fact });
  }
  const settledRows = settled.map(({ row, fact: { txHash, block } }) => {
    return { id: row.id, isLate: !isOpen(row), txHash, blockNumber: block.number };
  });
  await store.settleAll(tx, settledRows, time);
  const ends = settled.map(({ row, fact }) => {
    const meta = { txHash: fact.txHash, amount: row.amount.toString(), payer: row.payer, payee: row.payee };
    return { row, end: "settled" as const, meta };
  });
  await announceEnds(tx, system, ends, time);
  const groups = settled.flatMap(({ row }) => row.groupId ?? []);
  await endings.resumeGroups(tx, groups);
}

/** Finds the last common block and reverts the effects of all later blocks. */
async function unwind(
  system: System,
  chain: Chain,
  lease: Lease,
  cursor: store.ChainCursor,
): Promise<store.ChainCursor> {
  const network = cursor.network;
  const base = await lastCommonBlock(system, chain, cursor);
  const baseCursor = cursorAt(network, base);
  const time = system.now();
  await system.db.transaction(async (tx) => {
    await assertLease(tx, lease);
    const first = base.number + 1n;
    // First: waits for transactions that are writing facts of these blocks, so that the statements below revert them.
    await store.forgetBlocks(tx, network, first);
    const reopened = await endings.reopen(tx, network, first);
    for (const subscriber of system.subscribers) await subscriber.unwound?.(tx, network, first, time);
    await store.reverse(tx, network, first, time);
    await store.moveCursor(tx, baseCursor);
    const meta = { network, firstBlock: first.toString(), reopened: reopened.length };
    await record(tx, time, { type: "chain.reorganised", subject: network, meta });
  });
  system.log.warn({ network, from: base.number.toString(), to: cursor.blockNumber.toString() }, "chain.reorganised");
  return baseCursor;
}

async function lastCommonBlock(system: System, chain: Chain, cursor: store.ChainCursor): Promise<Block> {
  for (const rememberedBlock of await store.rememberedBlocks(system.db, cursor.network, cursor.blockNumber)) {
    const block = assertPresent(await chain.block(rememberedBlock.number));
    if (block.hash === rememberedBlock.hash) return block;
  }
  // Deeper than all stored hashes: no automatic repair is safe.
  throw new Error(`${cursor.network}: none of the stored blocks is still on the chain; see docs/operations.md`);
}

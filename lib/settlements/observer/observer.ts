import type { Hex } from "viem";
import type { Address } from "@/lib/core/address";
import type { SettlementId } from "@/lib/core/ids";
import { type AuthorizationLog, type Block, type Chain, ChainUnavailable } from "@/lib/platform/chain";
import { allLogs } from "@/lib/platform/chain-logs";
import type { System } from "@/lib/platform/context";
import type { Tx } from "@/lib/platform/db";
import { record } from "@/lib/platform/events";
import { failpoint } from "@/lib/platform/failpoint";
import { assertLease, type Lease } from "@/lib/platform/lease";
import { type Cancellation, keyOf, type Transfer } from "@/lib/platform/subscriber";
import type { NetworkName } from "@/lib/x402/networks";
import { isOpen } from "../rules";
import * as store from "../store";
import { announceEnd, showSpent } from "./endings";
import { readBlocks } from "./read-blocks";
import * as endings from "./store";

/** Maximum number of blocks per read. */
const RANGE_MAX = 500n;

/**
 * Reads the chain from the cursor on and applies what happened to known authorizations. This is the normal way to become
 * settled; the relayer's receipts and searches apply facts through the same `apply`. Facts and cursor are written in one
 * transaction, so a crash neither repeats nor loses any. Returns whether there may be more to read immediately.
 */
export async function observe(system: System, network: NetworkName, lease: Lease): Promise<boolean> {
  const chain = system.chains[network];
  const cursor = await store.cursor(system.db, network);
  const head = await chain.head();
  if (!cursor) {
    await advance(system, lease, network, head, { transfers: [], cancellations: [] });
    return true;
  }
  // This node may lag behind the previous one: a block counts as replaced only if the node has it with another hash.
  if (head.hash === cursor.blockHash || head.number < cursor.blockNumber) return false;
  const same = await chain.block(cursor.blockNumber);
  if (!same) return false;
  if (same.hash !== cursor.blockHash) {
    await unwind(system, chain, lease, cursor);
    return true;
  }
  const from = cursor.blockNumber + 1n;
  const to = from + RANGE_MAX - 1n < head.number ? from + RANGE_MAX - 1n : head.number;
  const { logs, last } = await chain.authorizationLogs({ from, to });
  if (!last || (last.number === head.number && last.hash !== head.hash)) return false;
  const facts = await readFacts(system, network, logs);
  await failpoint("observer.read");
  await advance(system, lease, network, last, facts);
  await failpoint("observer.applied");
  return last.number < head.number;
}

type Facts = { transfers: Transfer[]; cancellations: Cancellation[] };

/**
 * Filters the logs for known authorizations and reads each use's transfer from its receipt. Throws ChainUnavailable when the
 * node lacks a receipt or block that it reported: missing data must not become a fact.
 */
export async function readFacts(system: System, network: NetworkName, logs: AuthorizationLog[]): Promise<Facts> {
  const keys = logs.map((log) => ({ network, from: log.payer, nonce: log.nonce }));
  const ours = new Set([
    ...(await store.known(system.db, network, keys)).map((key) => keyOf({ network, ...key })),
    ...(await Promise.all(system.subscribers.map((s) => s.knows?.(system.db, network, keys) ?? []))).flat(),
  ]);
  const relevant = logs.filter((log) => ours.has(keyOf({ network, from: log.payer, nonce: log.nonce })));
  return factsOf(system.chains[network], relevant);
}

async function factsOf(chain: Chain, logs: AuthorizationLog[]): Promise<Facts> {
  const network = chain.network.name;
  const times = await blockTimes(chain, logs);
  const uses = await usesByKey(chain, logs);
  const facts: Facts = { transfers: [], cancellations: [] };
  for (const log of logs) {
    const key = { network, from: log.payer, nonce: log.nonce };
    const fact = {
      ...key,
      txHash: log.txHash,
      block: { ...log.block, time: assertPresent(times.get(log.block.hash)) },
    };
    const use = log.kind === "used" ? assertPresent(uses.get(keyOf(key))) : null;
    if (use?.transfer) facts.transfers.push({ ...fact, ...use.transfer });
    else facts.cancellations.push(fact);
  }
  return facts;
}

function assertPresent<T>(found: T | null | undefined): T {
  if (found === null || found === undefined)
    throw new ChainUnavailable("the node lacks a block or receipt it reported");
  return found;
}

async function blockTimes(chain: Chain, logs: AuthorizationLog[]) {
  const numbers = [...new Set(logs.map((log) => log.block.number))];
  const blocks = await Promise.all(numbers.map((number) => chain.block(number)));
  return new Map(blocks.map(assertPresent).map((block) => [block.hash, block.time]));
}

async function usesByKey(chain: Chain, logs: AuthorizationLog[]) {
  const used = new Map(logs.filter((log) => log.kind === "used").map((log) => [log.txHash, log.block.hash]));
  const receipts = await Promise.all([...used.keys()].map((hash) => chain.receipt(hash)));
  const network = chain.network.name;
  return new Map(
    receipts
      .map(assertPresent)
      .filter((receipt) => receipt.block.hash === used.get(receipt.hash))
      .flatMap((receipt) => receipt.uses)
      .map((use) => [keyOf({ network, from: use.payer, nonce: use.nonce }), use]),
  );
}

async function advance(system: System, lease: Lease, network: NetworkName, block: Block, facts: Facts): Promise<void> {
  await system.db.transaction(async (tx) => {
    await assertLease(tx, lease);
    await apply(tx, system, facts);
    await store.moveCursor(tx, { network, blockNumber: block.number, blockHash: block.hash, blockTime: block.time });
  });
}

/** Applies chain facts to settlements, subscribers and the ledger, in one transaction. Idempotent. */
export async function apply(tx: Tx, system: System, { transfers, cancellations }: Facts): Promise<void> {
  const at = system.now();
  await settleTransfers(tx, system, transfers, at);
  await recordCancellations(tx, cancellations, at);
  for (const subscriber of system.subscribers) {
    if (transfers.length > 0) await subscriber.transferred?.(tx, transfers, at);
    if (cancellations.length > 0) await subscriber.cancelled?.(tx, cancellations, at);
  }
  await store.post(tx, transfers, at);
}

async function settleTransfers(tx: Tx, system: System, transfers: Transfer[], at: Date): Promise<void> {
  const facts = new Map(transfers.map((fact) => [keyOf(fact), fact]));
  const groups: SettlementId[] = [];
  for (const row of await lockOurs(tx, transfers)) {
    const fact = facts.get(keyOf({ network: row.network, from: row.payer, nonce: row.nonce }));
    if (!fact || row.state === "settled") continue;
    // It was used before it was claimed, or for a different transfer that the payer signed with the same nonce.
    const isOther = fact.block.number <= row.claimedAtBlock || fact.to !== row.payee || fact.value !== row.amount;
    if (isOther) {
      await showSpent(tx, row, "ALREADY_USED", fact.block.number, at);
      continue;
    }
    await store.update(tx, row.id, {
      state: "settled",
      isLate: !isOpen(row),
      txHash: fact.txHash,
      blockNumber: fact.block.number,
      useNotShownAt: null,
      endedAt: at,
    });
    if (row.groupId) groups.push(row.groupId);
    const meta = { txHash: fact.txHash, amount: row.amount.toString(), payer: row.payer, payee: row.payee };
    await announceEnd(tx, system, row, { end: "settled", meta }, at);
  }
  await endings.resumeGroups(tx, groups);
}

async function recordCancellations(tx: Tx, cancellations: Cancellation[], at: Date): Promise<void> {
  const blocks = new Map(cancellations.map((fact) => [keyOf(fact), fact.block.number]));
  for (const row of await lockOurs(tx, cancellations)) {
    const block = blocks.get(keyOf({ network: row.network, from: row.payer, nonce: row.nonce }));
    if (block !== undefined) await showSpent(tx, row, "CANCELED", block, at);
  }
}

async function lockOurs(tx: Tx, facts: Cancellation[]) {
  const [first] = facts;
  return first ? store.lockByAuthorizations(tx, first.network, facts) : [];
}

/** Finds the last common block and reverts everything that later blocks had shown. */
async function unwind(system: System, chain: Chain, lease: Lease, cursor: store.Cursor): Promise<void> {
  const network = cursor.network;
  const base = await lastCommonBlock(system, chain, cursor);
  const at = system.now();
  await system.db.transaction(async (tx) => {
    await assertLease(tx, lease);
    const first = base.number + 1n;
    const reopened = await endings.reopen(tx, network, first);
    for (const subscriber of system.subscribers) await subscriber.unwound?.(tx, network, first, at);
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
    const block = assertPresent(await chain.block(known.number));
    if (block.hash === known.hash) return block;
  }
  // Deeper than all stored hashes: no automatic repair is safe.
  throw new Error(`${cursor.network}: none of the stored blocks is still on the chain; see docs/operations.md`);
}

/** Blocks searched for one authorization: about five hours on Base. */
const SEARCH_BLOCKS = 9_000n;

/** The logs of one authorization since `from`, at most SEARCH_BLOCKS blocks back. */
async function findUses(chain: Chain, key: { payer: Address; nonce: Hex }, from: bigint): Promise<AuthorizationLog[]> {
  const head = await chain.head();
  const first = [0n, head.number - SEARCH_BLOCKS, from].reduce((a, b) => (a > b ? a : b));
  const { logs, last } = await allLogs(chain, { from: first, to: head.number }, key);
  assertPresent(last);
  return logs;
}

/** Maximum number of SEARCH_BLOCKS ranges searched for a use that the database does not know: about forty days. */
const SEARCHES_MAX = 200n;

/** The transfer that a spent authorization made; "none" when it was cancelled. Throws ChainUnavailable when it is not found. */
export async function pastTransfer(chain: Chain, key: { payer: Address; nonce: Hex }): Promise<Transfer | "none"> {
  const head = await chain.head();
  for (let search = 0n; search < SEARCHES_MAX; search++) {
    const to = head.number - search * SEARCH_BLOCKS;
    if (to < 0n) break;
    const from = to < SEARCH_BLOCKS ? 0n : to - SEARCH_BLOCKS + 1n;
    const { logs, last } = await allLogs(chain, { from, to }, key);
    assertPresent(last);
    if (logs.length === 0) continue;
    const { transfers } = await factsOf(chain, logs);
    return transfers[0] ?? "none";
  }
  throw new ChainUnavailable("the node reports an authorization as used but shows no use of it");
}

/** Applies uses whose logs a node withheld from the observer. `spent`: authorizations used on the chain and not ended here. */
export async function recoverFacts(
  system: System,
  network: NetworkName,
  spent: { payer: Address; nonce: Hex }[],
): Promise<void> {
  for (const key of spent) {
    const logs = await findUses(system.chains[network], key, 0n);
    const read = await readBlocks(
      system,
      network,
      logs.map(({ block }) => block),
    );
    const facts = await readFacts(
      system,
      network,
      logs.filter(({ block }) => read.has(block)),
    );
    await system.db.transaction(async (tx) => {
      await read.assertKept(tx);
      await apply(tx, system, facts);
    });
  }
}

/** Blocks before the claim in which an authorization may have been used elsewhere: about an hour on Base. */
const BLOCKS_BEFORE_CLAIM = 2_000n;

/**
 * Finds out what spent an authorization. A use after the claim is the payment or a cancellation; an earlier one paid for
 * something else. Changes nothing while the use is in a block that the observer has not read, or while no node shows it: a
 * node that hides the log of a payment must not make it look unpaid.
 */
export async function resolveSpent(
  system: System,
  network: NetworkName,
  row: store.Settlement,
  guard: (tx: Tx) => Promise<void>,
): Promise<void> {
  const chain = system.chains[network];
  const logs = await findUses(chain, row, row.claimedAtBlock - BLOCKS_BEFORE_CLAIM);
  const earlier = logs.length === 0 ? await usedBeforeClaim(chain, row) : logs.at(-1)?.block;
  if (!earlier) {
    await store.update(system.db, row.id, { useNotShownAt: system.now() });
    system.log.warn({ settlementId: row.id }, "settlement.use_not_shown");
    return;
  }
  const blocks = [earlier, ...logs.map(({ block }) => block)];
  const read = await readBlocks(system, network, blocks);
  if (!blocks.every(read.has)) return;
  const at = system.now();
  const since = logs.filter((log) => log.block.number > row.claimedAtBlock);
  const facts = await readFacts(system, network, since);
  await system.db.transaction(async (tx) => {
    await guard(tx);
    await read.assertKept(tx);
    await apply(tx, system, facts);
    if (since.length > 0) return;
    const [current] = await store.lockByIds(tx, [row.id]);
    if (current) await showSpent(tx, current, "ALREADY_USED", earlier.number, at);
  });
}

/** The block of the claim, if the authorization was used by then. Null if it was not, or if no node has that state. */
async function usedBeforeClaim(chain: Chain, row: store.Settlement): Promise<Block | null> {
  // Read before the state. The caller reads it again: if it is still the same block, the state was of this block.
  const block = await chain.block(row.claimedAtBlock);
  return (await chain.wasUsed(row, row.claimedAtBlock)) === true ? block : null;
}

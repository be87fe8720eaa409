import type { AbiEvent } from "viem";
import { add } from "@/lib/core/money";
import { addSeconds, unixSeconds } from "@/lib/core/time";
import type { TransferLog } from "@/lib/platform/chain";
import { allTransfers } from "@/lib/platform/chain-logs";
import type { System } from "@/lib/platform/context";
import type { Tx } from "@/lib/platform/db";
import { type Event, record } from "@/lib/platform/events";
import { assertLease, type Lease } from "@/lib/platform/lease";
import type { Subscriber } from "@/lib/platform/subscriber";
import { unwokenPauseMs } from "@/lib/platform/worker";
import { isNewest, readBlocks, readUpTo } from "@/lib/settlements/observer/read-blocks";
import { forgiveGas } from "@/lib/settlements/relayer/payer-gas";
import { VAULT_ABI } from "@/lib/vaults/contracts";
import { NETWORK_NAMES, type NetworkName } from "@/lib/x402/networks";
import { isLow } from "../funds/rules";
import { threshold } from "../funds/service";
import { remaining } from "../rules";
import * as mandates from "../store";
import { readStates } from "./chain";
import * as operations from "./operation-store";
import * as pockets from "./pocket-store";
import {
  afterReading,
  DAY_SECONDS,
  endOf,
  isOpening,
  type OperationEnd,
  POCKET_SECONDS,
  type ReadBlock,
  type VaultReading,
} from "./rules";
import * as store from "./store";
import { type SignedVault, signedVault } from "./terms";

/** A live vault is read at least this often, in case its events were missed. A vault is also read when it ends. */
const READ_SECONDS = 60;
const AT_ONCE = 100;
const RETRY_SECONDS = 5;
/** Pause between two searches for transfers, in multiples of the poll interval: no payment waits for them. */
const TRANSFER_PAUSES = 5;

/** Reads vaults from the chain, in the process that holds the lease. A node that refuses the event search delays no reading. */
export const vaultJobs = (system: System) =>
  NETWORK_NAMES.flatMap((network) => {
    const followEvents = eventFollower(system, network);
    const pauseMs = system.config.pollMilliseconds;
    return [
      {
        name: `vaults:${network}`,
        wakeOn: [
          { channel: "vault_changed" as const, payload: network },
          { channel: "block_read" as const, payload: network },
        ],
        round: async (lease: Lease) => {
          const reading = await readVaults(system, network, lease);
          return { more: 0, unread: pauseMs, done: unwokenPauseMs(system) }[reading];
        },
      },
      {
        name: `vault-events:${network}`,
        wakeOn: [{ channel: "block_read" as const, payload: network }],
        round: async () => ((await followEvents()) ? unwokenPauseMs(system) : pauseMs),
      },
      {
        name: `vault-transfers:${network}`,
        round: async (lease: Lease) => TRANSFER_PAUSES * pauseMs * (await followTransfers(system, network, lease)),
      },
    ];
  });

/**
 * Reads changed vaults at the newest block that the observer has read, ends operations whose effect that block shows, and decides
 * the next ones. `unread`: no node has that block, or it is being replaced.
 */
export async function readVaults(
  system: System,
  network: NetworkName,
  lease: Lease,
): Promise<"more" | "unread" | "done"> {
  const now = system.now();
  const times = {
    endedAt: unixSeconds(now),
    liveCutoff: addSeconds(now, -READ_SECONDS),
    retryCutoff: addSeconds(now, -RETRY_SECONDS),
    leftoverCutoff: addSeconds(now, -DAY_SECONDS),
    watchedSince: watchedSince(now),
  };
  const due = await store.listToRead(system.db, network, times, AT_ONCE);
  if (due.length === 0) return "done";
  const cursor = await readUpTo(system, network);
  if (!cursor) return "unread";
  const vaults = due.map(signedVault);
  const states = await readStates(system.chains[network], vaults, cursor.blockNumber);
  // Read after the states: if the observer still has this block, the states are of this block.
  const block = { number: cursor.blockNumber, hash: cursor.blockHash };
  const observedBlocks = await readBlocks(system, network, [block]);
  if (!states || !observedBlocks.has(block)) return "unread";
  const cursorBlock: ReadBlock = { number: cursor.blockNumber, seconds: unixSeconds(cursor.blockTime) };
  for (const [index, vault] of vaults.entries()) {
    // One state was read for each vault.
    const reading = states[index] as VaultReading;
    await system.db.transaction(async (tx) => {
      await assertLease(tx, lease);
      await observedBlocks.assertKept(tx);
      await storeReading(tx, system, vault, { reading, block: cursorBlock, startedAt: now });
    });
  }
  return due.length === AT_ONCE ? "more" : "done";
}

/**
 * Stores a reading of `block`. `startedAt`: its start, so that a slow node does not make it look newer. Lock order: mandate, vault,
 * operations.
 */
async function storeReading(
  tx: Tx,
  system: System,
  { mandateId }: SignedVault,
  { reading, block, startedAt }: { reading: VaultReading; block: ReadBlock; startedAt: Date },
) {
  const now = system.now();
  const mandate = await mandates.lock(tx, mandateId);
  const locked = await store.lock(tx, mandateId);
  if (!mandate || !locked) throw new Error(`${mandateId} or its vault vanished`);
  const vault = signedVault(locked);
  const live = await operations.lockLive(tx, mandateId, block.number);
  const failed = await operations.failedOpening(tx, mandateId);
  const isLive = live.some(isOpening);
  const isUsable = failed?.validBefore != null && failed.validBefore > BigInt(block.seconds) && !reading.isFundingUsed;
  const canOpen = isLive || isUsable;
  const least = system.config.vaultReturnMin;
  const ends = live.flatMap((operation) => endOf(operation, reading, { block, canOpen, dust: least }) ?? []);
  for (const end of ends) await operations.change(tx, end.id, columnsOf(end, block, addSeconds(now, RETRY_SECONDS)));
  const done = ends.filter(({ next }) => next === "done").map(({ id }) => id);
  for (const { id, signer, relayerNonce } of live) {
    if (!done.includes(id) || signer === null || relayerNonce === null) continue;
    await forgiveGas(tx, { network: vault.network, payer: vault.terms.owner, signer, relayerNonce });
  }
  const ended = new Map(ends.filter(({ next }) => next !== "again").map((end) => [end.id, end]));
  const remainingOperations = live.filter(({ id }) => !ended.has(id));
  const opening = openingOf(vault, live, ended, failed);
  const isPocketIdle = vault.pocket !== null && (await pockets.isIdle(tx, vault, addSeconds(now, -POCKET_SECONDS)));
  const sentHome = await operations.sentHome(tx, mandateId, addSeconds(now, -DAY_SECONDS));
  const committed = await store.committedBy(tx, mandateId, block.number);
  const vaultState = {
    vault,
    mandate,
    committed,
    live: remainingOperations,
    opening,
    canOpen: isUsable,
    isPocketIdle,
    sentHome,
    least,
  };
  const { wants, ...next } = afterReading(vaultState, reading, block);
  const { isFundingUsed: _, ...readingColumns } = reading;
  const low = await lowOf(tx, vault, { mandate, reading, isOpen: next.state === "open" });
  // The change that marked it stale may be in a later block, which this reading does not show.
  const isStale = locked.isStale && !(await isNewest(tx, vault.network, block.number));
  await store.change(tx, mandateId, {
    ...readingColumns,
    ...next,
    isLow: low !== null,
    closedAt: vault.closedAt ?? (next.state === "closed" || next.state === "failed" ? now : null),
    committed,
    readBlock: block.number,
    readAt: startedAt,
    isStale,
  });
  for (const want of wants) await operations.add(tx, { mandateId, network: vault.network, ...want, createdAt: now });
  const { ownerId, agentId } = mandate;
  const about = { subject: mandateId, ownerId, agentId };
  await record(tx, now, ...eventsOf(vault, next).map((event) => ({ ...about, ...event })));
  if (low && !vault.isLow) await record(tx, now, { ...about, type: "vault.low", meta: low });
  if (mandate.state !== "signed" || !(reading.isRevoked || next.state === "failed")) return;
  // The owner revoked it on the chain, without us. Or it can never pay, which the event vault.failed reports.
  if (reading.isRevoked) await record(tx, now, { ...about, type: "mandate.revoked" });
  await mandates.change(tx, mandateId, { state: "revoked", isEnabled: false }, now);
}

/** Event data if the vault is low: the balance, including the pocket and what the vault may still draw. Otherwise null. */
async function lowOf(
  tx: Tx,
  vault: SignedVault,
  { mandate, reading, isOpen }: { mandate: mandates.Mandate; reading: VaultReading; isOpen: boolean },
): Promise<Record<string, string> | null> {
  const balance = add(add(reading.balance, reading.pocketBalance), reading.allowance);
  const remainingAmount = remaining(mandate);
  // Before the first payment, the balance is the owner's choice. Most readings change nothing and need no further query.
  const isNews = vault.isLow || (reading.spent > vault.spent && balance < remainingAmount);
  if (!isOpen || !mandate.isEnabled || mandate.ownerId === null || !isNews) return null;
  const least = await threshold(tx, mandate.ownerId);
  if (!isLow({ balance, remaining: remainingAmount, threshold: least }, vault.isLow)) return null;
  const { network, address } = vault;
  return { network, vault: address, balance: balance.toString(), threshold: least.toString() };
}

/** The end of the operation that opens the vault: at this reading, or earlier by a refusal. */
function openingOf(
  { state }: SignedVault,
  live: readonly operations.VaultOperation[],
  ended: ReadonlyMap<number, OperationEnd>,
  failed: operations.VaultOperation | null,
): OperationEnd | null {
  const underway = live.find(isOpening);
  if (underway) return ended.get(underway.id) ?? null;
  if (state !== "opening" || !failed) return null;
  return { id: failed.id, next: "failed", failure: failed.failure ?? "The chain refused it" };
}

function columnsOf(end: OperationEnd, block: ReadBlock, retryAt: Date): Partial<operations.VaultOperation> {
  switch (end.next) {
    case "done":
      return { state: "done", doneBlock: block.number };
    case "again":
      return { state: "waiting", attempts: end.attempts, signer: null, relayerNonce: null, retryAt };
    case "failed":
      return { state: "failed", failure: end.failure };
    default:
      return end satisfies never;
  }
}

function eventsOf(
  vault: SignedVault,
  { state, failure }: Pick<SignedVault, "state" | "failure">,
): Pick<Event, "type" | "meta">[] {
  const meta = { vault: vault.address, network: vault.network };
  if (state === vault.state) return [];
  if (state === "open" && vault.state === "opening") return [{ type: "vault.opened", meta }];
  if (state === "failed") return [{ type: "vault.failed", meta: { ...meta, failure } }];
  return state === "closed" ? [{ type: "vault.closed", meta }] : [];
}

/** After a gap of more blocks, only the newest block is searched: each live vault is read once a minute anyway. */
const EVENT_BLOCKS_MAX = 100n;

const EVENTS = VAULT_ABI.filter((item): item is Extract<typeof item, AbiEvent> => item.type === "event");

/**
 * Marks vaults for reading that logged events since the last call: an owner can revoke a vault or take its money without this
 * service. Only a hint: anyone can log such events, and a restart forgets the position. The function returns whether it has
 * searched all blocks that the observer has read. Throws ChainUnavailable when no node responds.
 */
function eventFollower(system: System, network: NetworkName): () => Promise<boolean> {
  let lastBlock: { number: bigint; hash: string } | null = null;
  return async () => {
    const cursor = await readUpTo(system, network);
    if (!cursor || cursor.blockHash === lastBlock?.hash) return true;
    const to = cursor.blockNumber;
    if (!(await store.hasLive(system.db, network))) {
      lastBlock = { number: to, hash: cursor.blockHash };
      return true;
    }
    const from =
      lastBlock && lastBlock.number < to && to - lastBlock.number <= EVENT_BLOCKS_MAX ? lastBlock.number + 1n : to;
    const { logs, last } = await system.chains[network].emitters({ from, to }, EVENTS);
    await store.markStale(system.db, network, [...new Set(logs)]);
    if (last) lastBlock = last;
    return last !== null;
  };
}

/** How long after its closing a vault is searched for refunds by sellers to it or its pocket. */
const WATCHED_SECONDS = 90 * 86_400;
/** Vaults closed after this time are watched. */
const watchedSince = (now: Date): Date => addSeconds(now, -WATCHED_SECONDS);

/** Accounts per request: nodes limit the size of a filter. */
const ACCOUNTS_MAX = 500;
const TRANSFER_BLOCKS_MAX = 10_000n;

/**
 * Searches the blocks that the observer has read since the last call for transfers from and to vaults and their pockets. Has the
 * receivers read again: a seller's refund is a plain transfer, and can arrive months after the vault was closed. Stores transfers
 * to the owners. Returns the number of requests to nodes, at least 1. Throws ChainUnavailable when no node responds.
 */
async function followTransfers(system: System, network: NetworkName, lease: Lease): Promise<number> {
  const cursor = await readUpTo(system, network);
  if (!cursor) return 1;
  const watched = await store.listWatched(system.db, network, watchedSince(system.now()));
  const searched = await store.searchedUpTo(system.db, network);
  const newest = cursor.blockNumber;
  // The first search may run after the first vaults were opened: an earlier process may have ended before its search.
  const last = searched ?? (newest > TRANSFER_BLOCKS_MAX ? newest - TRANSFER_BLOCKS_MAX : -1n);
  if (last >= newest) return 1;
  const to = newest - last <= TRANSFER_BLOCKS_MAX ? newest : last + TRANSFER_BLOCKS_MAX;
  const accounts = watched.flatMap(({ address, pocket }) => (pocket === null ? [address] : [address, pocket]));
  const chunks = Array.from({ length: Math.ceil(accounts.length / ACCOUNTS_MAX) }, (_, index) =>
    accounts.slice(index * ACCOUNTS_MAX, (index + 1) * ACCOUNTS_MAX),
  );
  const pages = [];
  for (const chunk of chunks) pages.push(await allTransfers(system.chains[network], { from: last + 1n, to }, chunk));
  const blocks = pages.flatMap(({ last: block }) => block ?? []);
  const observedBlocks = await readBlocks(system, network, blocks);
  // A node that lacks the last block may lack others.
  if (blocks.length < chunks.length || !blocks.every(observedBlocks.has)) return 1;
  const logs = pages.flatMap((page) => page.logs);
  await system.db.transaction(async (tx) => {
    await assertLease(tx, lease);
    await observedBlocks.assertKept(tx);
    await store.addReturns(tx, returnsIn(logs, watched, network));
    await store.setSearched(tx, network, to);
    // Earlier transfers are unknown after the first search, so it has all accounts read.
    await store.markStale(tx, network, searched === null ? accounts : [...new Set(logs.map((log) => log.to))]);
  });
  return Math.max(1, chunks.length);
}

/** The transfers from a vault or pocket to its owner. */
function returnsIn(logs: readonly TransferLog[], watched: readonly store.WatchedVault[], network: NetworkName) {
  const byAccount = new Map(
    watched.flatMap((vault) =>
      [vault.address, ...(vault.pocket ? [vault.pocket] : [])].map((account) => [account, vault] as const),
    ),
  );
  return logs.flatMap(({ from, to, value: amount, txHash, logIndex, block }) => {
    const vault = byAccount.get(from);
    if (!vault || vault.owner !== to || amount === 0n) return [];
    return [{ network, txHash, logIndex, mandateId: vault.mandateId, amount, blockNumber: block.number }];
  });
}

/** Has vaults read again after transfers from or to them, and reverts the effects of replaced blocks. */
export const subscriber: Subscriber = {
  transferred: async (tx, facts) => {
    const [first] = facts;
    if (first) await store.markStale(tx, first.network, [...new Set(facts.flatMap(({ from, to }) => [from, to]))]);
  },
  unwound: async (tx, network, firstBlock) => {
    await store.invalidateReadings(tx, network, firstBlock);
    await operations.reopen(tx, network, firstBlock);
    await store.unwindReturns(tx, network, firstBlock);
  },
};

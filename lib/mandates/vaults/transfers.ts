import type { Address } from "@/lib/core/address";
import { addSeconds } from "@/lib/core/time";
import type { TransferLog } from "@/lib/platform/chain";
import { allTransfers } from "@/lib/platform/chain-logs";
import type { System } from "@/lib/platform/context";
import { assertLease, type Lease } from "@/lib/platform/lease";
import { readBlocks, readUpTo } from "@/lib/settlements/observer/read-blocks";
import type { NetworkName } from "@/lib/x402/networks";
import * as returns from "./return-store";
import * as store from "./store";

/** How long after its closing a vault is searched for refunds by sellers to it or its pocket. */
const WATCHED_SECONDS = 90 * 86_400;
/** Vaults closed after this time are watched. */
export const watchedSince = (now: Date): Date => addSeconds(now, -WATCHED_SECONDS);

/** Accounts per request: nodes limit the size of a filter. */
const ACCOUNTS_MAX = 500;
const BLOCKS_MAX = 10_000n;

/**
 * Searches the blocks that the observer has read since the last call for transfers from and to vaults and their pockets. Has the
 * receivers read again: a seller's refund is a plain transfer, and can arrive months after the vault was closed. Stores transfers
 * to the owners. Returns the number of requests to nodes, at least 1. Throws ChainUnavailable when no node responds.
 */
export async function followTransfers(system: System, network: NetworkName, lease: Lease): Promise<number> {
  const cursor = await readUpTo(system, network);
  if (!cursor) return 1;
  const watched = await returns.listWatched(system.db, network, watchedSince(system.now()));
  const searched = await returns.searchedUpTo(system.db, network);
  const newest = cursor.blockNumber;
  // The first search may run after the first vaults were opened: an earlier process may have ended before its search.
  const last = searched ?? (newest > BLOCKS_MAX ? newest - BLOCKS_MAX : -1n);
  if (last >= newest) return 1;
  const to = newest - last <= BLOCKS_MAX ? newest : last + BLOCKS_MAX;
  const accounts = watched.flatMap(({ address, pocket }) => (pocket === null ? [address] : [address, pocket]));
  const chunks = inChunks(accounts);
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
    await returns.addReturns(tx, returnsIn(logs, watched, network));
    await returns.setSearched(tx, network, to);
    // Earlier transfers are unknown after the first search, so it has all accounts read.
    await store.markStale(tx, network, searched === null ? accounts : [...new Set(logs.map((log) => log.to))]);
  });
  return Math.max(1, chunks.length);
}

function inChunks(accounts: readonly Address[]): Address[][] {
  const count = Math.ceil(accounts.length / ACCOUNTS_MAX);
  return Array.from({ length: count }, (_, index) => accounts.slice(index * ACCOUNTS_MAX, (index + 1) * ACCOUNTS_MAX));
}

/** The transfers from a vault or pocket to its owner. */
function returnsIn(logs: readonly TransferLog[], watched: readonly returns.Watched[], network: NetworkName) {
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

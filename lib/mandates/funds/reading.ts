import type { Usdc } from "@/lib/core/money";
import { addSeconds } from "@/lib/core/time";
import type { System } from "@/lib/platform/context";
import { record } from "@/lib/platform/events";
import { assertLease, type Lease } from "@/lib/platform/lease";
import type { Subscriber } from "@/lib/platform/subscriber";
import { unwokenPauseMs } from "@/lib/platform/worker";
import { readBlocks, readUpTo } from "@/lib/settlements/observer/read-blocks";
import { NETWORK_NAMES, type NetworkName } from "@/lib/x402/networks";
import { readBalances } from "../vaults/chain";
import { isLow } from "./rules";
import { threshold } from "./service";
import * as store from "./store";

/** Interval for reading low wallets. A deposit may be a plain transfer, which the observer does not see. */
const LOW_SECONDS = 300;
const AT_ONCE = 100;

/** Reads spending wallets that have paid, in the process that holds the lease. */
export const fundsJobs = (system: System) =>
  NETWORK_NAMES.map((network) => ({
    name: `funds:${network}`,
    wakeOn: [{ channel: "block_read" as const, payload: network }],
    round: async (lease: Lease) => ((await readWallets(system, network, lease)) ? 0 : unwokenPauseMs(system)),
  }));

/**
 * Reads the balances of wallets that have paid, at the newest block that the observer has read, and notifies owners of low ones.
 * Returns whether there may be more to read.
 */
export async function readWallets(system: System, network: NetworkName, lease: Lease): Promise<boolean> {
  const cursor = await readUpTo(system, network);
  if (!cursor) return false;
  const block = { number: cursor.blockNumber, hash: cursor.blockHash };
  const lowCutoff = addSeconds(system.now(), -LOW_SECONDS);
  const due = await store.listToRead(system.db, network, { block: block.number, lowCutoff }, AT_ONCE);
  if (due.length === 0) return false;
  const addresses = due.map(({ address }) => address);
  const balances = await readBalances(system.chains[network], addresses, block.number);
  // Read after the balances: if the observer still has this block, the balances are of this block.
  const observedBlocks = await readBlocks(system, network, [block]);
  if (!balances || !observedBlocks.has(block)) return false;
  for (const [index, wallet] of due.entries()) {
    // One balance was read for each wallet.
    const balance = balances[index] as Usdc;
    const { walletId, ownerId, address } = wallet;
    await system.db.transaction(async (tx) => {
      await assertLease(tx, lease);
      await observedBlocks.assertKept(tx);
      const wasLow = await store.lockReading(tx, walletId, block.number);
      if (wasLow === null) return;
      const time = system.now();
      const least = await threshold(tx, ownerId);
      const funds = { balance, remaining: await store.largestRest(tx, wallet, time), threshold: least };
      const isLowNow = isLow(funds, wasLow);
      await store.setReading(tx, walletId, { readBlock: block.number, readAt: time, isLow: isLowNow });
      if (!isLowNow || wasLow) return;
      const meta = { network, wallet: address, balance: balance.toString(), threshold: least.toString() };
      await record(tx, time, { type: "wallet.low", subject: walletId, ownerId, meta });
    });
  }
  return due.length === AT_ONCE;
}

/** Marks spending wallets for reading after their payments, and invalidates readings of replaced blocks. */
export const subscriber: Subscriber = {
  transferred: async (tx, facts) => {
    const [first] = facts;
    if (!first) return;
    const payers = facts.map(({ from: address, block }) => ({ address, block: block.number }));
    await store.markPaid(tx, first.network, payers);
  },
  unwound: (tx, network, firstBlock) => store.invalidateReadings(tx, network, firstBlock),
};

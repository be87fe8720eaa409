import type { AbiEvent } from "viem";
import type { System } from "@/lib/platform/context";
import { readUpTo } from "@/lib/settlements/observer/read-blocks";
import { VAULT_ABI } from "@/lib/vaults/contracts";
import type { NetworkName } from "@/lib/x402/networks";
import * as store from "./store";

/** After a longer pause only the newest block is searched: each live vault is read once a minute anyway. */
const BLOCKS_MAX = 100n;

const EVENTS = VAULT_ABI.filter((item): item is Extract<typeof item, AbiEvent> => item.type === "event");

/**
 * Has vaults read again at which something happened in the blocks since the last call: an owner can revoke a vault or take
 * its money without this service. Only a hint for when to read: anybody can log such events, and a restart forgets how far
 * it came. Throws ChainUnavailable when no node responds.
 */
export function eventFollower(system: System, network: NetworkName): () => Promise<void> {
  let lastBlock: { number: bigint; hash: string } | null = null;
  return async () => {
    const cursor = await readUpTo(system, network);
    if (!cursor || cursor.blockHash === lastBlock?.hash) return;
    const to = cursor.blockNumber;
    if (!(await store.hasLive(system.db, network))) {
      lastBlock = { number: to, hash: cursor.blockHash };
      return;
    }
    const from = lastBlock && lastBlock.number < to && to - lastBlock.number <= BLOCKS_MAX ? lastBlock.number + 1n : to;
    const { logs, last } = await system.chains[network].emitters({ from, to }, EVENTS);
    await store.markStale(system.db, network, [...new Set(logs)]);
    if (last) lastBlock = last;
  };
}

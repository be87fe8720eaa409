import type { Hex } from "viem";
import { privateKeyToAddress } from "viem/accounts";
import { toAddress } from "@/lib/core/address";
import { addSeconds } from "@/lib/core/time";
import type { System } from "@/lib/platform/context";
import { workingJobs } from "@/lib/platform/lease";
import { notify } from "@/lib/platform/queue";
import type { Job } from "@/lib/platform/worker";
import { NETWORK_NAMES, type NetworkName } from "@/lib/x402/networks";
import { followHead } from "./observer/following";
import { observe } from "./observer/observer";
import { type DeepBlock, endUnusable } from "./observer/voiding";
import type { Pace, RelayerJob, Sender } from "./relayer/job";
import { backlog } from "./relayer/queue-store";
import { relay, relayerJob } from "./relayer/relayer";
import { allRelayers, countAtFeeCap, freestRelayer, hasOpenSince, type Relayer } from "./relayer/store";
import { isStalled, type ObserverProgress } from "./rules";
import * as store from "./store";

/** Runs each time a new block reaches the depth of CONFIRMATIONS. */
export type OnBlock = (network: NetworkName, block: DeepBlock) => Promise<void>;

/** Transactions open for longer are followed at the normal pace: a stuck one must not keep the nodes busy. */
const FOLLOWED_SECONDS = 60;

const PAUSE_MS: Record<Pace, number> = { more: 0, underway: 100, idle: 1000 };

/** The loops that move money: per network an observer and an operations loop, per key and network a relayer. */
export function settlementJobs(system: System, onBlock: OnBlock, senders: readonly Sender[]): Job[] {
  return NETWORK_NAMES.flatMap((network) => {
    const relayerJobs = system.config.relayerKeys.map((key) => relayerJob(system, network, key));
    return [
      observerJob(system, network, onBlock),
      ...relayerJobs.map(
        (job): Job => ({
          name: relayerName(network, job.key),
          wakeOn: [{ channel: "settlement_claimed", payload: network }],
          round: async (lease) => PAUSE_MS[await relay({ ...job, lease })],
        }),
      ),
      operationsJob(system, network, relayerJobs, senders),
    ];
  });
}

export const observerName = (network: NetworkName) => `observer:${network}`;
export const relayerName = (network: NetworkName, key: Hex) => `relayer:${network}:${privateKeyToAddress(key)}`;

/**
 * Works at most this long, then pauses as long. Operations that never succeed take at most half the time, and payments never wait
 * for them.
 */
const OPERATIONS_MS = 500;

/** Sends the transactions of other domains, with the key that has the fewest open transactions. */
function operationsJob(
  system: System,
  network: NetworkName,
  relayerJobs: readonly Omit<RelayerJob, "lease">[],
  senders: readonly Sender[],
): Job {
  return {
    name: `operations:${network}`,
    wakeOn: [{ channel: "settlement_claimed", payload: network }],
    round: async (lease) => {
      const working = [];
      for (const sender of senders) if (await sender.hasWork(system.db, network)) working.push(sender);
      if (working.length === 0) return PAUSE_MS.idle;
      const signers = relayerJobs.map(({ signer }) => signer);
      const stuckBefore = addSeconds(system.now(), -FOLLOWED_SECONDS);
      const signer = await freestRelayer(system.db, network, { signers, stuckBefore });
      const freestJob = relayerJobs.find((job) => job.signer === signer);
      if (!freestJob) return PAUSE_MS.idle;
      const beganMs = performance.now();
      let pace: Pace = "idle";
      for (const { send } of working) {
        const next = await send({ ...freestJob, lease }, () => performance.now() - beganMs > OPERATIONS_MS);
        if (PAUSE_MS[next] < PAUSE_MS[pace]) pace = next;
      }
      return pace === "more" ? OPERATIONS_MS : PAUSE_MS[pace];
    },
  };
}

function observerJob(system: System, network: NetworkName, onBlock: OnBlock): Job {
  let read: { cursor: store.ChainCursor; fence: number } | null = null;
  let checkedDeep: bigint | null = null;
  const following = followHead({
    chain: system.chains[network],
    pollMs: system.config.pollMilliseconds,
    isAwaited: () => hasOpenSince(system.db, network, addSeconds(system.now(), -FOLLOWED_SECONDS)),
    nowMs: () => performance.now(),
  });
  return {
    name: observerName(network),
    wakeOn: [{ channel: "relayer_sent", payload: network }],
    round: async (lease, isWoken) => {
      const quietMs = await following.ask();
      if (quietMs !== null) return quietMs;
      // Under the same lease, nobody else moves the cursor.
      const known = read?.fence === lease.fence ? read.cursor : null;
      // The round may move the cursor back, and a node may show the block again that it left.
      read = null;
      const { cursor, hasMore } = await observe(system, network, lease, known);
      if (hasMore) return 0;
      // Only a new block can end a settlement, so each cursor is checked once. Unresolved ones are retried at the next block.
      const isNew = cursor.blockHash !== known?.blockHash;
      if (isNew) {
        await notify(system.db, "block_read", network);
        const deep = await deepBlock(system, cursor);
        if (deep) await endUnusable(system, network, lease, deep);
        if (deep && deep.number !== checkedDeep) await onBlock(network, deep);
        checkedDeep = deep?.number ?? null;
      }
      read = { cursor, fence: lease.fence };
      return following.readTo(cursor.blockNumber, isNew || isWoken);
    },
  };
}

/** The newest read block that is at least CONFIRMATIONS deep, counting itself; null when the chain is shorter. */
export async function deepBlock(system: System, cursor: store.ChainCursor): Promise<DeepBlock | null> {
  const { network, blockNumber, blockHash, blockTime } = cursor;
  const depth = BigInt(system.config.confirmations - 1);
  if (depth === 0n) return { number: blockNumber, hash: blockHash, time: blockTime };
  return blockNumber > depth ? system.chains[network].block(blockNumber - depth) : null;
}

/** An open settlement older than this counts as stuck. Informational: it does not make the process unready. */
const STUCK_SECONDS = 120;

/** This process's previous reading of each observer. */
const progresses = new Map<NetworkName, ObserverProgress>();

export type Heads = Record<NetworkName, bigint | null>;

/** For /readyz: per network, whether observer and relayer work and how much is queued; and the paused relayers. */
export async function health(system: System, heads: Heads) {
  const [relayers, jobs] = await Promise.all([allRelayers(system.db), workingJobs(system.db)]);
  const queues = await Promise.all(NETWORK_NAMES.map((network) => queueOf(system, network, heads, relayers, jobs)));
  return { queues, paused: relayers.filter((relayer) => relayer.pausedReason !== null) };
}

async function queueOf(
  system: System,
  network: NetworkName,
  heads: Heads,
  relayers: Relayer[],
  jobs: ReadonlySet<string>,
) {
  const now = system.now();
  const [queue, cursor, atFeeCap] = await Promise.all([
    backlog(system.db, network, addSeconds(now, -STUCK_SECONDS)),
    store.cursor(system.db, network),
    countAtFeeCap(system.db, network, system.config.feeCaps[network]),
  ]);
  const readUpToBlock = cursor?.blockNumber ?? null;
  const reading = isStalled(progresses.get(network), { head: heads[network], readUpToBlock }, performance.now());
  progresses.set(network, reading.progress);
  const paused = relayers.filter((row) => row.network === network && row.pausedReason !== null);
  const pausedSigners = new Set(paused.map((row) => row.signer));
  return {
    network,
    open: queue.open,
    oldestSeconds: queue.oldest ? Math.round((now.getTime() - queue.oldest.getTime()) / 1000) : 0,
    stuck: queue.stuck,
    declined: queue.declined,
    useNotShown: queue.useNotShown,
    /** Number of open transactions whose fees have reached the fee cap. */
    atFeeCap,
    readUpToBlock,
    /** A process runs the observer, and its cursor advances with the chain. */
    isReading: jobs.has(observerName(network)) && !reading.isStalled,
    /** A process runs a relayer whose key is not paused. */
    isSending: system.config.relayerKeys.some(
      (key) => jobs.has(relayerName(network, key)) && !pausedSigners.has(toAddress(privateKeyToAddress(key))),
    ),
  };
}

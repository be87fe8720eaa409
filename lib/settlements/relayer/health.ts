import { privateKeyToAddress } from "viem/accounts";
import { toAddress } from "@/lib/core/address";
import { addSeconds } from "@/lib/core/time";
import type { System } from "@/lib/platform/context";
import { workingJobs } from "@/lib/platform/lease";
import { NETWORK_NAMES, type NetworkName } from "@/lib/x402/networks";
import { observerName, relayerName } from "../jobs";
import { isStalled, type ObserverProgress } from "../rules";
import * as store from "../store";
import { backlog } from "./queue-store";
import { allRelayers, countAtFeeCap, type Relayer } from "./store";

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

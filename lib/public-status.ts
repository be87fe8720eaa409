import type { publicReadiness } from "@/lib/wiring";
import { NETWORKS, type NetworkName } from "@/lib/x402/networks";

type Report = Awaited<ReturnType<typeof publicReadiness>>;

export type NetworkState = "working" | "slow" | "not_reading" | "not_sending" | "no_answer" | "unknown";

export type PublicStatus = {
  isWorking: boolean;
  database: boolean;
  readAt: Date;
  networks: {
    network: NetworkName;
    label: string;
    state: NetworkState;
    /** The newest block of the network; null while no node responds. */
    head: string | null;
    /** The last block that the service has read. */
    readUpToBlock: string | null;
    blocksBehind: number | null;
    /** Payments under way, and how long the oldest of them has waited. */
    open: number | null;
    oldestSeconds: number | null;
    stuck: number | null;
  }[];
  /** How long the oldest event has waited for its webhook deliveries; 0 if none waits, null if unknown. */
  webhooksWaitSeconds: number | null;
};

/** The public part of `report`: no keys, no balances, and no reasons meant for operators. */
export function toPublicStatus(report: Report, readAt: Date): PublicStatus {
  return {
    isWorking: report.status === "ok",
    database: report.database,
    readAt,
    networks: report.chains.map((chain) => {
      const queue = report.queues.find(({ network }) => network === chain.network);
      const { head } = chain;
      const readUpToBlock = queue?.readUpToBlock ?? null;
      return {
        network: chain.network,
        label: NETWORKS[chain.network].label,
        state: stateOf(chain, queue),
        head,
        readUpToBlock,
        blocksBehind:
          head !== null && readUpToBlock !== null ? Math.max(0, Number(BigInt(head) - BigInt(readUpToBlock))) : null,
        open: queue?.open ?? null,
        oldestSeconds: queue?.oldestSeconds ?? null,
        stuck: queue?.stuck ?? null,
      };
    }),
    webhooksWaitSeconds: report.webhooks === null ? null : report.webhooks.oldestEventSeconds,
  };
}

function stateOf(chain: Report["chains"][number], queue: Report["queues"][number] | undefined): NetworkState {
  if (chain.head === null) return "no_answer";
  if (!queue) return "unknown";
  if (!queue.isReading) return "not_reading";
  if (!queue.isSending || !chain.isReady) return "not_sending";
  return queue.stuck > 0 ? "slow" : "working";
}

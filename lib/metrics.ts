import { setTimeout as sleep } from "node:timers/promises";
import { collectDefaultMetrics } from "prom-client";
import { formatEther } from "viem";
import { privateKeyToAddress } from "viem/accounts";
import { toAddress } from "@/lib/core/address";
import type { System } from "@/lib/platform/context";
import { ALARMS, type MetricSnapshot, metrics, snapshot } from "@/lib/platform/metrics";
import { readiness, system } from "@/lib/wiring";

/** Readers within this time get the same values: each measurement queries the database and both nodes. */
const FRESH_MS = 4_000;
/** A hanging node must not time out the reader, who gets the previous values instead. */
const READING_MS_MAX = 3_000;

const last: { reading: Promise<void> | null; atMs: number } = {
  reading: null,
  atMs: Number.NEGATIVE_INFINITY,
};

/** The metrics of this process, with the current state of the queues, the nodes and the database. */
export async function measure(): Promise<MetricSnapshot[]> {
  if (performance.now() - last.atMs > FRESH_MS) {
    last.reading ??= updateMetrics(system()).finally(() => {
      last.atMs = performance.now();
      last.reading = null;
    });
    await Promise.race([last.reading, sleep(READING_MS_MAX)]);
  }
  const { poolConnections, poolWaiting } = metrics();
  const { $client: pool } = system().db;
  poolConnections.set({ state: "idle" }, pool.idleCount);
  poolConnections.set({ state: "busy" }, pool.totalCount - pool.idleCount);
  poolWaiting.set(pool.waitingCount);
  return snapshot();
}

/** Called by the server (ops/server) for each response and when metrics are read. */
export type Measuring = {
  observe: (response: { method: string; route: string; status: number; seconds: number }) => void;
  /** The metrics of this process. */
  measure: () => Promise<MetricSnapshot[]>;
  /** The whole state of the service, for operators. */
  readReadiness: () => ReturnType<typeof readiness>;
};

/** Starts measuring. Every alarm starts at 0, so that its first occurrence is an increase. */
export function openMetrics(): Measuring {
  const { alarms, registry, up } = metrics();
  for (const event of ALARMS) alarms.inc({ event }, 0);
  up.set(1);
  // Memory, processor time and the delay of the event loop.
  collectDefaultMetrics({ register: registry });
  return {
    measure,
    readReadiness: readiness,
    observe: ({ seconds, ...labels }) => metrics().requests.observe(labels, seconds),
  };
}

type Readiness = Awaited<ReturnType<typeof readiness>>;

async function updateMetrics(app: System): Promise<void> {
  const report = await readiness();
  const m = metrics();
  m.ready.set(report.status === "ok" ? 1 : 0);
  m.databaseUp.set(report.database ? 1 : 0);
  readChains(app, report);
  // Without a response the gauges have no value: the previous one would look current.
  if (report.queues.length === 0) for (const gauge of ofQueues()) gauge.reset();
  for (const queue of report.queues) {
    const labels = { network: queue.network };
    m.settlementsOpen.set(labels, queue.open);
    m.settlementsOldest.set(labels, queue.oldestSeconds);
    m.settlementsStuck.set(labels, queue.stuck);
    m.settlementsDeclined.set(labels, queue.declined);
    m.useNotShown.set(labels, queue.useNotShown);
    m.atFeeCap.set(labels, queue.atFeeCap);
    m.isReading.set(labels, queue.isReading ? 1 : 0);
    m.isSending.set(labels, queue.isSending ? 1 : 0);
    m.readUpTo.set(labels, Number(queue.readUpToBlock ?? 0));
    m.relayersPaused.set(labels, report.pausedRelayers.filter(({ network }) => network === queue.network).length);
  }
  if (!report.webhooks) return;
  m.eventsWaiting.set(report.webhooks.eventsWaiting);
  m.deliveriesDue.set(report.webhooks.deliveriesDue);
  m.oldestEvent.set(report.webhooks.oldestEventSeconds);
  m.oldestDue.set(report.webhooks.oldestDueSeconds);
}

const ofQueues = () => {
  const m = metrics();
  return [
    ...[m.settlementsOpen, m.settlementsOldest, m.settlementsStuck, m.settlementsDeclined, m.useNotShown],
    ...[m.atFeeCap, m.isReading, m.isSending, m.readUpTo, m.relayersPaused],
    ...[m.eventsWaiting, m.deliveriesDue, m.oldestEvent, m.oldestDue],
  ];
};

function readChains({ config }: System, { chains }: Readiness): void {
  const m = metrics();
  const signers = config.relayerKeys.map((key) => toAddress(privateKeyToAddress(key)));
  for (const { network, head, relayerGasWei } of chains) {
    m.chainUp.set({ network }, head === null ? 0 : 1);
    if (head !== null) m.head.set({ network }, Number(head));
    for (const [index, signer] of signers.entries()) {
      const wei = relayerGasWei[index] ?? null;
      if (wei === null) m.relayerBalance.remove({ network, signer });
      else m.relayerBalance.set({ network, signer }, Number(formatEther(BigInt(wei))));
    }
  }
}

import { Counter, Gauge, Histogram, type MetricObjectWithValues, type MetricValue, Registry } from "prom-client";

const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const SETTLEMENT_SECONDS = [0.5, 1, 2, 3, 4, 6, 8, 12, 20, 30, 60, 120, 300, 900, 3600];

/** Log messages that an operator is alerted to (docs/operations.md). Counted from 0, so that the first one is an increase. */
export const ALARMS = [
  "chain.reorganised",
  "chain.wrong_chain",
  "relayer.emptied",
  "relayer.paused",
  "relayer.rejected",
  "relayer.reopened",
  "error.undeclared",
  "screening.list_broken",
  "screening.reported",
  "worker.failed",
] as const;

/**
 * The instruments of this process. `aggregator` combines the values of several workers. Values from the database or a node are the same
 * in all workers, apart from the time of reading.
 */
function create() {
  const registry = new Registry();
  const registration = { registers: [registry] };
  const gauge = <L extends string>(
    name: string,
    help: string,
    labelNames: readonly L[] = [],
    aggregator: "sum" | "min" | "max" = "max",
  ) => new Gauge<L>({ name: `tessera_${name}`, help, labelNames, aggregator, ...registration });
  const counter = <L extends string>(name: string, help: string, labelNames: readonly L[]) =>
    new Counter<L>({ name: `tessera_${name}`, help, labelNames, ...registration });
  return {
    registry,
    requests: new Histogram({
      name: "tessera_http_request_seconds",
      help: "Time from a request's headers to the end of its response. Status 499: the client left before.",
      labelNames: ["method", "route", "status"],
      buckets: REQUEST_SECONDS,
      ...registration,
    }),
    settled: new Histogram({
      name: "tessera_settlement_seconds",
      help: "Time from the presentation of a payment until the observer has recorded the block that contains it.",
      labelNames: ["network", "purpose"],
      buckets: SETTLEMENT_SECONDS,
      ...registration,
    }),
    settlementsOpen: gauge("settlements_open", "Settlements that are claimed, prepared or broadcast.", ["network"]),
    settlementsOldest: gauge("settlements_oldest_seconds", "Age of the oldest open settlement.", ["network"]),
    settlementsStuck: gauge("settlements_stuck", "Open settlements older than 120 seconds.", ["network"]),
    settlementsDeclined: gauge(
      "settlements_declined",
      "Settlements that the relayer gave up and that can still be paid.",
      ["network"],
    ),
    useNotShown: gauge(
      "settlements_use_not_shown",
      "Unended settlements whose authorization is spent, while no node shows by what.",
      ["network"],
    ),
    atFeeCap: gauge("relayer_at_fee_cap", "Open transactions that offer all that the fee cap allows.", ["network"]),
    isReading: gauge("observer_working", "1 while a process reads the chain.", ["network"]),
    isSending: gauge("relayer_working", "1 while a process sends with a key that is not paused.", ["network"]),
    relayersPaused: gauge("relayers_paused", "Relayer keys that wait for an operator.", ["network"]),
    relayerBalance: gauge("relayer_balance_eth", "ETH of a relayer key.", ["network", "signer"]),
    gasUsed: counter("relayer_gas_total", "Gas used by mined transactions of the relayer.", ["network"]),
    gasPaid: counter("relayer_fees_eth_total", "ETH paid for mined transactions of the relayer.", ["network"]),
    head: gauge("chain_head_block", "Newest block of the node in use.", ["network"]),
    readUpTo: gauge("chain_read_block", "Last block that the observer has read.", ["network"]),
    chainUp: gauge("chain_up", "1 while a node answers.", ["network"], "min"),
    nodeUp: gauge("node_up", "1 if the last call to this node succeeded.", ["network", "node"], "min"),
    nodeFailures: counter("node_failures_total", "Calls after which another node was tried.", ["network", "node"]),
    eventsWaiting: gauge("webhook_events_waiting", "Events without deliveries yet, up to 100,000."),
    deliveriesDue: gauge("webhook_deliveries_due", "Webhook deliveries that are due, up to 100,000."),
    oldestEvent: gauge("webhook_oldest_event_seconds", "How long the oldest event has waited for its deliveries."),
    oldestDue: gauge("webhook_oldest_due_seconds", "How long the oldest due delivery is overdue."),
    databaseUp: gauge("database_up", "1 while the database answers.", [], "min"),
    poolConnections: gauge("database_connections", "Pooled connections.", ["state"], "sum"),
    poolWaiting: gauge("database_waiting", "Queries that wait for a connection.", [], "sum"),
    replicaLag: gauge(
      "database_replica_lag_seconds",
      "How far DATABASE_REPLICA_URL is behind; -1 while it does not answer.",
    ),
    alarms: counter("log_events_total", "Log lines of level warn or error, by message.", ["event"]),
    ready: gauge("ready", "1 while /readyz answers 200.", [], "min"),
    up: gauge("workers", "Processes behind this address.", [], "sum"),
  };
}

export type Metrics = ReturnType<typeof create>;

let created: Metrics | null = null;

/** The metrics of this process, created at first use. */
export function metrics(): Metrics {
  created ??= create();
  return created;
}

/** A metric with its values, in a form that can be sent to another process. */
export type MetricSnapshot = MetricObjectWithValues<MetricValue<string>>;

export const snapshot = (): Promise<MetricSnapshot[]> => metrics().registry.getMetricsAsJSON();

/** Messages of the log are constants such as `worker.failed`; anything else is not counted. */
const EVENT = /^[a-z_]+(?:\.[a-z_]+)?$/;

export function countLogLine(message: unknown): void {
  if (typeof message === "string" && EVENT.test(message)) metrics().alarms.inc({ event: message });
}

import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { sql } from "drizzle-orm";
import { privateKeyToAddress } from "viem/accounts";
import * as attempts from "@/lib/attempts/service";
import { toAddress } from "@/lib/core/address";
import { setBounded } from "@/lib/core/bounded";
import type { Auth } from "@/lib/core/endpoint";
import type { OwnerId } from "@/lib/core/ids";
import { shareFor } from "@/lib/core/share";
import { sellerOf } from "@/lib/facilitator/keys";
import { assertOwnOrigin, bearerToken } from "@/lib/http/credentials";
import { edgeErrors } from "@/lib/http/errors";
import { PAGE_OWNER_HEADER } from "@/lib/http/page-owner";
import { createRoute } from "@/lib/http/route";
import * as identity from "@/lib/identity/service";
import { refreshSome } from "@/lib/links/listings/service";
import { endDeadCalls } from "@/lib/links/passes/service";
import { endCalls } from "@/lib/links/upstream/service";
import * as live from "@/lib/live/service";
import { fundsJobs } from "@/lib/mandates/funds/reading";
import { hasSpent } from "@/lib/mandates/service";
import { vaultSender } from "@/lib/mandates/vaults/operations";
import { vaultJobs } from "@/lib/mandates/vaults/reading";
import { logIn } from "@/lib/mcp/log-in";
import { pushJob } from "@/lib/notices/browsers/jobs";
import { mailJobs } from "@/lib/notices/jobs";
import * as owners from "@/lib/owners/service";
import { deniedUnderWayJob } from "@/lib/payees/lists/under-way";
import * as payouts from "@/lib/payouts/service";
import { now } from "@/lib/platform/clock";
import { readConfig } from "@/lib/platform/config";
import type { Actor, Anonymous, Ctx, Owner, System } from "@/lib/platform/context";
import { type Db, JOB_CONNECTIONS_MAX, openDatabase } from "@/lib/platform/db";
import { createLog } from "@/lib/platform/log";
import { countLogLine } from "@/lib/platform/metrics";
import { connectChain } from "@/lib/platform/nodes";
import { openHub } from "@/lib/platform/queue";
import { openReplica } from "@/lib/platform/replica";
import { createVault } from "@/lib/platform/vault";
import { type Job, startWorker, unwokenPauseMs, type Worker } from "@/lib/platform/worker";
import { recoveryJob } from "@/lib/recoveries/jobs";
import { forgetOld } from "@/lib/retention";
import { recheckDomains } from "@/lib/sellers/service";
import { type Heads, health, settlementJobs } from "@/lib/settlements/jobs";
import { recoverFacts } from "@/lib/settlements/observer/search";
import { hasSettler } from "@/lib/settlements/relayer/settler";
import { hasEarned } from "@/lib/settlements/service";
import { ledger, subscribers } from "@/lib/subscribers";
import { webhookJob } from "@/lib/webhooks/jobs";
import * as webhooks from "@/lib/webhooks/service";
import { mapNetworks, NETWORK_NAMES, NETWORKS, type NetworkName } from "@/lib/x402/networks";

export type { Ctx } from "@/lib/platform/context";

/** `background`: the system for jobs. It has its own pool, so that their queries never wait behind those of requests. */
type Runtime = {
  system: System;
  background: System;
  underway: Set<Promise<unknown>>;
  isStopping: boolean;
  readState: () => Promise<State>;
  close: () => Promise<void>;
};

/** Null before the first use and after closing. */
let open: Runtime | null = null;

function runtime(): Runtime {
  open ??= openRuntime();
  return open;
}

function openRuntime(): Runtime {
  const config = readConfig(process.env);
  const database = openDatabase(config.databaseUrl, config.databasePool, config);
  const jobDatabase = openDatabase(config.databaseUrl, JOB_CONNECTIONS_MAX, config);
  const log = createLog(
    config.logLevel,
    undefined,
    config.metricsPort !== null || config.isTraced ? countLogLine : undefined,
  );
  const replica = openReplica(database.db, config, log);
  const system: System = {
    config,
    db: database.db,
    readOld: replica.readOld,
    chains: mapNetworks((name) => connectChain(NETWORKS[name], config.rpcUrls[name], log)),
    vault: createVault(config.masterKeys),
    hub: openHub(config.directUrl),
    log,
    now,
    subscribers,
  };
  const background = { ...system, db: jobDatabase.db };
  const readGas = mapNetworks((network) => shareFor(GAS_SHARED_MS, () => gasOf(system, network)));
  const readState = shareFor(STATE_SHARED_MS, () => stateOf(system, readGas));
  return {
    system,
    background,
    underway: new Set(),
    isStopping: false,
    readState,
    close: async () => {
      await system.hub.close();
      await replica.close();
      await jobDatabase.close();
      await database.close();
    },
  };
}

/** The system of this process, created from the environment at first use. Throws ConfigError. */
export const system = (): System => runtime().system;

async function track<T>(work: Promise<T>): Promise<T> {
  const { underway } = runtime();
  underway.add(work);
  try {
    return await work;
  } finally {
    underway.delete(work);
  }
}

/** Ends the event streams of pages, which would keep their connections open. */
export const endStreams = (): void => live.endStreams(system());

/** How long a stopping process waits for calls to upstreams. Their ends are stored in the rest of its time. */
const CALLS_MS = 4_000;

/** Makes /readyz fail, ends event streams and waits for responses in progress. */
export async function drain(): Promise<void> {
  const { underway, system: app } = runtime();
  runtime().isStopping = true;
  endStreams();
  setTimeout(() => endCalls(app), CALLS_MS).unref();
  while (underway.size > 0) await Promise.allSettled(underway);
  await attempts.writeWaiting(system());
}

/** Closes the database. The system cannot be used afterwards. */
export async function closeSystem(): Promise<void> {
  await open?.close();
  open = null;
}

const KEY_UPKEEP_MS = 60_000;
const LISTINGS_MS = 1_000;
/** The pause between the last listed link and the next pass. */
const LISTINGS_IDLE_MS = 15_000;
const DEAD_CALLS_AT_ONCE = 1_000;
const DEAD_CALLS_MS = 2_000;
const HOUR_MS = 3_600_000;

const jobs = (app: System): Job[] => [
  ...settlementJobs(
    app,
    async (network, block) => {
      await recoverFacts(app, network, await ledger.releaseExpired(app, network, block));
    },
    [vaultSender],
  ),
  ...vaultJobs(app),
  ...fundsJobs(app),
  {
    name: "retention",
    round: async () => ((await forgetOld(app)) ? 0 : HOUR_MS),
  },
  {
    name: "passes",
    round: async () => ((await endDeadCalls(app, DEAD_CALLS_AT_ONCE)) === DEAD_CALLS_AT_ONCE ? 0 : DEAD_CALLS_MS),
  },
  {
    name: "domains",
    round: async () => ((await recheckDomains(app)) ? 0 : HOUR_MS),
  },
  {
    name: "listings",
    round: async () => ((await refreshSome(app)) ? LISTINGS_MS : LISTINGS_IDLE_MS),
  },
  {
    name: "payouts",
    wakeOn: NETWORK_NAMES.map((network) => ({ channel: "block_read" as const, payload: network })),
    round: async (lease) => ((await payouts.finishEnded(app, lease)) ? 0 : unwokenPauseMs(app)),
  },
  {
    name: "keys",
    round: async () => ((await identity.keepKeys(app)) ? 0 : KEY_UPKEEP_MS),
  },
  payouts.paidBeforeJob(app),
  recoveryJob(app),
  deniedUnderWayJob(app),
  webhookJob(app),
  ...mailJobs(app),
  pushJob(app),
];

/** Starts every background job. Several processes may do so: each job runs in the process that holds its lease. */
export function startWorkers(): { stop: () => Promise<void> } {
  // A unique name for each start: a restarted process with a reused pid must not be mistaken for its predecessor.
  const holder = `${hostname()}:${process.pid}:${randomUUID()}`;
  const { background } = runtime();
  const workers: Worker[] = jobs(background).map((job) => startWorker(background, job, holder));
  return { stop: async () => void (await Promise.all(workers.map((worker) => worker.stop()))) };
}

const GAS_LOW_WEI = 10n ** 15n;

/** Readiness is public and unlimited, so callers within this time share one reading. */
const STATE_SHARED_MS = 1_000;
/** Balances change slowly, and each is a call to the node. */
const GAS_SHARED_MS = 15_000;

/** The balance of each relayer key; null where the node did not answer. */
type Gas = (bigint | null)[];

/** Throws when no balance can be read, so that `shareFor` does not keep the result. */
async function gasOf({ chains, config }: System, network: NetworkName): Promise<Gas> {
  const relayers = config.relayerKeys.map((key) => toAddress(privateKeyToAddress(key)));
  const gas = await Promise.all(relayers.map((relayer) => readOrNull(() => chains[network].nativeBalance(relayer))));
  if (gas.every((wei) => wei === null)) throw new Error(`no balance of a relayer on ${network}`);
  return gas;
}

type State = Awaited<ReturnType<typeof stateOf>>;

async function stateOf(app: System, readGas: Record<NetworkName, () => Promise<Gas>>) {
  const database = await readOrNull(() => app.db.execute(sql`select 1`));
  const chains = await Promise.all(
    NETWORK_NAMES.map(async (network) => {
      const chain = app.chains[network];
      const head = await readOrNull(() => chain.head());
      const gas = (await readOrNull(readGas[network])) ?? app.config.relayerKeys.map(() => null);
      return {
        network,
        headNumber: head?.number ?? null,
        head: head?.number.toString() ?? null,
        // Without the settler contract each transfer needs its own transaction: slower and more expensive, but nothing is delayed for good.
        hasSettler: await readOrNull(() => hasSettler(chain)),
        relayerGasWei: gas.map((wei) => wei?.toString() ?? null),
        isReady: head !== null && gas.some((wei) => wei !== null && wei >= GAS_LOW_WEI),
      };
    }),
  );
  const heads = Object.fromEntries(chains.map((chain) => [chain.network, chain.headNumber])) as Heads;
  const queue = database && (await readOrNull(() => health(app, heads)));
  const isReady = queue?.queues.every((q) => q.isReading && q.isSending) && chains.every((chain) => chain.isReady);
  const status: "ok" | "unavailable" = isReady ? "ok" : "unavailable";
  return {
    status,
    database: database !== null,
    chains: chains.map(({ headNumber, ...chain }) => chain),
    queues: queue?.queues.map((q) => ({ ...q, readUpToBlock: q.readUpToBlock?.toString() ?? null })) ?? [],
    // Reported only: a backlog of webhooks does not affect payments, and others run the receivers.
    webhooks: database && (await readOrNull(() => webhooks.health(app))),
    pausedRelayers: queue?.paused.map(({ network, signer, pausedReason }) => ({ network, signer, pausedReason })) ?? [],
  };
}

/**
 * Whether the service can work: database, both chains, gas for the relayer, and queues that are being read and sent. A
 * single settlement without an outcome is only counted in the report; it does not make the process unready. For operators: it names keys
 * and balances.
 */
export async function readiness(): Promise<State> {
  const { readState, isStopping } = runtime();
  const state = await readState();
  return isStopping ? { ...state, status: "unavailable" } : state;
}

/** `readiness` without operators' data: keys, their balances, and why they are paused. */
export async function publicReadiness() {
  const { status, database, chains, queues, webhooks } = await readiness();
  return { status, database, chains: chains.map(({ relayerGasWei: _, ...chain }) => chain), queues, webhooks };
}

/** The result of `query`, or null when it fails: in this report a failure is itself a finding. */
async function readOrNull<T>(query: () => PromiseLike<T>): Promise<T | null> {
  try {
    return await query();
  } catch (err) {
    system().log.warn({ err }, "readiness.check_failed");
    return null;
  }
}

const anonymous: Anonymous = { type: "anonymous" };

const OTHER_ACCOUNT =
  "This page shows another account than the one that is now signed in, in another tab. Nothing was done: load the page again";

async function authenticate(app: System, req: Request, auth: Exclude<Auth, "host">): Promise<Actor> {
  if (auth === "none") return anonymous;
  if (auth === "guest" && !req.headers.has("authorization")) return anonymous;
  if (auth === "agent" || auth === "guest") return identity.authenticate(app, bearerToken(req));
  if (auth === "seller") return sellerOf(app, bearerToken(req));
  const owner = await owners.ownerOfRequest(app, req);
  if (owner) assertOwnOrigin(req, app.config.baseUrl);
  const pageOwner = req.headers.get(PAGE_OWNER_HEADER);
  if (owner && pageOwner !== null && pageOwner.toLowerCase() !== owner.address.toLowerCase())
    throw edgeErrors.session_required({ message: OTHER_ACCOUNT });
  if (!owner && auth === "owner") throw edgeErrors.session_required();
  return owner ?? anonymous;
}

/** Whether the session in a `Cookie` header belongs to an owner who has moved money. */
export async function isPayingVisitor(cookies: string | null): Promise<boolean> {
  const owner = await owners.ownerOfCookies(system(), cookies);
  return owner !== null && isPaying(system(), owner.ownerId);
}

export const route = createRoute({
  system,
  authenticate,
  logIn,
  track,
  isPaying: (app, actor) => isPaying(app, actor.type === "anonymous" ? null : actor.ownerId),
});

/** The system and the viewer, for the page that is being rendered. */
export async function pageContext(): Promise<Ctx<Owner | Anonymous>> {
  // Imported here: scripts and jobs that use this file run without Next.
  const { headers } = await import("next/headers");
  const app = system();
  const owner = await owners.ownerOfCookies(app, (await headers()).get("cookie"));
  return { ...app, requestId: randomUUID(), actor: owner ?? anonymous };
}

const AGAIN_MS = 60_000;
const OWNERS_MAX = 100_000;

/** When each owner was last found to have moved no money, in Unix milliseconds; Infinity if the owner has moved some. */
const readings = new WeakMap<Db, Map<OwnerId, number>>();

/** Whether the owner has spent or earned real USDC in settled payments. A negative result is cached for a minute. */
export async function isPaying({ db }: System, ownerId: OwnerId | null): Promise<boolean> {
  if (ownerId === null) return false;
  const readTimes = readings.get(db) ?? new Map<OwnerId, number>();
  readings.set(db, readTimes);
  const readAt = readTimes.get(ownerId);
  if (readAt !== undefined && Date.now() - readAt < AGAIN_MS) return readAt === Number.POSITIVE_INFINITY;
  const has = (await hasSpent(db, ownerId)) || (await hasEarned(db, ownerId));
  setBounded(readTimes, ownerId, has ? Number.POSITIVE_INFINITY : Date.now(), OWNERS_MAX);
  return has;
}

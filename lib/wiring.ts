import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { sql } from "drizzle-orm";
import { privateKeyToAddress } from "viem/accounts";
import { toAddress } from "@/lib/core/address";
import type { Auth } from "@/lib/core/endpoint";
import * as credits from "@/lib/credits/service";
import { assertOwnOrigin, bearerToken } from "@/lib/http/credentials";
import { edgeErrors } from "@/lib/http/errors";
import { forgetOldAnswers } from "@/lib/http/idempotency";
import { makeRoute } from "@/lib/http/route";
import * as identity from "@/lib/identity/service";
import * as links from "@/lib/links/checkout/service";
import * as owners from "@/lib/owners/service";
import * as payments from "@/lib/payments/service";
import * as payouts from "@/lib/payouts/service";
import { now } from "@/lib/platform/clock";
import { readConfig } from "@/lib/platform/config";
import type { Actor, Ctx, Nobody, Owner, System } from "@/lib/platform/context";
import { openDatabase } from "@/lib/platform/db";
import { makeLog } from "@/lib/platform/log";
import { connectChain } from "@/lib/platform/nodes";
import { oncePerProcess } from "@/lib/platform/once-per-process";
import { openHub } from "@/lib/platform/queue";
import { makeVault } from "@/lib/platform/vault";
import { type Job, startWorker, type Worker } from "@/lib/platform/worker";
import * as refunds from "@/lib/refunds/service";
import { settlementJobs } from "@/lib/settlements/jobs";
import { recoverFacts } from "@/lib/settlements/observer/observer";
import { type Heads, health } from "@/lib/settlements/relayer/health";
import { hasSettler } from "@/lib/settlements/relayer/settler";
import { webhookJob } from "@/lib/webhooks/jobs";
import * as webhooks from "@/lib/webhooks/service";
import { NETWORK_NAMES, NETWORKS } from "@/lib/x402/networks";

export type { Ctx } from "@/lib/platform/context";

type Runtime = { system: System; underway: Set<Promise<unknown>>; isStopping: boolean; close: () => Promise<void> };

/** One for the process; `open` is null before the first use and after it was closed. */
const shared = oncePerProcess("runtime", (): { open: Runtime | null } => ({ open: null }));

function runtime(): Runtime {
  shared.open ??= openRuntime();
  return shared.open;
}

function openRuntime(): Runtime {
  const config = readConfig(process.env);
  const database = openDatabase(config.databaseUrl, config.databasePool);
  const log = makeLog(config.logLevel);
  const system: System = {
    config,
    db: database.db,
    chains: {
      base: connectChain(NETWORKS.base, config.rpcUrls.base, log),
      "base-sepolia": connectChain(NETWORKS["base-sepolia"], config.rpcUrls["base-sepolia"], log),
    },
    vault: makeVault(config.masterKeys),
    hub: openHub(config.databaseUrl),
    log,
    now,
    subscribers: [payments.subscriber, links.subscriber, refunds.subscriber, credits.subscriber, payouts.subscriber],
  };
  const close = async () => {
    await system.hub.close();
    await database.close();
  };
  return { system, underway: new Set(), isStopping: false, close };
}

/** The world this process runs in; made from the environment at first use. Throws ConfigError. */
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

/** Turns /readyz red and waits for the answers in the making. */
export async function drain(): Promise<void> {
  const { underway } = runtime();
  runtime().isStopping = true;
  while (underway.size > 0) await Promise.allSettled(underway);
}

/** Closes the database. Nothing can be asked afterwards. */
export async function closeSystem(): Promise<void> {
  await shared.open?.close();
  shared.open = null;
}

const KEY_UPKEEP_MS = 60_000;
const HOUR_MS = 3_600_000;

const jobs = (world: System): Job[] => [
  ...settlementJobs(world, async (network, block) => {
    const ofPayments = await payments.releaseExpired(world, network, block);
    const ofPayouts = await payouts.releaseExpired(world, network, block);
    await recoverFacts(world, network, [...ofPayments, ...ofPayouts]);
  }),
  {
    name: "idempotency",
    round: async () => {
      await forgetOldAnswers(world);
      return HOUR_MS;
    },
  },
  {
    name: "payouts",
    round: async (lease) => {
      await payouts.finishEnded(world, lease);
      return world.config.pollMilliseconds;
    },
  },
  {
    name: "keys",
    round: async () => ((await identity.keepKeys(world)) ? 0 : KEY_UPKEEP_MS),
  },
  webhookJob(world),
];

/** Starts every background job. Several processes may: each job runs in the one that holds its lease. */
export function startWorkers(): { stop: () => Promise<void> } {
  // A name of its own for each start: a process that comes back under its old pid must not take itself for its past.
  const holder = `${hostname()}:${process.pid}:${randomUUID()}`;
  const workers: Worker[] = jobs(system()).map((job) => startWorker(system(), job, holder));
  return { stop: async () => void (await Promise.all(workers.map((worker) => worker.stop()))) };
}

const GAS_LOW_WEI = 10n ** 15n;

/**
 * Whether the service can do its work: database, both chains, gas to relay with, chains that are read and sent to. One
 * settlement that does not end is a number in the report, and takes no process out of service.
 */
export async function readiness() {
  const world = system();
  const database = await answers(() => world.db.execute(sql`select 1`));
  const chains = await Promise.all(
    NETWORK_NAMES.map(async (network) => {
      const chain = world.chains[network];
      const head = await answers(() => chain.head());
      const gas = await Promise.all(
        world.config.relayerKeys.map((key) => {
          const relayer = toAddress(privateKeyToAddress(key));
          return answers(() => chain.nativeBalance(relayer));
        }),
      );
      return {
        network,
        headNumber: head?.number ?? null,
        head: head?.number.toString() ?? null,
        // Without it transfers go one to a transaction: dearer and slower, and nobody's money is held up.
        hasSettler: await answers(() => hasSettler(chain)),
        relayerGasWei: gas.map((wei) => wei?.toString() ?? null),
        isReady: head !== null && gas.some((wei) => wei !== null && wei >= GAS_LOW_WEI),
      };
    }),
  );
  const heads = Object.fromEntries(chains.map((chain) => [chain.network, chain.headNumber])) as Heads;
  const queue = database && (await answers(() => health(world, heads)));
  const isReady =
    !runtime().isStopping &&
    queue !== null &&
    queue.queues.every((q) => q.isReading && q.isSending) &&
    chains.every((chain) => chain.isReady);
  return {
    status: isReady ? ("ok" as const) : ("unavailable" as const),
    database: database !== null,
    chains: chains.map(({ headNumber, ...chain }) => chain),
    queues: queue?.queues.map((q) => ({ ...q, readUpToBlock: q.readUpToBlock?.toString() ?? null })) ?? [],
    // Told and not judged by: whoever is behind with telling can still be paid, and receivers are other people's.
    webhooks: database && (await answers(() => webhooks.health(world))),
    pausedRelayers: queue?.paused.map(({ network, signer, pausedReason }) => ({ network, signer, pausedReason })) ?? [],
  };
}

/** What `ask` answers, or null when it fails: for a report on what is broken, a failure is the finding. */
async function answers<T>(ask: () => PromiseLike<T>): Promise<T | null> {
  try {
    return await ask();
  } catch (err) {
    system().log.warn({ err }, "readiness");
    return null;
  }
}

const nobody: Nobody = { type: "nobody" };

async function authenticate(world: System, req: Request, auth: Auth): Promise<Actor> {
  if (auth === "none") return nobody;
  if (auth === "guest" && !req.headers.has("authorization")) return nobody;
  if (auth === "agent" || auth === "guest") return identity.authenticate(world, bearerToken(req));
  const owner = await owners.ownerOfRequest(world, req);
  if (owner) assertOwnOrigin(req, world.config.baseUrl);
  if (!owner && auth === "owner") throw edgeErrors.session_required();
  return owner ?? nobody;
}

export const route = makeRoute({ system, authenticate, track });

/** The world for the page that is being rendered, and who looks at it. */
export async function pageContext(): Promise<Ctx<Owner | Nobody>> {
  // Imported here: the scripts and jobs that share this file run without Next.
  const { headers } = await import("next/headers");
  const world = system();
  const owner = await owners.ownerOfCookies(world, (await headers()).get("cookie"));
  return { ...world, requestId: randomUUID(), actor: owner ?? nobody };
}

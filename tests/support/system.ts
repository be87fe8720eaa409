import { randomBytes } from "node:crypto";
import postgres from "postgres";
import type { HDAccount } from "viem/accounts";
import { type Address, toAddress } from "@/lib/core/address";
import { newId } from "@/lib/core/ids";
import { toUsdc } from "@/lib/core/money";
import { unixSeconds } from "@/lib/core/time";
import { readConfig } from "@/lib/platform/config";
import type { System } from "@/lib/platform/context";
import { openDatabase } from "@/lib/platform/db";
import { acquireLease, type Lease } from "@/lib/platform/lease";
import { createLog } from "@/lib/platform/log";
import { connectChain } from "@/lib/platform/nodes";
import { openHub } from "@/lib/platform/queue";
import { createVault } from "@/lib/platform/vault";
import { deepBlock } from "@/lib/settlements/jobs";
import { observe } from "@/lib/settlements/observer/observer";
import { endUnusable } from "@/lib/settlements/observer/voiding";
import { relay, relayerJob } from "@/lib/settlements/relayer/relayer";
import type { Claim } from "@/lib/settlements/service";
import { cursor } from "@/lib/settlements/store";
import { type Authorization, toWireAuthorization } from "@/lib/x402/authorization";
import { encodeHeader } from "@/lib/x402/header";
import { NETWORKS, type NetworkName } from "@/lib/x402/networks";
import { signAuthorization } from "@/lib/x402/signature";
import { privateKeyOf } from "./accounts";
import { minePending } from "./blocks";

/** The service without HTTP and without background jobs: a test runs each round itself. */
export function openSystem(overrides: Partial<System> = {}, env: Record<string, string> = {}) {
  const config = readConfig({ ...process.env, ...env });
  const database = openDatabase(config.databaseUrl, 10, config);
  const log = createLog(config.logLevel);
  const system: System = {
    config,
    db: database.db,
    readOld: (query) => query(database.db),
    chains: {
      base: connectChain(NETWORKS.base, config.rpcUrls.base, log),
      "base-sepolia": connectChain(NETWORKS["base-sepolia"], config.rpcUrls["base-sepolia"], log),
    },
    vault: createVault(config.masterKeys),
    hub: openHub(config.directUrl),
    log,
    now: () => new Date(),
    subscribers: [],
    ...overrides,
  };
  /** For reading rows directly, without the stores. */
  const sql = postgres(config.directUrl, { max: 2, onnotice: () => {} });
  const close = async () => {
    await system.hub.close();
    await Promise.all([database.close(), sql.end({ timeout: 5 })]);
  };
  return { system, sql, close };
}

/** The lease `name`, once a previous holder's lease has expired. */
export async function leaseFor(system: System, name: string, holder = "test"): Promise<Lease> {
  for (let tries = 0; tries < 400; tries++) {
    const lease = await acquireLease(system.db, name, holder, 3600);
    if (lease) return lease;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`${name} was not released`);
}

/** Runs relayer and observer of Base round by round, and mines sent transactions unless automine is off. */
export async function cranks(system: System, network: NetworkName = "base", keyIndex = 0) {
  const key = system.config.relayerKeys[keyIndex] ?? system.config.relayerKeys[0];
  const relayLease = await leaseFor(system, `relayer:${network}:${keyIndex}`);
  const observeLease = await leaseFor(system, `observer:${network}`);
  const relayOnce = async () => {
    const pace = await relay({ ...relayerJob(system, network, key), lease: relayLease });
    await minePending();
    return pace;
  };
  const observeAll = async () => {
    while ((await observe(system, network, observeLease)).hasMore);
    const read = await cursor(system.db, network);
    const deep = read && (await deepBlock(system, read));
    if (deep) await endUnusable(system, network, observeLease, deep);
  };
  return {
    relay: relayOnce,
    observe: observeAll,
    /** Rounds of both until no settlement is open, at most `rounds`. */
    drain: async (rounds = 40) => {
      for (let round = 0; round < rounds; round++) {
        const pace = await relayOnce();
        await observeAll();
        if (pace === "idle") return;
        await new Promise((resolve) => setTimeout(resolve, 25));
      }
    },
  };
}

export const randomNonce = () => `0x${randomBytes(32).toString("hex")}` as const;

/** A claim for `atomic` from `payer` to `payee`, signed by the payer and valid for `windowSeconds` of wall-clock time. */
export function claimFrom(
  payer: HDAccount,
  payee: string,
  atomic: bigint,
  change: Partial<Authorization> & { network?: NetworkName; windowSeconds?: number } = {},
): Claim {
  const { network = "base", windowSeconds = 600, ...fields } = change;
  const now = unixSeconds(new Date());
  const authorization: Authorization = {
    from: toAddress(payer.address),
    to: toAddress(payee),
    value: toUsdc(atomic),
    validAfter: BigInt(now - 600),
    validBefore: BigInt(now + windowSeconds),
    nonce: randomNonce(),
    ...fields,
  };
  const signature = signAuthorization(network, authorization, privateKeyOf(payer));
  const rest = {
    // Not a sale of an agent, unless the test sets one.
    purpose: "deposit" as const,
    subject: newId("owner"),
    resource: "http://localhost:3000/x",
    description: "",
  };
  return { network, authorization, signature, ...rest };
}

/** A claim's proof as an x402 v1 `X-Payment` value. */
export const xPaymentOf = ({ network, authorization, signature }: Claim) => ({
  x402Version: 1,
  scheme: "exact",
  network,
  payload: { signature, authorization: toWireAuthorization(authorization) },
});

/** The header that presents a claim's proof. */
export const paying = (claim: Claim) => ({ "x-payment": encodeHeader(xPaymentOf(claim)) });

export const freshAddress = (): Address => toAddress(`0x${randomBytes(20).toString("hex")}`);

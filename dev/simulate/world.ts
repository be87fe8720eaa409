import { mkdirSync } from "node:fs";
import { join } from "node:path";
import postgres from "postgres";
import { privateKeyToAddress } from "viem/accounts";
import { toAddress } from "@/lib/core/address";
import type { Chain } from "@/lib/platform/chain";
import { openDatabase } from "@/lib/platform/db";
import { createLog } from "@/lib/platform/log";
import { connectChain } from "@/lib/platform/nodes";
import { NETWORK_NAMES, NETWORKS, type NetworkName } from "@/lib/x402/networks";
import { violations } from "@/ops/invariants";
import { openApi } from "../actors/api";
import { LOOSE_LIMITS } from "../limits";
import { startChain } from "../local/chains";
import { freePort } from "../local/ports";
import { ruleChain, type SimulatedChain } from "./chain";
import { startFront } from "./front";
import { type Node, startNode } from "./node";
import { openSeat } from "./servers";
import { startUpstream } from "./upstream";
import { WALLET_FACTORY } from "./wallet-factory";

/** CONFIRMATIONS of the servers. The simulation replaces fewer blocks than this. */
export const CONFIRMATIONS = 3;
const SERVERS = 2;
/** Limit of the lag, in seconds, of a chain without sales. */
const IDLE_SECONDS = 15;
/** Limit of the difference between the clocks of chains and servers; the service tolerates 30 seconds. */
export const SKEW_SECONDS_MAX = 15;

// Two relayer keys, so that relayers compete.
const RELAYER_KEYS = [`0x${"a1".repeat(32)}`, `0x${"b2".repeat(32)}`] as const;

export type WorldOptions = {
  /** An empty, migrated database to copy. */
  templateUrl: string;
  /** Directory of the build. */
  directory: string;
  dataDir: string;
  name: string;
  /** Additional environment variables of the servers. */
  env?: Record<string, string>;
};
export type World = Awaited<ReturnType<typeof openWorld>>;

/** Two server processes with one database and two chains, faulty nodes in between, and one public address. */
export async function openWorld({ templateUrl, directory, dataDir, name, env = {} }: WorldOptions) {
  mkdirSync(dataDir, { recursive: true });
  const undo: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const step of undo.reverse()) await step();
  };
  try {
    return { ...(await open()), close };
  } catch (error) {
    await close();
    throw error;
  }

  async function open() {
    const databaseUrl = await copyOf(templateUrl, name);
    const sql = postgres(databaseUrl, { max: 3, onnotice: () => {}, connection: { application_name: "simulation" } });
    undo.push(
      () => sql.end({ timeout: 5 }),
      () => dropDatabase(templateUrl, name),
    );
    const relayers = RELAYER_KEYS.map((key) => toAddress(privateKeyToAddress(key)));

    // Wakes each job right after a block, instead of polling fast. The job would have run a little later anyway.
    const wake = (network: NetworkName) =>
      sql`select pg_notify('relayer_sent', ${network}), pg_notify('settlement_claimed', ${network})`;
    const rules = {} as Record<NetworkName, SimulatedChain>;
    const nodes = {} as Record<NetworkName, Node>;
    const direct = {} as Record<NetworkName, string>;
    for (const network of NETWORK_NAMES) {
      const anvil = await startChain({ network, port: await freePort(), mining: "instant", fund: relayers });
      undo.push(() => anvil.stop());
      direct[network] = anvil.rpcUrl;
      const own = ruleChain(network, anvil.rpcUrl, () => wake(network));
      rules[network] = own;
      const submit = async (data: `0x${string}`) => void (await own.submitCall(data).catch(() => undefined));
      nodes[network] = await startNode(anvil.rpcUrl, submit);
      undo.push(nodes[network].stop);
    }
    const chain = rules.base;
    const side = rules["base-sepolia"];
    await Promise.all([chain.prepare(), side.prepare()]);

    let aheadMs = 0;
    /** Offset between the clocks of chains and servers. */
    let skewMs = 0;
    let isSideInPlay = false;
    const tickAll = () => Promise.all(seats.map((seat) => seat.tick(aheadMs)));
    const seats: Awaited<ReturnType<typeof openSeat>>[] = [];
    const front = await startFront(() => seats.filter((seat) => seat.isReady()).map(({ port }) => port));
    undo.push(front.stop);
    const upstream = await startUpstream(() => Date.now() + aheadMs);
    undo.push(upstream.stop);
    const settings = {
      MODE: "devnet",
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl,
      DATABASE_POOL: "10",
      PUBLIC_BASE_URL: front.url,
      NEXTAUTH_URL: front.url,
      NEXTAUTH_SECRET: "a secret that only the simulation uses",
      MASTER_KEY: "11".repeat(32),
      RELAYER_KEYS: RELAYER_KEYS.join(","),
      BASE_RPC_URL: nodes.base.url,
      BASE_SEPOLIA_RPC_URL: nodes["base-sepolia"].url,
      CONFIRMATIONS: String(CONFIRMATIONS),
      LEASE_SECONDS: "4",
      STUCK_SECONDS: "1",
      // Above the highest base fee in the simulation.
      BASE_FEE_CAP: "1000/10",
      BASE_SEPOLIA_FEE_CAP: "1000/10",
      POLL_MILLISECONDS: "1000",
      SETTLE_WAIT_SECONDS: "1",
      WALLET_FACTORIES: WALLET_FACTORY,
      JWT_EXPIRES_IN: "7d",
      LOG_LEVEL: "warn",
      // A restarted server loads only the requested routes.
      PRELOAD_ROUTES: "off",
      ...LOOSE_LIMITS,
      ...env,
    };
    const logFile = join(dataDir, "servers.log");
    for (let index = 0; index < SERVERS; index++) {
      const seat = await openSeat({ directory, env: settings, aheadMs: () => aheadMs, logFile });
      undo.push(seat.close);
      seats.push(seat);
    }
    await Promise.all(seats.map((seat) => seat.start()));

    const database = openDatabase(databaseUrl, 4);
    undo.push(database.close);
    const log = createLog("error");
    const judged = {
      db: database.db,
      chains: {
        base: remembering(connectChain(NETWORKS.base, [direct.base], log)),
        "base-sepolia": remembering(connectChain(NETWORKS["base-sepolia"], [direct["base-sepolia"]], log)),
      },
    };

    const chains = () => (isSideInPlay ? [chain, side] : [chain]);
    const wakeAll = () => Promise.all(chains().map(({ network }) => wake(network)));
    /** The time that the chains' clocks should show, in seconds. */
    const clock = () => Math.floor((Date.now() + aheadMs + skewMs) / 1000);
    const pass = async (seconds: number) => {
      if (seconds > 0) await chain.pass(seconds, clock());
      const chainMs = (await chain.time()) * 1000;
      // Blocks faster than one per second advance the time by themselves.
      aheadMs = Math.max(aheadMs + seconds * 1000, chainMs - skewMs - Date.now());
      const time = clock();
      if (time - (await side.time()) > (isSideInPlay ? 0 : IDLE_SECONDS)) await side.passTo(time);
      await tickAll();
      if (seconds > 0) await wakeAll();
    };

    return {
      baseUrl: front.url,
      api: openApi(front.url),
      sql,
      relayers,
      chain,
      on: (network: NetworkName) => rules[network],
      nodes: Object.values(nodes),
      /** The API whose calls sellers sell. */
      upstream,
      servers: seats,
      logFile,
      /** The servers' time, in milliseconds. */
      now: () => Date.now() + aheadMs,
      /** Advances the clocks of the chains and then of the servers. They never go back. */
      pass,
      /** Sets the chains' clocks ahead of the servers', or behind if negative. */
      skew: async (seconds: number) => {
        const wantedMs = Math.max(-SKEW_SECONDS_MAX, Math.min(SKEW_SECONDS_MAX, seconds)) * 1000;
        const [byMs, before] = [wantedMs - skewMs, clock()];
        skewMs = wantedMs;
        if (byMs > 0) await Promise.all(chains().map((each) => each.pass(byMs / 1000, before)));
        else aheadMs -= byMs;
        await tickAll();
        await wakeAll();
      },
      heal: async () => {
        for (const node of Object.values(nodes)) node.heal();
        const [behind, before] = [Math.max(0, -skewMs / 1000), clock()];
        skewMs = 0;
        await Promise.all(chains().map((each) => each.pass(behind, before)));
        await pass(0);
      },
      mineAll: (blocks = 1) => Promise.all(chains().map((each) => each.mine(blocks))),
      /** Whether the second chain has sales from now on. */
      openSide: async (isOpen: boolean) => {
        isSideInPlay = isOpen;
        await pass(0);
      },
      /** The chains with sales. */
      chains,
      /** Cuts the servers' database connections; returns their number. */
      cutConnections: async (): Promise<number> => {
        const cut = await sql`select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid() and application_name <> 'simulation'`;
        return cut.length;
      },
      // `violations` uses only these two members of a system.
      invariants: () => violations(judged as Parameters<typeof violations>[0]),
    };
  }
}

/** Caches the receipts of judged transfers: later seeds do not replace their blocks. */
function remembering(chain: Chain): Chain {
  const known = new Map<string, ReturnType<Chain["receipt"]>>();
  const receipt: Chain["receipt"] = (hash) => {
    const match = known.get(hash) ?? chain.receipt(hash);
    known.set(hash, match);
    return match;
  };
  return { ...chain, receipt };
}

async function asAdmin(templateUrl: string, work: (sql: postgres.Sql, template: string) => Promise<unknown>) {
  const url = new URL(templateUrl);
  const template = url.pathname.slice(1);
  url.pathname = "/postgres";
  const sql = postgres(url.href, { max: 1, onnotice: () => {} });
  try {
    await work(sql, template);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

async function copyOf(templateUrl: string, name: string): Promise<string> {
  await asAdmin(templateUrl, (sql, template) => sql`create database ${sql(name)} template ${sql(template)}`);
  const url = new URL(templateUrl);
  url.pathname = `/${name}`;
  return url.href;
}

const dropDatabase = (templateUrl: string, name: string) =>
  asAdmin(templateUrl, (sql) => sql`drop database if exists ${sql(name)} with (force)`);

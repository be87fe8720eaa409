import { mkdirSync } from "node:fs";
import { join } from "node:path";
import postgres from "postgres";
import { privateKeyToAddress } from "viem/accounts";
import { toAddress } from "@/lib/core/address";
import { openDatabase } from "@/lib/platform/db";
import { makeLog } from "@/lib/platform/log";
import { connectChain } from "@/lib/platform/nodes";
import { NETWORK_NAMES, NETWORKS, type NetworkName } from "@/lib/x402/networks";
import { openApi } from "../actors";
import { startChain } from "../chains";
import { violations } from "../invariants";
import { LOOSE_LIMITS } from "../limits";
import { freePort } from "../ports";
import { ruleChain } from "./chain";
import { startFront } from "./front";
import { type Node, startNode } from "./node";
import { openSeat } from "./servers";

/** Blocks that have to be on top of one before what it shows is an end; the simulation replaces fewer. */
export const CONFIRMATIONS = 3;
const SERVERS = 2;

// Keys that nobody else uses: two relayers, so that they meet.
const RELAYER_KEYS = [`0x${"a1".repeat(32)}`, `0x${"b2".repeat(32)}`] as const;

export type WorldOptions = {
  /** An empty, migrated database is copied from here. */
  templateUrl: string;
  /** Where the build is. */
  directory: string;
  dataDir: string;
  name: string;
  /** Further variables of the servers. */
  env?: Record<string, string>;
};
export type World = Awaited<ReturnType<typeof openWorld>>;

/** Two server processes on one database and two chains, with a misbehaving node between, and one address in front. */
export async function openWorld({ templateUrl, directory, dataDir, name, env = {} }: WorldOptions) {
  mkdirSync(dataDir, { recursive: true });
  const undo: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const step of undo.reverse()) await step();
  };
  try {
    return { ...(await open()), close };
  } catch (thrown) {
    await close();
    throw thrown;
  }

  async function open() {
    const databaseUrl = await copyOf(templateUrl, name);
    const sql = postgres(databaseUrl, { max: 3, onnotice: () => {}, connection: { application_name: "simulation" } });
    undo.push(
      () => sql.end({ timeout: 5 }),
      () => dropDatabase(templateUrl, name),
    );
    const relayers = RELAYER_KEYS.map((key) => toAddress(privateKeyToAddress(key)));

    const nodes = {} as Record<NetworkName, Node>;
    const direct = {} as Record<NetworkName, string>;
    for (const network of NETWORK_NAMES) {
      const anvil = await startChain({ network, port: await freePort(), mining: "instant", fund: relayers });
      undo.push(() => anvil.stop());
      direct[network] = anvil.rpcUrl;
      const own = ruleChain(network, anvil.rpcUrl);
      const submit = async (data: `0x${string}`) => void (await own.submitCall(data).catch(() => undefined));
      nodes[network] = await startNode(anvil.rpcUrl, submit);
      undo.push(nodes[network].stop);
    }
    const chain = ruleChain("base", direct.base);
    const side = ruleChain("base-sepolia", direct["base-sepolia"]);
    await Promise.all([chain.prepare(), side.prepare()]);

    let aheadMs = 0;
    const seats: Awaited<ReturnType<typeof openSeat>>[] = [];
    const front = await startFront(() => seats.filter((seat) => seat.isReady()).map(({ port }) => port));
    undo.push(front.stop);
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
      LEASE_SECONDS: "1",
      STUCK_SECONDS: "1",
      POLL_MILLISECONDS: "50",
      SETTLE_WAIT_SECONDS: "1",
      JWT_EXPIRES_IN: "7d",
      LOG_LEVEL: "warn",
      ...LOOSE_LIMITS,
      ...env,
    };
    const logFile = join(dataDir, "servers.log");
    for (let at = 0; at < SERVERS; at++) {
      const seat = await openSeat({ directory, env: settings, aheadMs: () => aheadMs, logFile });
      undo.push(seat.close);
      seats.push(seat);
    }
    await Promise.all(seats.map((seat) => seat.start()));

    const database = openDatabase(databaseUrl, 4);
    undo.push(database.close);
    const log = makeLog("error");
    const judged = {
      db: database.db,
      chains: {
        base: connectChain(NETWORKS.base, [direct.base], log),
        "base-sepolia": connectChain(NETWORKS["base-sepolia"], [direct["base-sepolia"]], log),
      },
    };

    return {
      baseUrl: front.url,
      api: openApi(front.url),
      sql,
      relayers,
      chain,
      node: nodes.base,
      servers: seats,
      logFile,
      /** What the servers take for the time, in milliseconds. */
      now: () => Date.now() + aheadMs,
      /** Moves the chains and then the servers' clocks on; they never go back. */
      pass: async (seconds: number) => {
        if (seconds > 0) {
          await Promise.all([chain.pass(seconds), side.pass(seconds)]);
          await Promise.all([chain.mine(1), side.mine(1)]);
        }
        const chainMs = (await chain.time()) * 1000;
        // Blocks that follow faster than seconds carry their time on by themselves.
        aheadMs = Math.max(aheadMs + seconds * 1000, chainMs - Date.now());
        await Promise.all(seats.map((seat) => seat.tick(aheadMs)));
      },
      heal: () => {
        for (const node of Object.values(nodes)) node.heal();
      },
      mineAll: () => Promise.all([chain.mine(1), side.mine(1)]),
      /** Cuts the servers' connections to the database; returns how many. */
      cutConnections: async (): Promise<number> => {
        const cut = await sql`select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid() and application_name <> 'simulation'`;
        return cut.length;
      },
      // Only these two of a system are asked.
      invariants: () => violations(judged as Parameters<typeof violations>[0]),
    };
  }
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

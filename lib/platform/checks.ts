import { setTimeout as sleep } from "node:timers/promises";
import journal from "@/drizzle/meta/_journal.json";
import { NETWORK_NAMES, NETWORKS, type NetworkName } from "@/lib/x402/networks";
import { ChainUnavailable } from "./chain";
import type { Config } from "./config";
import type { System } from "./context";
import { JOB_CONNECTIONS_MAX } from "./db";
import { BLOCK_SECONDS } from "./heads";
import { connectNode, type Node } from "./node";

/** `fail` stops the service from starting. `warn` does not: the cause may resolve itself, or cannot be judged from here. */
export type CheckStatus = "ok" | "warn" | "fail";

export type CheckResult = {
  status: CheckStatus;
  /** The finding, in one line. */
  detail: string;
  /** How to fix it, in one line; empty when nothing is to be done. */
  remedy: string;
};

/** A check of the configuration that needs the database or a node. */
export type Check = {
  name: string;
  /** The variable to correct when this fails, as in .env.example; null when there is none. */
  variable: string | null;
  /** Takes up to about 20 s. May throw: `runChecks` reports that as a warning. */
  run: (system: System) => Promise<CheckResult>;
};

export type CheckReport = CheckResult & Pick<Check, "name" | "variable">;

export const ok = (detail: string): CheckResult => ({ status: "ok", detail, remedy: "" });
export const warn = (detail: string, remedy: string): CheckResult => ({ status: "warn", detail, remedy });
export const fail = (detail: string, remedy: string): CheckResult => ({ status: "fail", detail, remedy });

/**
 * Runs all `checks` concurrently and reports them in order. Never throws. A check that throws counts as a warning: a
 * database or node that is temporarily down must not keep a replica from restarting.
 */
export function runChecks(system: System, checks: readonly Check[]): Promise<CheckReport[]> {
  return Promise.all(
    checks.map(async ({ name, variable, run }) => {
      const result = await run(system).catch((error: unknown) =>
        warn(
          `could not be checked: ${error instanceof Error ? error.message : error}`,
          "Check it again when it responds",
        ),
      );
      return { name, variable, ...result };
    }),
  );
}

/** A report as one line: variable, finding, remedy. */
export function lineOf({ name, variable, status, detail, remedy }: CheckReport): string {
  const about = variable ? `${variable} (${name})` : name;
  return [`${status}: ${about}: ${detail}`, remedy].filter(Boolean).join(". ");
}

const MIGRATE = "Run `npm run db:migrate` with this version";

/** The migrations of this build, by creation time: the database stores only that. */
const KNOWN: ReadonlySet<number> = new Set(journal.entries.map(({ when }) => when));

/**
 * Whether the database has exactly the migrations of this build. If one is missing, queries fail. If it has newer ones,
 * this build could write rows that the newer version does not expect.
 */
export const databaseCheck: Check = {
  name: "migrations",
  variable: "DATABASE_URL",
  run: async ({ db }) => {
    const { rows: serverRows } = await db.$client.query<{ version: string; isBegun: boolean }>(
      `select current_setting('server_version') as version, to_regclass('drizzle.__drizzle_migrations') is not null as "isBegun"`,
    );
    if (!serverRows[0]?.isBegun) return fail("the database has never been migrated", MIGRATE);
    const { rows } = await db.$client.query<{ createdAt: string }>(
      `select created_at as "createdAt" from drizzle.__drizzle_migrations`,
    );
    const appliedMigrations = new Set(rows.map(({ createdAt }) => Number(createdAt)));
    const missing = [...KNOWN].filter((index) => !appliedMigrations.has(index)).length;
    const newer = [...appliedMigrations].filter((index) => !KNOWN.has(index)).length;
    if (newer > 0) {
      return fail(
        `a newer version has migrated this database (${plural(newer)} that this one does not know)`,
        "Start that version, or restore a backup from before it ran `npm run db:migrate`",
      );
    }
    if (missing > 0) return fail(`the database lacks ${plural(missing)}`, MIGRATE);
    return ok(`PostgreSQL ${serverRows[0].version}, ${plural(appliedMigrations.size)}`);
  },
};

/** Whether the server has room for the connections of `npm start`. It cannot count the connections of other machines. */
export const connectionCheck: Check = {
  name: "connections",
  variable: "DATABASE_POOL",
  run: async ({ db, config: { processes, databasePool, isPooled } }) => {
    const { rows } = await db.$client.query<{ max: number }>(
      `select (current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int) as max`,
    );
    const max = rows[0]?.max ?? 0;
    // Each process has one connection for LISTEN. A pooler has its own limit.
    const requiredConnections = processes * (isPooled ? 1 : databasePool + JOB_CONNECTIONS_MAX + 1);
    const detail = `${processes} process${processes === 1 ? "" : "es"} may open ${requiredConnections} connections, the server has ${max}`;
    return requiredConnections <= max
      ? ok(detail)
      : warn(detail, "Reduce it, raise max_connections, or use a pooler (docs/scaling.md)");
  },
};

const plural = (count: number) => `${count} migration${count === 1 ? "" : "s"}`;

type NamedNode = { node: Node; host: string; url: string };

/** The worst result among the nodes of a network. */
async function checkNodes(
  config: Config,
  network: NetworkName,
  check: (named: NamedNode) => Promise<CheckResult>,
): Promise<CheckResult> {
  const results = await Promise.all(
    config.rpcUrls[network].map((url) => {
      // A URL may contain an API key.
      const host = new URL(url).host;
      return check({ node: connectNode(NETWORKS[network], url), host, url }).catch((error: unknown) => {
        if (!(error instanceof ChainUnavailable)) throw error;
        return warn(`${host} does not respond`, "Nothing is settled on that network until one of its nodes responds");
      });
    }),
  );
  const worst = (["fail", "warn", "ok"] as const).find((status) => results.some((result) => result.status === status));
  const worstResults = results.filter((result) => result.status === worst);
  const remedies = new Set(worstResults.map(({ remedy }) => remedy));
  return {
    status: worst ?? "ok",
    detail: worstResults.map(({ detail }) => detail).join("; "),
    remedy: [...remedies].filter(Boolean).join(". "),
  };
}

const chainIdCheck = (network: NetworkName): Check => ({
  name: `chain id of ${network}`,
  variable: NETWORKS[network].variables.rpcUrl,
  run: ({ config }) =>
    checkNodes(config, network, async ({ node, host }) => {
      const [chainId, expected] = [await node.chainId(), NETWORKS[network].chainId];
      return chainId === expected
        ? ok(`${host} is a node of chain ${expected}`)
        : fail(
            `${host} is a node of chain ${chainId}, not of ${NETWORKS[network].label} (${expected})`,
            `Set it to a node of ${NETWORKS[network].label}`,
          );
    }),
});

const tokenCheck = (network: NetworkName): Check => ({
  name: `USDC on ${network}`,
  variable: NETWORKS[network].variables.rpcUrl,
  run: ({ config }) =>
    checkNodes(config, network, async ({ node, host }) => {
      const { usdc, tokenName, tokenVersion, label } = NETWORKS[network];
      const token = await node.token();
      if (token?.name === tokenName && token.version === tokenVersion)
        return ok(`${host} has "${tokenName}" at ${usdc}`);
      const actualToken = token ? `"${token.name}" version ${token.version}` : "no token";
      return fail(
        `${host} has ${actualToken} at ${usdc}, not "${tokenName}" version ${tokenVersion}`,
        `Set it to a node of ${label} itself, or start the local chains with \`npm run up\``,
      );
    }),
});

const LOCAL_CLIENT = /anvil|hardhat/i;
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * A devnet generates its secrets and gives away test money, so it must not run on a network of value. A node counts as
 * local when it reports anvil or hardhat as its client, whatever its address. A node that does not report a client counts
 * as local on a loopback address only. A loopback address alone proves nothing: a Base node may run on this machine.
 */
const modeCheck = (network: NetworkName): Check => ({
  name: `mode and nodes of ${network}`,
  variable: "MODE",
  run: ({ config }) =>
    checkNodes(config, network, async ({ node, host, url }) => {
      const version = await node.clientVersion();
      const isLocal = version === null ? LOOPBACK.test(new URL(url).hostname) : LOCAL_CLIENT.test(version);
      if (config.mode === "devnet" && !isLocal) {
        return fail(
          `it is devnet, or not set, and ${host} (${version ?? "client unknown"}) is not a local test node`,
          `Set MODE=production, or set ${NETWORKS[network].variables.rpcUrl} to an anvil or hardhat node`,
        );
      }
      if (config.mode === "production" && version !== null && isLocal) {
        return warn(`it is production, and ${host} (${version}) is a test node`, "Its tokens have no value");
      }
      return ok(`${config.mode} with ${host} (${version ?? "no client version"})`);
    }),
});

const CLOCK_SECONDS_MAX = 30;
/** How long to wait for a new block, to distinguish a live chain from a stopped chain or a node that is behind. */
const NEXT_BLOCK_MS = 3 * BLOCK_SECONDS * 1000;
const LOOK_MS = 500;

/**
 * How many seconds a live chain is ahead of this machine's clock; null when that cannot be determined. An old newest block
 * may belong to a stopped chain or to a node that is still syncing. The chain is live only if a new block arrives within
 * seconds and its time advanced by about the elapsed time.
 */
async function aheadOfClock(system: System, network: NetworkName): Promise<number | null> {
  const chain = system.chains[network];
  const first = await chain.head();
  const ahead = secondsBetween(system.now(), first.time);
  if (Math.abs(ahead) <= CLOCK_SECONDS_MAX) return ahead;
  const began = performance.now();
  while (performance.now() - began < NEXT_BLOCK_MS) {
    await sleep(LOOK_MS);
    const next = await chain.head();
    if (next.number <= first.number) continue;
    const elapsed = (performance.now() - began) / 1000;
    // The first block may already be one block interval old.
    const isNow = secondsBetween(first.time, next.time) <= elapsed + 2 * BLOCK_SECONDS;
    return isNow ? secondsBetween(system.now(), next.time) : null;
  }
  return null;
}

const secondsBetween = (from: Date, to: Date) => Math.round((to.getTime() - from.getTime()) / 1000);

/**
 * Authorizations are created by this machine's clock and checked by the chain's. If the two chains disagree, neither proves this clock
 * wrong.
 */
export const clockCheck: Check = {
  name: "clock",
  variable: null,
  run: async (system) => {
    if (system.config.mode === "devnet") return ok("not compared with a local chain: tests stop or change its time");
    const offsets = await Promise.all(
      NETWORK_NAMES.map((network) =>
        aheadOfClock(system, network).catch((error: unknown) => {
          if (error instanceof ChainUnavailable) return null;
          throw error;
        }),
      ),
    );
    const knownOffsets = offsets.filter((seconds) => seconds !== null);
    const wrong = knownOffsets.filter((seconds) => Math.abs(seconds) > CLOCK_SECONDS_MAX);
    const remedy = "Set this machine's clock, by NTP for example";
    if (knownOffsets.length === 0) return ok("no chain produced a new block to compare it with");
    if (wrong.length === 0) return ok(`within ${CLOCK_SECONDS_MAX} s of the newest blocks`);
    const [least, most] = [Math.min(...knownOffsets), Math.max(...knownOffsets)];
    const detail = `this machine's clock is ${Math.abs(least)} s ${least > 0 ? "behind" : "ahead of"} the newest blocks`;
    if (most - least > CLOCK_SECONDS_MAX) return warn(`the chains' times differ by ${most - least} s`, remedy);
    return fail(detail, remedy);
  },
};

/** Checks of the configuration that need the nodes. */
export const CHAIN_CHECKS: readonly Check[] = [
  ...NETWORK_NAMES.map(chainIdCheck),
  ...NETWORK_NAMES.map(tokenCheck),
  ...NETWORK_NAMES.map(modeCheck),
  clockCheck,
];

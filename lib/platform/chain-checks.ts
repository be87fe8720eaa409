import { setTimeout as sleep } from "node:timers/promises";
import { NETWORK_NAMES, NETWORKS, type NetworkName } from "@/lib/x402/networks";
import { ChainUnavailable } from "./chain";
import { type Check, type CheckResult, fail, ok, warn } from "./checks";
import type { Config } from "./config";
import type { System } from "./context";
import { BLOCK_SECONDS } from "./heads";
import { connectNode, type Node } from "./node";

type Named = { node: Node; host: string; url: string };

const nodesOf = (config: Config, network: NetworkName): Named[] =>
  config.rpcUrls[network].map((url) => ({
    node: connectNode(NETWORKS[network], url),
    // A URL may contain an API key.
    host: new URL(url).host,
    url,
  }));

/** The worst result among the nodes of a network. */
async function atEach(nodes: Named[], check: (named: Named) => Promise<CheckResult>): Promise<CheckResult> {
  const results = await Promise.all(
    nodes.map((named) =>
      check(named).catch((error: unknown) => {
        if (!(error instanceof ChainUnavailable)) throw error;
        return warn(
          `${named.host} does not respond`,
          "Nothing is settled on that network until one of its nodes responds",
        );
      }),
    ),
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
    atEach(nodesOf(config, network), async ({ node, host }) => {
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
    atEach(nodesOf(config, network), async ({ node, host }) => {
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
    atEach(nodesOf(config, network), async ({ node, host, url }) => {
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

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import postgres from "postgres";
import { type Address, createTestClient, type Hex, http, parseAbi, publicActions, walletActions } from "viem";
import { inject } from "vitest";
import { type LocalChain, startChain } from "@/lib/dev/chains";
import { LOOSE_LIMITS } from "@/lib/dev/limits";
import { freePort } from "@/lib/dev/ports";
import { NETWORKS, type NetworkName } from "@/lib/x402/networks";
import { accounts, privateKeyOf, relayers } from "./accounts";

export type WorldOptions = {
  networks?: NetworkName[];
  /** Blocks come with the clock instead of with each transaction. */
  blockTimeSeconds?: number;
  relayerCount?: number;
};
export type World = Awaited<ReturnType<typeof createWorld>>;

/**
 * A database and chains of one's own. Sets the environment that the service's configuration is read from:
 * create the world first, import the service after.
 */
export async function createWorld({ networks = ["base"], blockTimeSeconds, relayerCount = 1 }: WorldOptions = {}) {
  const run = inject("run");
  const dataDir = mkdtempSync(join(run.dir, "data-"));
  const databaseUrl = await copyDatabase(run.templateUrl);
  const chains = new Map<NetworkName, { chain: LocalChain; client: Client }>();
  for (const network of networks) {
    const chain = await startChain({
      network,
      port: await freePort(),
      loadState: run.chainStates[network],
      fund: [],
      ...(blockTimeSeconds ? { mining: "interval", blockTimeSeconds } : { mining: "instant" }),
    });
    writeFileSync(join(run.dir, `anvil-${chain.pid}.pid`), String(chain.pid));
    chains.set(network, { chain, client: connect(chain.rpcUrl) });
  }

  const clientOf = (network: NetworkName): Client => {
    const client = chains.get(network)?.client;
    if (!client) throw new Error(`this world has no ${network}: createWorld({ networks: [...] })`);
    return client;
  };
  const rpc = Object.fromEntries([...chains].map(([network, { chain }]) => [network, chain.rpcUrl]));

  Object.assign(process.env, {
    MODE: "devnet",
    PUBLIC_BASE_URL: "http://localhost:3000",
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    BASE_RPC_URL: rpc.base ?? NOBODY,
    BASE_SEPOLIA_RPC_URL: rpc["base-sepolia"] ?? NOBODY,
    RELAYER_KEYS: relayers.slice(0, relayerCount).map(privateKeyOf).join(","),
    MASTER_KEY: "11".repeat(32),
    NEXTAUTH_SECRET: "a secret that only tests use",
    NEXTAUTH_URL: "http://localhost:3000",
    LOG_LEVEL: process.env.LOG_LEVEL ?? "error",
    ...LOOSE_LIMITS,
  });

  return {
    databaseUrl,
    rpc: rpc as Partial<Record<NetworkName, string>>,
    accounts,
    relayers,
    /** For what has no method here. */
    client: (network: NetworkName = "base") => clientOf(network),

    /** Mints test dollars and returns once they are there, which takes a block. */
    async mint(to: Address, atomic: bigint, network: NetworkName = "base"): Promise<void> {
      const hash = await clientOf(network).writeContract({
        account: MINTER,
        chain: null,
        address: NETWORKS[network].usdc,
        abi: DOLLAR_ABI,
        functionName: "mint",
        args: [to, atomic],
      });
      await clientOf(network).waitForTransactionReceipt({ hash });
    },
    balanceOf: (owner: Address, network: NetworkName = "base") =>
      clientOf(network).readContract({
        address: NETWORKS[network].usdc,
        abi: DOLLAR_ABI,
        functionName: "balanceOf",
        args: [owner],
      }),
    ethBalanceOf: (owner: Address, network: NetworkName = "base") => clientOf(network).getBalance({ address: owner }),

    mine: (blocks = 1, secondsBetween = 0, network: NetworkName = "base") =>
      clientOf(network).mine({ blocks, interval: secondsBetween }),
    /** The time of the newest block. */
    chainTime: async (network: NetworkName = "base") =>
      new Date(Number((await clientOf(network).getBlock()).timestamp) * 1000),
    setNextBlockTimestamp: (time: Date, network: NetworkName = "base") =>
      clientOf(network).setNextBlockTimestamp({ timestamp: BigInt(Math.floor(time.getTime() / 1000)) }),
    /** Moves chain time on and mines the block that shows it. */
    async increaseTime(seconds: number, network: NetworkName = "base"): Promise<void> {
      await clientOf(network).increaseTime({ seconds });
      await clientOf(network).mine({ blocks: 1 });
    },

    snapshot: (network: NetworkName = "base") => clientOf(network).snapshot(),
    revert: (id: Hex, network: NetworkName = "base") => clientOf(network).revert({ id }),
    /** With automine off, transactions wait for `mine`. */
    setAutomine: (isOn: boolean, network: NetworkName = "base") => clientOf(network).setAutomine(isOn),
    /** Empties the pool, as a node does that was restarted or is overrun. */
    dropTransactions: (network: NetworkName = "base") =>
      clientOf(network).request<Raw<"anvil_dropAllTransactions", []>>({
        method: "anvil_dropAllTransactions",
        params: [],
      }),
    /** Replaces the newest blocks with as many empty ones: their transactions are gone, from the pool too. */
    reorg: (depth: number, network: NetworkName = "base") =>
      clientOf(network).request<Raw<"anvil_reorg", [number, []]>>({ method: "anvil_reorg", params: [depth, []] }),

    async stop(): Promise<void> {
      await Promise.all([...chains.values()].map(({ chain }) => chain.stop()));
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

type Client = ReturnType<typeof connect>;
type Raw<Method extends string, Parameters> = { Method: Method; Parameters: Parameters; ReturnType: null };

const connect = (rpcUrl: string) =>
  createTestClient({ mode: "anvil", transport: http(rpcUrl, { retryCount: 0 }), cacheTime: 0, pollingInterval: 20 })
    .extend(publicActions)
    .extend(walletActions);

const DOLLAR_ABI = parseAbi([
  "function mint(address to, uint256 amount) returns (bool)",
  "function balanceOf(address account) view returns (uint256)",
]);

// The tenth of anvil's accounts: tests may count on the nonces of the other nine.
const MINTER: Address = "0xa0Ee7A142d267C1f36714E4a8F75612F20a79720";

// The discard port: connecting is refused at once.
const NOBODY = "http://127.0.0.1:9";

async function copyDatabase(templateUrl: string): Promise<string> {
  const name = `world_${crypto.randomUUID().replaceAll("-", "")}`;
  const url = new URL(templateUrl);
  const template = url.pathname.slice(1);
  url.pathname = "/postgres";
  const sql = postgres(url.href, { max: 1 });
  await sql`CREATE DATABASE ${sql(name)} TEMPLATE ${sql(template)}`;
  await sql.end();
  url.pathname = `/${name}`;
  return url.href;
}

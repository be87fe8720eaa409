import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import {
  type Address,
  createTestClient,
  type Hex,
  http,
  type PublicActions,
  parseAbi,
  publicActions,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
  type Transport,
  walletActions,
} from "viem";
import { inject } from "vitest";
import { LOOSE_LIMITS } from "@/dev/limits";
import { type LocalChain, startChain } from "@/dev/local/chains";
import { freePort } from "@/dev/local/ports";
import { NETWORK_NAMES, NETWORKS, type NetworkName } from "@/lib/x402/networks";
import { accounts, privateKeyOf, relayers } from "./accounts";
import { BASE_URL } from "./base-url";
import { type Miner, sentTo, startMiner } from "./blocks";
import { type ChaosProxy, startChaosProxy } from "./chaos-proxy";
import { assertAllDeclared } from "./undeclared";
import { stopServer } from "./wiring";

export type WorldOptions = {
  /** Every world has both networks; the option documents which ones a test uses. */
  networks?: NetworkName[];
  /**
   * Block interval, two seconds by default. With 0 only the test mines blocks, for tests that count them. In both cases a
   * pending transaction is mined shortly after it was sent, until `setAutomine(false)`.
   */
  blockTimeSeconds?: number;
  relayerCount?: number;
  /** Blocks are mined only by the timer: no transaction triggers one, not even `mint`. */
  isMinedByClock?: boolean;
};
export type World = Awaited<ReturnType<typeof createWorld>>;

const BLOCK_SECONDS = 2;

/** Closes what files of this process left open for one another. */
let closeLast: (() => Promise<void>) | undefined;

/** `close` is called before the next world of this process is created. */
export function leaveOpen(close: () => Promise<void>): void {
  closeLast = close;
}

async function closeLeftOpen(): Promise<void> {
  const close = closeLast;
  closeLast = undefined;
  await close?.();
}

type LocalNode = { chain: LocalChain; client: Client; proxy: ChaosProxy; miner: Miner };

/**
 * A new database and new chains, and a proxy in front of each node that can be made to fail. Sets the environment from which
 * the service reads its configuration, so create the world before you call the service.
 */
export async function createWorld(options: WorldOptions = {}) {
  const { blockTimeSeconds = BLOCK_SECONDS, relayerCount = 1, isMinedByClock = false } = options;
  await closeLeftOpen();
  const run = inject("run");
  const dataDir = mkdtempSync(join(run.dir, "data-"));
  const startNode = async (network: NetworkName): Promise<LocalNode> => {
    const chain = await startChain({
      network,
      port: await freePort(),
      loadState: run.chainStates[network],
      fund: [],
      ...(blockTimeSeconds > 0 ? { mining: "interval", blockTimeSeconds } : { mining: "manual" }),
    });
    writeFileSync(join(run.dir, `anvil-${chain.pid}.pid`), String(chain.pid));
    const { rpcUrl } = chain;
    const miner = startMiner(rpcUrl);
    miner.hold(isMinedByClock);
    return { chain, client: connect(rpcUrl), proxy: await startChaosProxy(rpcUrl), miner };
  };
  const [databaseUrl, base, sepolia] = await Promise.all([
    copyDatabase(run.templateUrl),
    startNode("base"),
    startNode("base-sepolia"),
  ]);
  const nodes: Record<NetworkName, LocalNode> = { base, "base-sepolia": sepolia };

  const clientOf = (network: NetworkName): Client => nodes[network].client;
  const rpc = { base: base.chain.rpcUrl, "base-sepolia": sepolia.chain.rpcUrl };

  Object.assign(process.env, {
    MODE: "devnet",
    PUBLIC_BASE_URL: BASE_URL,
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    BASE_RPC_URL: base.proxy.url,
    BASE_SEPOLIA_RPC_URL: sepolia.proxy.url,
    RELAYER_KEYS: relayers.slice(0, relayerCount).map(privateKeyOf).join(","),
    MASTER_KEY: "11".repeat(32),
    NEXTAUTH_SECRET: "a secret that only tests use",
    NEXTAUTH_URL: BASE_URL,
    LOG_LEVEL: process.env.LOG_LEVEL ?? "error",
    ...LOOSE_LIMITS,
  });

  return {
    databaseUrl,
    /** The nodes themselves, without the proxies. */
    rpc,
    /** The proxies, which the service uses as its nodes. */
    node: (network: NetworkName = "base"): ChaosProxy => nodes[network].proxy,
    accounts,
    relayers,
    /** Clients for calls that have no method here. */
    client: (network: NetworkName = "base") => clientOf(network),

    /** Mints test USDC for each address. Resolves when the transactions are in a block. */
    async mint(to: Address | readonly Address[], atomic: bigint, network: NetworkName = "base"): Promise<void> {
      const hashes: Hex[] = [];
      for (const holder of [to].flat()) {
        // In sequence: anvil gives concurrent transactions the same nonce.
        const hash = await clientOf(network).writeContract({
          account: MINTER,
          chain: null,
          address: NETWORKS[network].usdc,
          abi: DOLLAR_ABI,
          functionName: "mint",
          args: [holder, atomic],
        });
        hashes.push(hash);
      }
      await nodes[network].miner.mineWaiting();
      await Promise.all(hashes.map((hash) => clientOf(network).waitForTransactionReceipt({ hash })));
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
    /** Sets the chain's clock, also back, and mines a block with that time. */
    async setTime(time: Date, network: NetworkName = "base"): Promise<void> {
      const seconds = Math.floor(time.getTime() / 1000);
      await clientOf(network).request({ method: "evm_setTime", params: [seconds] } as never);
      await clientOf(network).mine({ blocks: 1 });
    },
    /** Advances the chain's time and mines a block with it. */
    async increaseTime(seconds: number, network: NetworkName = "base"): Promise<void> {
      await clientOf(network).increaseTime({ seconds });
      await clientOf(network).mine({ blocks: 1 });
    },

    snapshot: (network: NetworkName = "base") => clientOf(network).snapshot(),
    revert: (id: Hex, network: NetworkName = "base") => clientOf(network).revert({ id }),
    /** With automine off, no block is mined until `mine`. */
    async setAutomine(isOn: boolean, network: NetworkName = "base"): Promise<void> {
      nodes[network].miner.hold(isMinedByClock || !isOn);
      await clientOf(network).setIntervalMining({ interval: isOn ? blockTimeSeconds : 0 });
      await nodes[network].miner.mineWaiting();
    },
    /** Drops all pending transactions, as a node does when it restarts or is overloaded. */
    dropTransactions: (network: NetworkName = "base") =>
      clientOf(network).request<Raw<"anvil_dropAllTransactions", []>>({
        method: "anvil_dropAllTransactions",
        params: [],
      }),
    /**
     * Replaces the newest blocks with as many empty ones. Their transactions are lost, also from the pool. On chains with a
     * block timer, empty blocks among them are replaced too and not counted.
     */
    async reorg(depth: number, network: NetworkName = "base"): Promise<void> {
      const client = clientOf(network);
      if (blockTimeSeconds > 0) await client.setIntervalMining({ interval: 0 });
      await client.request<Raw<"anvil_reorg", [number, []]>>({
        method: "anvil_reorg",
        params: [blockTimeSeconds > 0 ? await depthOf(client, depth) : depth, []],
      });
      if (!nodes[network].miner.isHeld()) await client.setIntervalMining({ interval: blockTimeSeconds });
    },

    async stop(): Promise<void> {
      await stopServer();
      for (const network of NETWORK_NAMES) nodes[network].miner.stop();
      await Promise.all(NETWORK_NAMES.map((network) => nodes[network].proxy.stop()));
      await Promise.all(NETWORK_NAMES.map((network) => nodes[network].chain.stop()));
      rmSync(dataDir, { recursive: true, force: true });
      assertAllDeclared();
    },
  };
}

type Client = ReturnType<typeof connect>;
type Raw<Method extends string, Parameters> = { Method: Method; Parameters: Parameters; ReturnType: null };

const connect = (rpcUrl: string) =>
  createTestClient({ mode: "anvil", transport: noticed(rpcUrl), cacheTime: 0, pollingInterval: 20 })
    .extend(publicActions)
    .extend(walletActions)
    .extend((client) => ({ waitForTransactionReceipt: ({ hash }: { hash: Hex }) => receiptOf(client, hash) }));

/** viem's own function polls only when a block arrives, and on some chains here none arrives. */
async function receiptOf(client: Pick<PublicActions, "getTransactionReceipt">, hash: Hex): Promise<TransactionReceipt> {
  for (;;) {
    const transactionReceipt = await client.getTransactionReceipt({ hash }).catch((error: unknown) => {
      if (error instanceof TransactionReceiptNotFoundError) return null;
      throw error;
    });
    if (transactionReceipt) return transactionReceipt;
    await sleep(RECEIPT_POLL_MS);
  }
}
const RECEIPT_POLL_MS = 20;

/** HTTP transport to a node that reports sent transactions to the miner (blocks.ts). */
const noticed = (rpcUrl: string): Transport => {
  const open = http(rpcUrl, { retryCount: 0 });
  return (options) => {
    const transport = open(options);
    const request: typeof transport.request = async (parameters) => {
      const answered = await transport.request(parameters);
      if (/^eth_send(?:Raw)?Transaction$/.test(parameters.method)) sentTo(rpcUrl);
      return answered as never;
    };
    return { ...transport, request };
  };
};

/** The number of newest blocks that contain `filled` blocks with a transaction. */
async function depthOf(client: Client, filled: number): Promise<number> {
  const { number: head } = await client.getBlock();
  for (let depth = 1, found = 0; ; depth++) {
    const { transactions } = await client.getBlock({ blockNumber: head - BigInt(depth - 1) });
    found += transactions.length > 0 ? 1 : 0;
    if (found === filled) return depth;
  }
}

const DOLLAR_ABI = parseAbi([
  "function mint(address to, uint256 amount) returns (bool)",
  "function balanceOf(address account) view returns (uint256)",
]);

// The tenth of anvil's accounts, so that it does not change the nonces of the other nine.
const MINTER: Address = "0xa0Ee7A142d267C1f36714E4a8F75612F20a79720";

/** A new database, copied from the migrated template. */
export async function copyDatabase(templateUrl: string): Promise<string> {
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

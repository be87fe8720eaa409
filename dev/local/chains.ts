import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { arch, platform } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { type Address, createTestClient, type Hex, http, parseEther, publicActions } from "viem";
import { SETTLER } from "@/lib/settlements/relayer/settler";
import settler from "@/lib/settlements/relayer/settler.json";
import { VAULT_CONTRACTS } from "@/lib/vaults/contracts";
import { MULTICALL3, NETWORKS, type NetworkName } from "@/lib/x402/networks";
import artifacts from "../token/artifacts.json";
import { end, endWithUs, isRunning, survivor } from "./processes";

/** When blocks are mined: per transaction, on a timer, both, or only on demand. */
export type Mining = "instant" | "interval" | "mixed" | "manual";
export type ChainOptions = {
  network: NetworkName;
  port: number;
  /** Keeps the chain between runs. Without it, the chain ends with its process. */
  stateFile?: string;
  /** The initial state if `stateFile` is absent. */
  loadState?: string;
  mining?: Mining;
  blockTimeSeconds?: number;
  /** Accounts that pay gas. They are topped up to 100 ETH when below 10. */
  fund: Address[];
};
export type LocalChain = { rpcUrl: string; pid: number; stop(): Promise<void> };

/**
 * Starts a local chain with the network's chain id, a mock token at USDC's address, and Multicall3, the settler and the vault
 * factory of each version at their addresses.
 */
export async function startChain(options: ChainOptions): Promise<LocalChain> {
  const { network, port, stateFile, loadState, fund } = options;
  if (stateFile) await retireSurvivor(stateFile);

  const anvil = spawn(binary(), flags(options), {
    stdio: ["ignore", "ignore", "pipe"],
    // A persistent chain gets its own process group, so that Ctrl-C reaches only this process, which saves the chain before ending
    // it.
    detached: stateFile !== undefined,
  });
  endWithUs(anvil, "SIGTERM");
  const client = connect(port);
  await answering(client, anvil);

  const saved = [stateFile, loadState].find((file) => file && existsSync(file));
  if (saved) await load(client, saved);
  await install(client, network, fund);

  const saving = stateFile ? keepSaved(client, anvil, urlOf(port), stateFile) : undefined;
  const pid = anvil.pid ?? 0;
  if (stateFile) writeFileSync(pidFileOf(stateFile), `${pid}\n${port}\n`);
  return {
    rpcUrl: urlOf(port),
    pid,
    stop: async () => {
      await saving?.stop();
      if (stateFile && isRunning(anvil)) await saveChain(urlOf(port), stateFile);
      if (isRunning(anvil)) await end(pid, "SIGTERM");
      if (stateFile) rmSync(pidFileOf(stateFile), { force: true });
    },
  };
}

/**
 * Writes the chain to a file: blocks, transactions, receipts, logs, code and storage. After loading, only the newest state can be
 * queried. anvil's --state writes in place: a kill during the write would lose everything.
 */
export async function saveChain(rpcUrl: string, stateFile: string): Promise<void> {
  const state = await clientOf(rpcUrl).dumpState();
  writeFileSync(`${stateFile}.new`, Buffer.from(state.slice(2), "hex"));
  renameSync(`${stateFile}.new`, stateFile);
}

type Client = ReturnType<typeof connect>;

const urlOf = (port: number) => `http://127.0.0.1:${port}`;

const pidFileOf = (stateFile: string) => `${stateFile}.pid`;

const connect = (port: number) => clientOf(urlOf(port));

// No size limit, because a chain of any length is saved in one response.
const clientOf = (rpcUrl: string) =>
  createTestClient({
    mode: "anvil",
    transport: http(rpcUrl, { retryCount: 0, timeout: 60_000, maxResponseBodySize: false }),
    cacheTime: 0,
  }).extend(publicActions);

/** The platform package's binary; its launcher does not forward SIGKILL. */
function binary(): string {
  const require = createRequire(createRequire(import.meta.url).resolve("@foundry-rs/anvil/package.json"));
  return require.resolve(`@foundry-rs/anvil-${platform()}-${arch() === "x64" ? "amd64" : arch()}/bin/anvil`);
}

function flags({ network, port, mining = "mixed", blockTimeSeconds = 5 }: ChainOptions): string[] {
  const blockTime = ["--block-time", String(blockTimeSeconds)];
  const pace = { instant: [], interval: blockTime, mixed: ["--mixed-mining", ...blockTime], manual: ["--no-mining"] };
  return [
    ...["--port", String(port), "--chain-id", String(NETWORKS[network].chainId)],
    // The hard fork that Base runs, with EIP-7702, regardless of anvil's default.
    ...["--hardfork", "prague"],
    ...pace[mining],
    // By default, anvil copies every block's state to ~/.foundry: gigabytes per day of empty blocks.
    ...["--prune-history", "64"],
    "--no-request-size-limit",
    "--quiet",
  ];
}

async function answering(client: Client, anvil: ChildProcess): Promise<void> {
  let complaint = "";
  anvil.stderr?.on("data", (chunk: Buffer) => {
    complaint = (complaint + chunk).slice(-4_000);
  });
  anvil.once("error", (cause) => {
    complaint = cause.message;
  });
  for (;;) {
    if (anvil.pid === undefined || !isRunning(anvil)) throw new Error(`anvil did not start: ${complaint}`);
    if (await client.getChainId().catch(() => undefined)) return;
    await sleep(10);
  }
}

async function load(client: Client, file: string): Promise<void> {
  await client.loadState({ state: `0x${readFileSync(file, "hex")}` });
  // A loaded chain continues at the wall clock, even if its last block was in the future.
  const { timestamp } = await client.getBlock();
  const ahead = Number(timestamp) - Math.floor(Date.now() / 1000);
  if (ahead > 0) await client.increaseTime({ seconds: ahead });
}

async function install(client: Client, network: NetworkName, fund: Address[]): Promise<void> {
  const contracts = [
    [NETWORKS[network].usdc, artifacts.TestDollar],
    [MULTICALL3, artifacts.Multicall3],
    [SETTLER, settler],
  ] as const;
  const codes = [
    ...contracts.map(([address, artifact]) => ({ address, code: artifact.deployedBytecode as Hex })),
    ...Object.values(VAULT_CONTRACTS).flatMap(({ factory, implementation }) => [factory, implementation]),
  ];
  for (const { address, code: bytecode } of codes) {
    if ((await client.getCode({ address })) !== bytecode) await client.setCode({ address, bytecode });
  }
  for (const address of fund) {
    const balance = await client.getBalance({ address });
    if (balance < parseEther("10")) await client.setBalance({ address, value: parseEther("100") });
  }
}

/** Saves soon after any log event. A crash may lose empty blocks, but no payments. */
function keepSaved(client: Client, anvil: ChildProcess, rpcUrl: string, stateFile: string): { stop(): Promise<void> } {
  const halt = new AbortController();
  let head = -1n;
  let tookMs = 0;

  const save = async () => {
    const latest = await client.getBlockNumber();
    const logs = head < latest ? await client.getLogs({ fromBlock: head + 1n, toBlock: latest }) : [];
    const began = Date.now();
    if (head === -1n || logs.length > 0) await saveChain(rpcUrl, stateFile);
    tookMs = Date.now() - began;
    head = latest;
  };
  const loop = async () => {
    while (!halt.signal.aborted) {
      await save().catch((err: unknown) => {
        // If anvil has ended, there is nothing to save.
        if (isRunning(anvil)) console.error(`${stateFile} is not saved: ${err instanceof Error ? err.message : err}`);
      });
      // Saving a large chain is slow, so it is limited to 5 % of the time.
      await sleep(Math.max(2_000, tookMs * 20), undefined, { signal: halt.signal }).catch(() => undefined);
    }
  };
  const running = loop();
  return {
    stop: async () => {
      halt.abort();
      await running;
    },
  };
}

/** Saves and ends the anvil process of a killed run. */
async function retireSurvivor(stateFile: string): Promise<void> {
  const pid = survivor(pidFileOf(stateFile), "anvil");
  if (!pid) return;
  const [, port] = readFileSync(pidFileOf(stateFile), "utf8").split("\n");
  // If it no longer responds, the last save is used.
  await saveChain(urlOf(Number(port)), stateFile).catch(() => undefined);
  await end(pid, "SIGTERM");
}

import { spawn } from "node:child_process";
import { createWriteStream, mkdirSync } from "node:fs";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { privateKeyToAddress } from "viem/accounts";
import { toAddress } from "@/lib/core/address";
import { type Config, readConfig } from "@/lib/platform/config";
import { NETWORK_NAMES, NETWORKS, type NetworkName } from "@/lib/x402/networks";
import { migrateDatabase } from "@/ops/migrate";
import { DEVELOP, ENTRY, ensureBuild, markServing, onLines, type Say, START_ENVIRONMENT } from "./build";
import { type Mining, startChain } from "./chains";
import { startDatabase } from "./database";
import { Locked, takeLock } from "./lock";
import { freePort } from "./ports";
import { end, endWithUs, isRunning } from "./processes";

/** An error that the user can fix. */
export class StackError extends Error {
  override readonly name = "StackError";
}

export type Ports = { app: number; database: number } & Record<NetworkName, number>;
export type Environment = Record<string, string>;

export type StackOptions = {
  dataDir: string;
  /** Preferred ports. Omitted ones are chosen freely. */
  ports?: Partial<Ports>;
  /** Configuration of the service (docs/operations.md). A PORT in it is used or rejected, never replaced. */
  settings?: Environment;
  /** Whether database and chains stay on disk after this run. */
  isKept?: boolean;
  mining?: { mining: Mining; blockTimeSeconds?: number };
  /** `next dev` instead of the production build. */
  isDevelopment?: boolean;
  log: Say;
  /** Aborts a start. */
  signal?: AbortSignal;
};

export type Stack = {
  /** Environment with which any other process gets the app's configuration. */
  env: Environment;
  config: Config;
  baseUrl: string;
  /** The app's pid; it may have child processes. */
  pid: number;
  logFile: string;
  /** Resolves with the app's last output if it ends by itself. */
  ended: Promise<string>;
  stop: () => Promise<void>;
};

/**
 * Starts the service and its dependencies: database, both chains with funded relayers, migrations, the app. `stop` or a failure
 * stops everything in reverse order. Throws StackError.
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  const undo: (() => unknown)[] = [];
  const stop = runOnce(async () => {
    for (const step of undo.reverse()) await step();
  });
  try {
    return { ...(await start(options, undo)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

type Undo = (() => unknown)[];

async function start(options: StackOptions, undo: Undo): Promise<Omit<Stack, "stop">> {
  const { settings = {}, log, signal = new AbortController().signal } = options;
  if ((settings.MODE ?? "devnet") !== "devnet") {
    throw new StackError(
      "MODE is production, and this starts a devnet. Unset it, or run `npm start` (docs/operations.md)",
    );
  }
  const dataDir = resolve(options.dataDir);
  mkdirSync(dataDir, { recursive: true });
  undo.push(lockDirectory(dataDir).release);
  const port = await appPort(options);
  const wanted = { ...settings, MODE: "devnet", DATA_DIR: dataDir, PORT: String(port) };
  // Parsed first, so that an invalid setting fails immediately.
  readConfig(wanted);

  if (!options.isDevelopment) {
    await ensureBuild(log, signal);
    undo.push(markServing(dataDir).release);
  }
  signal.throwIfAborted();
  const databaseUrl = settings.DATABASE_URL ?? (await database(options, dataDir, undo));
  signal.throwIfAborted();
  const config = readConfig(wanted);
  const rpc = await chains(options, dataDir, config, undo);
  await migrateDatabase(databaseUrl);
  signal.throwIfAborted();

  const env = environmentOf({ ...wanted, DATABASE_URL: databaseUrl, ...rpc }, config);
  const app = startApp(env, options, dataDir);
  undo.push(app.stop);
  await ready(port, app, signal);
  const { pid, logFile, ended } = app;
  return { env, config: readConfig(env), baseUrl: config.baseUrl, pid, logFile, ended };
}

function lockDirectory(dataDir: string) {
  try {
    return takeLock(join(dataDir, "lock"), dataDir);
  } catch (error) {
    if (!(error instanceof Locked)) throw error;
    throw new StackError(
      `Tessera already runs on ${dataDir} (process ${error.pid}). Stop it first, or choose another DATA_DIR`,
    );
  }
}

const PORT_NAMES = { database: "The database", base: "Base", "base-sepolia": "Base Sepolia" } as const;

async function portFor(name: keyof typeof PORT_NAMES, { ports, log }: StackOptions): Promise<number> {
  const preferred = ports?.[name] ?? 0;
  const port = await freePort(preferred);
  if (preferred !== 0 && port !== preferred) log(`${PORT_NAMES[name]}: port ${preferred} is taken, using ${port}`);
  return port;
}

async function appPort({ ports, settings, log }: StackOptions): Promise<number> {
  const explicit = settings?.PORT;
  if (explicit) {
    const port = Number(explicit);
    if (await isFree(port)) return port;
    throw new StackError(`Port ${explicit} is taken. Choose another PORT, or leave it unset to use any free port`);
  }
  const preferred = ports?.app ?? 0;
  if (preferred !== 0 && (await isFree(preferred))) return preferred;
  const port = await freePort();
  if (preferred !== 0) log(`Port ${preferred} is taken, using ${port}`);
  return port;
}

/** Whether the app could listen on the port, on all addresses as Next does. */
const isFree = (port: number) =>
  new Promise<boolean>((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, () => server.close(() => resolve(true)));
  });

async function database(options: StackOptions, dataDir: string, undo: Undo): Promise<string> {
  const port = await portFor("database", options);
  const server = await startDatabase({ dir: join(dataDir, "postgres"), port, isDurable: options.isKept ?? false });
  undo.push(server.stop);
  return server.url;
}

async function chains(options: StackOptions, dataDir: string, config: Config, undo: Undo): Promise<Environment> {
  const fund = config.relayerKeys.map((key) => toAddress(privateKeyToAddress(key)));
  const rpc: Environment = {};
  for (const network of NETWORK_NAMES) {
    const chain = await startChain({
      network,
      fund,
      port: await portFor(network, options),
      ...(options.isKept && { stateFile: join(dataDir, `${network}.state`) }),
      ...options.mining,
    });
    undo.push(chain.stop);
    rpc[NETWORKS[network].variables.rpcUrl] = chain.rpcUrl;
  }
  return rpc;
}

/** Includes the secrets, so that other processes do not need the files. */
function environmentOf(decided: Environment, config: Config): Environment {
  return {
    ...decided,
    PUBLIC_BASE_URL: config.baseUrl,
    NEXTAUTH_URL: config.baseUrl,
    NEXTAUTH_SECRET: config.sessionSecret,
    MASTER_KEY: config.masterKeys.map((key) => key.toString("hex")).join(","),
    RELAYER_KEYS: config.relayerKeys.join(","),
  };
}

type App = {
  pid: number;
  stop: () => Promise<void>;
  isRunning: () => boolean;
  ended: Promise<string>;
  logFile: string;
};

const STOP_SECONDS = 12;

function startApp(env: Environment, { isDevelopment, signal }: StackOptions, dataDir: string): App {
  signal?.throwIfAborted();
  const logFile = join(dataDir, "app.log");
  const output = createWriteStream(logFile, { flags: "a" });
  const tail: string[] = [];
  const command = isDevelopment ? [...DEVELOP, env.PORT ?? ""] : ENTRY;
  const child = spawn(process.execPath, command, {
    stdio: ["pipe", "pipe", "pipe"],
    // Ctrl-C reaches only this process, which stops the app before its dependencies.
    detached: true,
    env: {
      ...inherited(),
      ...env,
      ...START_ENVIRONMENT,
      NODE_ENV: isDevelopment ? "development" : "production",
    },
  });
  endWithUs(child, "SIGTERM");
  for (const stream of [child.stdout, child.stderr]) {
    onLines(stream, (line) => {
      output.write(`${line}\n`);
      tail.push(line);
      if (tail.length > 20) tail.shift();
    });
  }
  const gone = new Promise<void>((done) => child.once("close", () => output.end(done)));
  return {
    // Without a pid, the app failed to start and `ended` contains the reason.
    pid: child.pid ?? 0,
    logFile,
    isRunning: () => isRunning(child),
    ended: gone.then(() => tail.join("\n")),
    stop: async () => {
      if (child.pid && isRunning(child)) await end(child.pid, "SIGTERM", STOP_SECONDS);
      await gone;
    },
  };
}

/** The system's environment variables, without service settings that a shell or CI may have set for other purposes. */
const inherited = () =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) =>
      /^(PATH|HOME|USER|TMPDIR|TZ|LANG|LC_\w+|TERM|FAILPOINTS)$/.test(name),
    ),
  );

const READY_SECONDS = 90;

async function ready(port: number, app: App, signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + READY_SECONDS * 1000;
  let report = "no answer";
  while (app.isRunning()) {
    signal.throwIfAborted();
    try {
      const res = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(20_000) });
      if (res.ok) return;
      report = await res.text();
    } catch {
      // The app is not listening yet.
    }
    if (performance.now() > deadline) throw new Error(`the app did not become ready in ${READY_SECONDS} s: ${report}`);
    await sleep(100, undefined, { signal });
  }
  throw new Error(`the app ended while it started:\n${await app.ended}`);
}

function runOnce(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => {
    done ??= work();
    return done;
  };
}

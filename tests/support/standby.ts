import { chownSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import postgres from "postgres";
import { type Database, startDatabase } from "@/dev/local/database";
import { freePort } from "@/dev/local/ports";
import { baseBackup } from "./backup";
import { until } from "./replica";

/** Waits for the standby's disk at each commit, which is what makes a failover lose nothing. */
const COMMITS = { synchronous_commit: "on" };

export type Pair = {
  primary: Database;
  standby: Database;
  /** Both servers in one connection string, whichever accepts writes. */
  url: string;
  /** Makes the standby the primary. Resolves when it accepts writes. */
  promote: () => Promise<void>;
};

/** A PostgreSQL primary below `dir`, and a synchronous standby of it. `prepare` gets the primary before the standby is copied. */
export async function startPair(dir: string, prepare: (url: string) => Promise<void>): Promise<Pair> {
  const [primaryDir, standbyDir] = [join(dir, "primary"), join(dir, "standby")];
  const primary = await startDatabase({ dir: primaryDir, port: await freePort(), isDurable: false, settings: COMMITS });
  await prepare(primary.url);
  await baseBackup(primary.url, primaryDir, standbyDir);
  const { host, port } = hostOf(primary.url);
  const settings = { ...COMMITS, primary_conninfo: `host=${host} port=${port} user=postgres application_name=standby` };
  touch(join(standbyDir, "standby.signal"), join(standbyDir, "PG_VERSION"));
  const standby = await startDatabase({ dir: standbyDir, port: await freePort(), isDurable: false, settings });
  await waitForStandby(primary.url);
  const url = new URL(primary.url);
  return {
    primary,
    standby,
    url: `postgres://postgres@${url.host},${new URL(standby.url).host}${url.pathname}?target_session_attrs=read-write`,
    promote: () => once(standby.url, async (sql) => void (await sql`select pg_promote(true, 60)`)),
  };
}

/** From then on the primary reports no commit that the standby does not have. */
async function waitForStandby(url: string): Promise<void> {
  await once(url, async (sql) => {
    const state = async () => (await sql`select sync_state from pg_stat_replication`)[0]?.sync_state;
    await until(async () => (await state()) !== undefined, "the standby to follow");
    await sql`alter system set synchronous_standby_names = '*'`;
    await sql`select pg_reload_conf()`;
    await until(async () => (await state()) === "sync", "the standby to be synchronous");
  });
}

async function once<T>(url: string, work: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    return await work(sql);
  } finally {
    await sql.end();
  }
}

function hostOf(url: string) {
  const { hostname: host, port } = new URL(url);
  return { host, port };
}

/** An empty file with the owner of another one: the server's. */
function touch(path: string, like: string): void {
  writeFileSync(path, "");
  const { uid, gid } = statSync(like);
  chownSync(path, uid, gid);
}

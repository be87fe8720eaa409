import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres";
import pg from "pg";
import { type ClientOptions, clientClass } from "./db-client";

export type Db = NodePgDatabase & { $client: pg.Pool };
export type Tx = Parameters<Parameters<Db["transaction"]>[0]>[0];
/** A pool or an open transaction: where a store runs its queries. `execute` returns `{ rows }`. */
export type Queryable = Db | Tx;

export type Database = { db: Db; close: () => Promise<void> };

const APPLICATION = "tessera";
const STATEMENT_MS_MAX = 15_000;
const ANSWER_MS_MAX = 5_000;
const IDLE_TRANSACTION_MS_MAX = 30_000;
const CONNECT_MS_MAX = 5_000;

/** One pool per process. The server cancels statements after 15 s and transactions idle for 30 s. */
export function openDatabase(url: string, connectionsMax: number, options: Partial<ClientOptions> = {}): Database {
  const pool = new pg.Pool({
    Client: clientClass({ isTraced: false, ...options }),
    connectionString: url,
    max: connectionsMax,
    application_name: APPLICATION,
    statement_timeout: STATEMENT_MS_MAX,
    // The server's own limit does not help when its response cannot arrive.
    query_timeout: STATEMENT_MS_MAX + ANSWER_MS_MAX,
    keepAlive: true,
    idle_in_transaction_session_timeout: IDLE_TRANSACTION_MS_MAX,
    connectionTimeoutMillis: CONNECT_MS_MAX,
  });
  // A dead connection fails its running query, which handles the error. An unhandled 'error' event would crash the process.
  pool.on("error", () => {});
  pool.on("connect", (client) => void client.on("error", () => {}));
  return { db: drizzle(pool), close: () => pool.end() };
}

const DATABASE_DOWN = new Set(["ECONNREFUSED", "ECONNRESET", "57P01", "57P02", "57P03", "53300"]);
/** node-postgres sets no error code for a lost connection. */
const CONNECTION_LOST =
  /^(Connection terminated|Query read timeout|timeout exceeded when trying to connect|Client has encountered a connection)/;

/** Whether an error means that the database or the connection to it is down. */
export function isDatabaseDown(thrown: unknown): boolean {
  for (let at = thrown; at instanceof Error; at = at.cause) {
    if (("code" in at && DATABASE_DOWN.has(String(at.code))) || CONNECTION_LOST.test(at.message)) return true;
  }
  return false;
}

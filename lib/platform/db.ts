import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres";
import pg from "pg";
import { clientClass } from "./db-client";
import { type Finder, finderOf, parseServers } from "./db-hosts";

export type Db = NodePgDatabase & { $client: pg.Pool };
export type Tx = Parameters<Parameters<Db["transaction"]>[0]>[0];
/** A pool or an open transaction: where a store runs its queries. `execute` returns `{ rows }`. */
export type Queryable = Db | Tx;

export type Database = { db: Db; close: () => Promise<void> };

/** Connections that background jobs of a process may use, in addition to those for requests. */
export const JOB_CONNECTIONS_MAX = 8;

const APPLICATION = "tessera";
const STATEMENT_MS_MAX = 15_000;
const ANSWER_MS_MAX = 5_000;
const IDLE_TRANSACTION_MS_MAX = 30_000;
const CONNECT_MS_MAX = 5_000;

export type DatabaseOptions = {
  /** Whether each query creates a span. */
  isTraced?: boolean;
  /** Whether a pooler in transaction mode is in between. */
  isPooled?: boolean;
};

/**
 * Opens a pool. The server cancels statements after 15 s and transactions idle for 30 s. `url` may name several servers
 * (db-hosts.ts).
 * Why: docs/decisions.md, 18.
 */
export function openDatabase(
  url: string,
  connectionsMax: number,
  { isTraced = false, isPooled = false }: DatabaseOptions = {},
): Database {
  const { connectionString, finder } = target(url);
  const pool = new pg.Pool({
    Client: clientClass({ isTraced, isPooled, finder }),
    connectionString,
    max: connectionsMax,
    application_name: APPLICATION,
    // A pooler refuses session settings: with a pooler they belong to the role (docs/scaling.md).
    ...(!isPooled && {
      statement_timeout: STATEMENT_MS_MAX,
      idle_in_transaction_session_timeout: IDLE_TRANSACTION_MS_MAX,
    }),
    // The server's own limit does not help when its response cannot arrive.
    query_timeout: STATEMENT_MS_MAX + ANSWER_MS_MAX,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_MS_MAX,
  });
  // A dead connection fails its running query, which handles the error. An unhandled 'error' event would crash the process.
  pool.on("error", () => {});
  pool.on("connect", (client) => void client.on("error", () => {}));
  const close = async () => {
    finder?.close();
    await pool.end();
  };
  return { db: drizzle(pool), close };
}

/** Creates connections outside of the pool, to the server of `url` that is in use at the time. */
export function connections(url: string): { create: (config: pg.ClientConfig) => pg.Client; close: () => void } {
  const { connectionString, finder } = target(url);
  const Client = clientClass({ isTraced: false, isPooled: false, finder });
  return { create: (config) => new Client({ connectionString, ...config }), close: () => finder?.close() };
}

function target(url: string): { connectionString: string; finder: Finder | null } {
  return { connectionString: parseServers(url).urls[0], finder: finderOf(url) };
}

/** 25006: a write at a server that has become a standby. 08P01: PgBouncer reaches no server, or has lost the connection to it. */
const DATABASE_DOWN = new Set(["ECONNREFUSED", "ECONNRESET", "57P01", "57P02", "57P03", "53300", "25006", "08P01"]);
/** node-postgres sets no error code for a lost connection. */
const CONNECTION_LOST =
  /^(Connection terminated|Query read timeout|timeout exceeded when trying to connect|Client has encountered a connection)/;

/** Whether an error means that the database or the connection to it is down. */
export function isDatabaseDown(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (("code" in cause && DATABASE_DOWN.has(String(cause.code))) || CONNECTION_LOST.test(cause.message)) return true;
  }
  return false;
}

const UNIQUE_VIOLATION = "23505";

/** Whether an error is a violation of this unique constraint. */
export function isConflict(error: unknown, constraint: string): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ("code" in cause && cause.code === UNIQUE_VIOLATION)
      return "constraint" in cause && cause.constraint === constraint;
  }
  return false;
}

import { hash } from "node:crypto";
import { type Span, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { type Column, type SQL, sql } from "drizzle-orm";
import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres";
import { PgDialect } from "drizzle-orm/pg-core";
import pg from "pg";
import { cut, type Finder, finderOf, parseServers, type ServerPlace } from "./db-hosts";

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
/** How long a query waits for a connection. */
export const CONNECT_MS_MAX = 5_000;

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
  const finder = finderOf(url);
  const pool = new pg.Pool({
    Client: clientClass({ isTraced, isPooled, finder }),
    connectionString: parseServers(url).urls[0],
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
  return {
    db: withReleases(drizzle(pool), pool),
    close: async () => {
      finder?.close();
      await pool.end();
    },
  };
}

/** Drizzle's own `transaction` keeps the connection for ever where BEGIN fails, and gives one back that may still be in a transaction. */
function withReleases(db: Db, pool: pg.Pool): Db {
  const transaction: Db["transaction"] = async (work, config) => {
    const client = await pool.connect();
    let lost: Error | undefined;
    try {
      return await drizzle(client).transaction(work, config);
    } catch (error) {
      if (isDatabaseDown(error) && error instanceof Error) lost = error;
      throw error;
    } finally {
      client.release(lost);
    }
  };
  return Object.assign(db, { transaction });
}

/** Creates connections outside of the pool, to the server of `url` that is in use at the time. */
export function connections(url: string): { create: (config: pg.ClientConfig) => pg.Client; close: () => void } {
  const finder = finderOf(url);
  const Client = clientClass({ isTraced: false, isPooled: false, finder });
  const connectionString = parseServers(url).urls[0];
  return { create: (config) => new Client({ connectionString, ...config }), close: () => finder?.close() };
}

const dialect = new PgDialect();
const names = new Map<string, string>();

/**
 * Runs a statement that the server parses and plans once for each connection. Only for statements of a few texts: everything that varies
 * is a parameter, also lists.
 */
export async function executePrepared<Row extends Record<string, unknown>>(
  db: Queryable,
  statement: SQL,
): Promise<{ rows: Row[] }> {
  const query = dialect.sqlToQuery(statement);
  const name = names.get(query.sql) ?? `p${hash("sha1", query.sql, "hex")}`;
  names.set(query.sql, name);
  return db._.session
    .prepareQuery<{ execute: { rows: Row[] }; all: unknown; values: unknown }>(query, undefined, name, false)
    .execute();
}

/**
 * Whether `column` is in the list that a prepared statement takes as `list`. Without the subquery the server plans the statement anew at
 * each execution: it expects ten items of a list that it does not know, so that a plan for the list at hand always seems cheaper.
 */
export function isAmong(column: Column, list: string): SQL {
  const type = sql.raw(`${column.getSQLType()}[]`);
  // With the outer cast too, this is an array. Without it, it is a query of rows.
  return sql`${column} = any((select ${sql.placeholder(list)}::${type})::${type})`;
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

/** The database's error with this code, among an error and its causes; null if it is none. */
function findDatabaseError(error: unknown, code: string): Error | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ("code" in cause && cause.code === code) return cause;
  }
  return null;
}

/** Whether an error is one of the database with this code. */
export const isDatabaseError = (error: unknown, code: string): boolean => findDatabaseError(error, code) !== null;

const UNIQUE_VIOLATION = "23505";

/** Whether an error is a violation of this unique constraint. */
export function isConflict(error: unknown, constraint: string): boolean {
  const violation = findDatabaseError(error, UNIQUE_VIOLATION);
  return violation !== null && "constraint" in violation && violation.constraint === constraint;
}

type ClientOptions = {
  /** Whether each query creates a span. */
  isTraced: boolean;
  /** Whether a pooler in transaction mode is in between: transactions share no session state. */
  isPooled: boolean;
  /** Chooses among several servers; null when there is only one. */
  finder: Finder | null;
};

type Query = (...args: unknown[]) => unknown;
type Connected = (error: Error) => void;

/** Where a client connects to. pg keeps it in two places, and declares neither as writable. */
type Target = { -readonly [K in keyof ServerPlace]: ServerPlace[K] } & { connectionParameters: ServerPlace };
/** pg's client with tracing, pooling and a choice of servers. Passes the arguments of `query` on unchanged: pg has a dozen overloads. */
function clientClass({ isTraced, isPooled, finder }: ClientOptions): typeof pg.Client {
  if (!isTraced && !isPooled && !finder) return pg.Client;
  const open = new Set<pg.Client>();
  // Cuts connections to the previous server: their queries fail now, not at their timeout.
  finder?.onMove(({ host, port }) =>
    [...open].filter((client) => client.host !== host || client.port !== port).forEach(cut),
  );

  return class ServiceClient extends pg.Client {
    constructor(config?: string | pg.ClientConfig) {
      super(config);
      const send: Run = (args) => (pg.Client.prototype.query as Query).apply(this, isPooled ? withoutName(args) : args);
      if (isTraced) this.query = ((...args: unknown[]) => tracedQuery(args, send)) as typeof this.query;
      else if (isPooled) this.query = ((...args: unknown[]) => send(args)) as typeof this.query;
    }

    override connect(): Promise<this>;
    override connect(callback: Connected): void;
    override connect(callback?: Connected): Promise<this> | undefined {
      const connecting = this.connectThere();
      if (!callback) return connecting;
      connecting.then(() => (callback as () => void)(), callback);
      return undefined;
    }

    private async connectThere(): Promise<this> {
      if (finder) {
        const place = await finder.find();
        const target = this as unknown as Target;
        Object.assign(target, place);
        Object.assign(target.connectionParameters, place);
        open.add(this);
        this.once("end", () => open.delete(this));
      }
      await super.connect();
      return this;
    }
  };
}

/** A prepared statement with a name belongs to one session, and the next transaction may run in another. */
function withoutName([query, ...otherArgs]: unknown[]): unknown[] {
  if (typeof query !== "object" || query === null || !("name" in query) || "submit" in query)
    return [query, ...otherArgs];
  const { name, ...unnamed } = query;
  return [unnamed, ...otherArgs];
}

type Run = (args: unknown[]) => unknown;

/** Runs a query inside a span with its text, never its parameters. Only within another span: polling jobs would flood the receiver. */
function tracedQuery(args: unknown[], run: Run): unknown {
  const query = args[0];
  const text = typeof query === "object" && query !== null && "text" in query ? query.text : query;
  if (typeof text !== "string" || !trace.getActiveSpan()) return run(args);
  const span = trace.getTracer("tessera").startSpan(/[a-z]+/i.exec(text)?.[0].toUpperCase() ?? "SQL", {
    kind: SpanKind.CLIENT,
    attributes: { "db.system.name": "postgresql", "db.query.text": text },
  });
  const done = args.at(-1);
  if (typeof done === "function") {
    return run([
      ...args.slice(0, -1),
      (...result: unknown[]) => {
        end(span, result[0]);
        done(...result);
      },
    ]);
  }
  return Promise.resolve(run(args)).then(
    (value) => {
      end(span, null);
      return value;
    },
    (error: unknown) => {
      end(span, error);
      throw error;
    },
  );
}

function end(span: Span, error: unknown): void {
  if (error) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

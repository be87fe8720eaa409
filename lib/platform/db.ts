import { drizzle, type PostgresJsDatabase } from "drizzle-orm/postgres-js";
import postgres from "postgres";

export type Db = PostgresJsDatabase;
export type Tx = Parameters<Parameters<Db["transaction"]>[0]>[0];
/** A connection or an open transaction: what a store's query runs on. */
export type Queryable = Db | Tx;

export type Database = { db: Db; sql: postgres.Sql; close: () => Promise<void> };

/** One pool a process. Statements longer than 15 s and transactions idle for 30 s are ended by the server. */
export function openDatabase(url: string, connectionsMax: number): Database {
  const sql = postgres(url, {
    max: connectionsMax,
    onnotice: () => {},
    connection: { application_name: "tessera", statement_timeout: 15_000, idle_in_transaction_session_timeout: 30_000 },
  });
  return { db: drizzle(sql), sql, close: () => sql.end({ timeout: 5 }) };
}

/** Whether `error` is PostgreSQL saying that `constraint` was violated. */
export function violates(error: unknown, constraint: string): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    if ("constraint_name" in at && at.constraint_name === constraint) return true;
  }
  return false;
}

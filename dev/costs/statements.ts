import pg from "pg";
import { z } from "zod";

/** PostgreSQL settings that count what each statement does. */
export const COUNTING = {
  shared_preload_libraries: "pg_stat_statements",
  "pg_stat_statements.track_planning": "off",
};

/**
 * Work of the database. `rows`: returned or changed. `pages`: read, 8 KB each. `storedBytes`: WAL bytes of statements that inserted
 * rows; updates take no lasting space.
 */
const done = z.object({
  statements: z.coerce.number(),
  rows: z.coerce.number(),
  pages: z.coerce.number(),
  storedBytes: z.coerce.number(),
  databaseMs: z.coerce.number(),
});
export type Done = z.output<typeof done>;

export type Statements = { reset: () => Promise<void>; read: () => Promise<Done>; close: () => Promise<void> };

const READ = `select coalesce(sum(calls), 0) as statements, coalesce(sum(rows), 0) as rows,
    coalesce(sum(shared_blks_hit + shared_blks_read), 0) as pages,
    coalesce(sum(wal_bytes) filter (where query ~* '\\minsert into\\M' and rows > 0), 0) as "storedBytes",
    coalesce(sum(total_exec_time), 0) as "databaseMs"
  from pg_stat_statements where query not like '%pg_stat_statements%'`;

export async function openStatements(connectionString: string): Promise<Statements> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query("create extension if not exists pg_stat_statements");
  return {
    reset: async () => void (await client.query("select pg_stat_statements_reset()")),
    read: async () => done.parse((await client.query(READ)).rows[0]),
    close: () => client.end(),
  };
}

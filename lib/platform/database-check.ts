import journal from "@/drizzle/meta/_journal.json";
import { type Check, fail, ok, warn } from "./checks";
import { JOB_CONNECTIONS_MAX } from "./db";

const MIGRATE = "Run `npm run db:migrate` with this version";

/** The migrations of this build, by creation time: the database stores only that. */
const KNOWN: ReadonlySet<number> = new Set(journal.entries.map(({ when }) => when));

/**
 * Whether the database has exactly the migrations of this build. If one is missing, queries fail. If it has newer ones,
 * this build could write rows that the newer version does not expect.
 */
export const databaseCheck: Check = {
  name: "migrations",
  variable: "DATABASE_URL",
  run: async ({ db }) => {
    const { rows: serverRows } = await db.$client.query<{ version: string; isBegun: boolean }>(
      `select current_setting('server_version') as version, to_regclass('drizzle.__drizzle_migrations') is not null as "isBegun"`,
    );
    if (!serverRows[0]?.isBegun) return fail("the database has never been migrated", MIGRATE);
    const { rows } = await db.$client.query<{ at: string }>(
      "select created_at as at from drizzle.__drizzle_migrations",
    );
    const appliedMigrations = new Set(rows.map(({ at: createdAt }) => Number(createdAt)));
    const missing = [...KNOWN].filter((index) => !appliedMigrations.has(index)).length;
    const newer = [...appliedMigrations].filter((index) => !KNOWN.has(index)).length;
    if (newer > 0) {
      return fail(
        `a newer version has migrated this database (${plural(newer)} that this one does not know)`,
        "Start that version, or restore a backup from before it ran `npm run db:migrate`",
      );
    }
    if (missing > 0) return fail(`the database lacks ${plural(missing)}`, MIGRATE);
    return ok(`PostgreSQL ${serverRows[0].version}, ${plural(appliedMigrations.size)}`);
  },
};

/** Whether the server has room for the connections of `npm start`. It cannot count the connections of other machines. */
export const connectionCheck: Check = {
  name: "connections",
  variable: "DATABASE_POOL",
  run: async ({ db, config: { processes, databasePool, isPooled } }) => {
    const { rows } = await db.$client.query<{ max: number }>(
      `select (current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int) as max`,
    );
    const max = rows[0]?.max ?? 0;
    // Each process has one connection for LISTEN. A pooler has its own limit.
    const requiredConnections = processes * (isPooled ? 1 : databasePool + JOB_CONNECTIONS_MAX + 1);
    const detail = `${processes} process${processes === 1 ? "" : "es"} may open ${requiredConnections} connections, the server has ${max}`;
    return requiredConnections <= max
      ? ok(detail)
      : warn(detail, "Reduce it, raise max_connections, or use a pooler (docs/scaling.md)");
  },
};

const plural = (count: number) => `${count} migration${count === 1 ? "" : "s"}`;

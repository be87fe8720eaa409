import journal from "@/drizzle/meta/_journal.json";
import { type Check, fail, ok } from "./checks";

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
    const { rows: found } = await db.$client.query<{ version: string; isBegun: boolean }>(
      `select current_setting('server_version') as version, to_regclass('drizzle.__drizzle_migrations') is not null as "isBegun"`,
    );
    if (!found[0]?.isBegun) return fail("the database has never been migrated", MIGRATE);
    const { rows } = await db.$client.query<{ at: string }>(
      "select created_at as at from drizzle.__drizzle_migrations",
    );
    const made = new Set(rows.map(({ at }) => Number(at)));
    const missing = [...KNOWN].filter((at) => !made.has(at)).length;
    const newer = [...made].filter((at) => !KNOWN.has(at)).length;
    if (newer > 0) {
      return fail(
        `a newer version has migrated this database (${plural(newer)} that this one does not know)`,
        "Start that version, or restore a backup from before it ran `npm run db:migrate`",
      );
    }
    if (missing > 0) return fail(`the database lacks ${plural(missing)}`, MIGRATE);
    return ok(`PostgreSQL ${found[0].version}, ${plural(made.size)}`);
  },
};

const plural = (count: number) => `${count} migration${count === 1 ? "" : "s"}`;

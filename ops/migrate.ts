import { drizzle } from "drizzle-orm/node-postgres";
import { migrate } from "drizzle-orm/node-postgres/migrator";
import pg from "pg";

/** Migrates a database to the newest migration of drizzle/. Idempotent. */
export async function migrateDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await migrate(drizzle(client), { migrationsFolder: "drizzle" });
  } finally {
    await client.end();
  }
}

if (import.meta.filename === process.argv[1]) {
  const { readConfig } = await import("@/lib/platform/config");
  await migrateDatabase(readConfig(process.env).databaseUrl);
  console.log("The database is up to date.");
}

import { drizzle } from "drizzle-orm/postgres-js";
import { migrate } from "drizzle-orm/postgres-js/migrator";
import postgres from "postgres";

/** Brings a database up to the newest migration of drizzle/; running it again changes nothing. */
export async function migrateDatabase(url: string): Promise<void> {
  const client = postgres(url, { max: 1, onnotice: () => {} });
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

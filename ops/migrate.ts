import { drizzle } from "drizzle-orm/node-postgres";
import { migrate } from "drizzle-orm/node-postgres/migrator";
import { connections } from "@/lib/platform/db";

/** Applies the pending migrations of drizzle/. Idempotent. */
export async function migrateDatabase(url: string): Promise<void> {
  const servers = connections(url);
  const client = servers.create({});
  try {
    await client.connect();
    await migrate(drizzle(client), { migrationsFolder: "drizzle" });
  } finally {
    await client.end();
    servers.close();
  }
}

if (import.meta.filename === process.argv[1]) {
  const { readConfig } = await import("@/lib/platform/config");
  await migrateDatabase(readConfig(process.env).directUrl);
  console.log("The database is up to date.");
}

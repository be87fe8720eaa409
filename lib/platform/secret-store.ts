import { eq } from "drizzle-orm";
import type { Queryable } from "./db";
import { serviceSecrets } from "./tables";

/** The sealed secret of that name: `fresh` when there is none yet. */
export async function ensure(db: Queryable, fresh: typeof serviceSecrets.$inferInsert): Promise<string> {
  await db.insert(serviceSecrets).values(fresh).onConflictDoNothing();
  const [row] = await db.select().from(serviceSecrets).where(eq(serviceSecrets.name, fresh.name));
  return row?.sealedKey ?? fresh.sealedKey;
}

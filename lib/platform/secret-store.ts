import { eq } from "drizzle-orm";
import type { Queryable } from "./db";
import { serviceSecrets } from "./tables";

/** The sealed secret with the name of `fresh`; stores `fresh` if there is none yet. */
export async function ensure(db: Queryable, fresh: typeof serviceSecrets.$inferInsert): Promise<string> {
  await db.insert(serviceSecrets).values(fresh).onConflictDoNothing();
  const [row] = await db.select().from(serviceSecrets).where(eq(serviceSecrets.name, fresh.name));
  return row?.sealedKey ?? fresh.sealedKey;
}

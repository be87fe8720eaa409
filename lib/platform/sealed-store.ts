import { eq, type SQL, sql } from "drizzle-orm";
import type { Db, Queryable } from "./db";
import { serviceSecrets } from "./tables";

/** All columns with sealed secrets, and the id each value is bound to. A column missing here would be lost when its master key is replaced. */
export const SEALED = [
  { table: "wallets", column: "sealed_key", boundTo: sql`id` },
  { table: "vaults", column: "sealed_key", boundTo: sql`mandate_id` },
  { table: "vaults", column: "sealed_pocket_key", boundTo: sql`mandate_id || ':pocket'` },
  { table: "signing_keys", column: "sealed_key", boundTo: sql`kid` },
  { table: "webhook_secrets", column: "sealed_key", boundTo: sql`id` },
  { table: "service_secrets", column: "sealed_key", boundTo: sql`name` },
  { table: "idempotent_requests", column: "sealed_body", boundTo: sql`'idempotency:' || scope || ':' || key_hash` },
  { table: "purchases", column: "sealed_approval", boundTo: sql`'purchase:' || id || ':approval'` },
  { table: "purchases", column: "sealed_proof", boundTo: sql`'purchase:' || id || ':proof'` },
  { table: "purchases", column: "sealed_answer", boundTo: sql`'purchase:' || id || ':answer'` },
  { table: "payment_links", column: "sealed_upstream_headers", boundTo: sql`'upstream:' || link_id` },
  { table: "ended_upstreams", column: "sealed_upstream_headers", boundTo: sql`'upstream:' || link_id` },
  { table: "upstream_calls", column: "sealed_answer", boundTo: sql`'call:' || settlement_id` },
] as const satisfies { table: string; column: string; boundTo: SQL }[];

/** Stored responses and purchases are not keys: most are deleted after some time. */
const KEYS = SEALED.filter(({ column }) => column === "sealed_key");

/** One sealed key of each kind in this database. */
export async function sampleKeys(db: Db): Promise<{ table: string; id: string; sealed: string }[]> {
  const samples = await Promise.all(
    KEYS.map(async ({ table, column, boundTo }) => {
      const [name, secret] = [sql.identifier(table), sql.identifier(column)];
      const { rows } = await db.execute<{ id: string; sealed: string }>(
        sql`select ${boundTo} as id, ${secret} as sealed from ${name} where ${secret} is not null limit 1`,
      );
      return rows.map((row) => ({ table, ...row }));
    }),
  );
  return samples.flat();
}

/** The sealed secret with the name of `fresh`; stores `fresh` if there is none yet. */
export async function ensureSecret(db: Queryable, fresh: typeof serviceSecrets.$inferInsert): Promise<string> {
  await db.insert(serviceSecrets).values(fresh).onConflictDoNothing();
  const [row] = await db.select().from(serviceSecrets).where(eq(serviceSecrets.name, fresh.name));
  return row?.sealedKey ?? fresh.sealedKey;
}

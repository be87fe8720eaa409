import { type SQL, sql } from "drizzle-orm";

/** Where secrets lie sealed, and what each is bound to: one that is missing here is lost when its master key is replaced. */
export const SEALED = [
  { table: "wallets", column: "sealed_key", boundTo: sql`id` },
  { table: "signing_keys", column: "sealed_key", boundTo: sql`kid` },
  { table: "webhook_secrets", column: "sealed_key", boundTo: sql`id` },
  { table: "service_secrets", column: "sealed_key", boundTo: sql`name` },
  { table: "idempotent_requests", column: "sealed_body", boundTo: sql`'idempotency:' || scope || ':' || key_hash` },
] as const satisfies { table: string; column: string; boundTo: SQL }[];

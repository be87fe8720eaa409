import { sql } from "drizzle-orm";
import type { System } from "@/lib/platform/context";
import { closeSystem, system } from "@/lib/wiring";

/** Where secrets lie sealed, and what row each is bound to. */
const SEALED = [
  { table: "wallets", id: "id" },
  { table: "signing_keys", id: "kid" },
  { table: "webhook_secrets", id: "id" },
] as const;

/**
 * Puts every secret under the first of MASTER_KEY, in one transaction; afterwards the other keys open nothing any more
 * and can be taken out of the configuration. Returns how many were under another key.
 */
export async function rewrapSecrets({ db, vault }: System): Promise<number> {
  return db.transaction(async (tx) => {
    let rewrapped = 0;
    for (const { table, id } of SEALED) {
      const [name, key] = [sql.identifier(table), sql.identifier(id)];
      const { rows } = await tx.execute<{ id: string; sealed: string }>(
        sql`select ${key} as id, sealed_key as sealed from ${name} for update`,
      );
      for (const row of rows) {
        const sealed = vault.rewrap(row.sealed, row.id);
        if (sealed === null) continue;
        await tx.execute(sql`update ${name} set sealed_key = ${sealed} where ${key} = ${row.id}`);
        rewrapped += 1;
      }
    }
    return rewrapped;
  });
}

/** `npm run keys:rewrap` */
if (import.meta.filename === process.argv[1]) {
  const count = await rewrapSecrets(system()).finally(closeSystem);
  console.log(`${count} secrets were put under the first master key; none is left under another.`);
}

import { sql } from "drizzle-orm";
import type { System } from "@/lib/platform/context";
import { SEALED } from "@/lib/platform/sealed-store";
import { closeSystem, system } from "@/lib/wiring";

/**
 * Reseals every secret with the first key of MASTER_KEY, in one transaction. The other keys can then be removed from the
 * configuration. Returns the number of resealed secrets.
 */
export async function rewrapSecrets({ db, vault }: System): Promise<number> {
  return db.transaction(async (tx) => {
    let rewrapped = 0;
    for (const { table, column, boundTo } of SEALED) {
      const [name, secret] = [sql.identifier(table), sql.identifier(column)];
      const { rows } = await tx.execute<{ place: string; id: string; sealed: string }>(
        sql`select ctid::text as place, ${boundTo} as id, ${secret} as sealed from ${name} where ${secret} is not null for update`,
      );
      for (const row of rows) {
        const sealed = vault.rewrap(row.sealed, row.id);
        if (sealed === null) continue;
        // The row lock keeps the row's ctid valid until this update.
        await tx.execute(sql`update ${name} set ${secret} = ${sealed} where ctid = ${row.place}::tid`);
        rewrapped += 1;
      }
    }
    return rewrapped;
  });
}

/** `npm run keys:rewrap` */
if (import.meta.filename === process.argv[1]) {
  const count = await rewrapSecrets(system()).finally(closeSystem);
  console.log(`Resealed ${count} secrets under the first master key. None is left under another key.`);
}

import { sql } from "drizzle-orm";
import type { Tx } from "@/lib/platform/db";
import { notify } from "@/lib/platform/queue";
import { vaultOperations } from "@/lib/vaults/tables";

export type Operation = typeof vaultOperations.$inferSelect;
export type NewOperation = typeof vaultOperations.$inferInsert;

/** Has the relayer send it. Of each kind, a vault has at most one under way; a second pull raises the sum of a waiting one. */
export async function add(tx: Tx, row: NewOperation): Promise<void> {
  await tx
    .insert(vaultOperations)
    .values(row)
    .onConflictDoUpdate({
      target: [vaultOperations.mandateId, vaultOperations.kind],
      targetWhere: sql`state in ('waiting', 'sent')`,
      set: { amount: sql`greatest(${vaultOperations.amount}, excluded.amount)` },
      setWhere: sql`${vaultOperations.state} = 'waiting' and ${vaultOperations.kind} = 'pull'`,
    });
  await notify(tx, "settlement_claimed", row.network);
}

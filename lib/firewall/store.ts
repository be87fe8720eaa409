import { and, desc, eq, sql } from "drizzle-orm";
import type { Hex } from "viem";
import type { AgentId, PaymentId, SettlementId } from "@/lib/core/ids";
import type { Cursor } from "@/lib/core/page";
import type { Queryable, Tx } from "@/lib/platform/db";
import { settlements } from "@/lib/settlements/tables";
import { firewallScans } from "./tables";

export type Scan = typeof firewallScans.$inferSelect;

export async function add(tx: Tx, scans: readonly Scan[]): Promise<void> {
  await tx.insert(firewallScans).values([...scans]);
}

export type ScanPayment = { type: "usdc"; settlementId: SettlementId } | { type: "credits"; paymentId: PaymentId };

/** Whether `payment` is settled and was for a scan with this body hash. A payment in credits settles together with its scan. */
export async function isPaid(db: Queryable, payment: ScanPayment, bodyHash: Hex): Promise<boolean> {
  const isIt =
    payment.type === "usdc"
      ? and(eq(firewallScans.settlementId, payment.settlementId), eq(settlements.state, "settled"))
      : eq(firewallScans.paymentId, payment.paymentId);
  const [row] = await db
    .select({ scanId: firewallScans.scanId })
    .from(firewallScans)
    .leftJoin(settlements, eq(settlements.id, firewallScans.settlementId))
    .where(and(isIt, eq(firewallScans.bodyHash, bodyHash)));
  return row !== undefined;
}

/** Whether the settlement was for a scan with this body hash. */
export async function isFor(db: Queryable, settlementId: SettlementId, bodyHash: Hex): Promise<boolean> {
  const [row] = await db
    .select({ scanId: firewallScans.scanId })
    .from(firewallScans)
    .where(and(eq(firewallScans.settlementId, settlementId), eq(firewallScans.bodyHash, bodyHash)));
  return row !== undefined;
}

/** Newest first. */
export const listForAgent = (
  db: Queryable,
  agentId: AgentId,
  { after: cursor, limit }: { after?: Cursor | undefined; limit: number },
): Promise<Scan[]> =>
  db
    .select()
    .from(firewallScans)
    .where(
      and(
        eq(firewallScans.agentId, agentId),
        cursor &&
          sql`(${firewallScans.createdAt}, ${firewallScans.scanId}) < (${sql.param(cursor.time, firewallScans.createdAt)}, ${cursor.id})`,
      ),
    )
    .orderBy(desc(firewallScans.createdAt), desc(firewallScans.scanId))
    .limit(limit);

import { and, count, eq, gte, inArray, lt, or, sql } from "drizzle-orm";
import type { Address } from "@/lib/core/address";
import type { Queryable, Tx } from "@/lib/platform/db";
import type { NetworkName } from "@/lib/x402/networks";
import { payerGas, settlements } from "../tables";

export const GAS_WINDOW_SECONDS = 3_600;

/** Gas charged to a payer or a factory since `since`, and the number of its transfers in open transactions. */
export async function gasOf(db: Queryable, network: NetworkName, payer: Address, since: Date) {
  const [used] = await db
    .select({ spent: sql<string>`coalesce(sum(${payerGas.gas}), 0)` })
    .from(payerGas)
    .where(and(eq(payerGas.network, network), eq(payerGas.payer, payer), gte(payerGas.createdAt, since)));
  const [open] = await db
    .select({ underway: count() })
    .from(settlements)
    .where(
      and(
        eq(settlements.network, network),
        or(eq(settlements.payer, payer), eq(settlements.factory, payer)),
        inArray(settlements.state, ["prepared", "broadcast"]),
      ),
    );
  return { spent: BigInt(used?.spent ?? 0), underway: open?.underway ?? 0 };
}

/** Gas charged since `since`, by payer. Payers without a charge are absent. */
export async function spentGas(db: Queryable, network: NetworkName, payers: readonly Address[], since: Date) {
  if (payers.length === 0) return new Map<Address, bigint>();
  const { payer, gas, createdAt } = payerGas;
  const rows = await db
    .select({ payer, gas: sql<string>`sum(${gas})` })
    .from(payerGas)
    .where(and(eq(payerGas.network, network), inArray(payer, [...new Set(payers)]), gte(createdAt, since)))
    .groupBy(payer);
  return new Map(rows.map((row) => [row.payer, BigInt(row.gas)]));
}

/** Like spentGas, for a batch of (network, payer) keys: one query per network. */
export const spentGasFinder =
  (db: Queryable) =>
  async (keys: readonly { network: NetworkName; payer: Address; since: Date }[]): Promise<bigint[]> => {
    const sums = new Map<string, Map<Address, bigint>>();
    for (const network of new Set(keys.map((key) => key.network))) {
      const networkKeys = keys.filter((key) => key.network === network);
      const since = new Date(Math.min(...networkKeys.map((key) => key.since.getTime())));
      sums.set(
        network,
        await spentGas(
          db,
          network,
          networkKeys.map(({ payer }) => payer),
          since,
        ),
      );
    }
    return keys.map(({ network, payer }) => sums.get(network)?.get(payer) ?? 0n);
  };

/** Charges gas to payers, once per transaction, and deletes charges older than `cutoff`. */
export async function chargeGas(tx: Tx, rows: (typeof payerGas.$inferInsert)[], cutoff: Date): Promise<void> {
  if (rows.length === 0) return;
  await tx.insert(payerGas).values(rows).onConflictDoNothing();
  await tx.delete(payerGas).where(lt(payerGas.createdAt, cutoff));
}

/** Removes the charge of one transaction. */
export async function forgiveGas(
  db: Queryable,
  { network, payer, signer, relayerNonce }: Omit<typeof payerGas.$inferInsert, "gas" | "createdAt">,
): Promise<void> {
  await db
    .delete(payerGas)
    .where(
      and(
        eq(payerGas.network, network),
        eq(payerGas.payer, payer),
        eq(payerGas.signer, signer),
        eq(payerGas.relayerNonce, relayerNonce),
      ),
    );
}

import { and, eq, sql } from "drizzle-orm";
import type { OwnerId } from "@/lib/core/ids";
import { owners } from "@/lib/owners/tables";
import type { Queryable } from "@/lib/platform/db";
import { listedPayees, type PayeeList, payeeReports } from "./tables";

/** An owner, and the addresses and hosts to look for in their lists. */
export type Lookup = { ownerId: OwnerId; payees: readonly string[] };
export type OwnerLists = { paysOnlyListed: boolean; listed: readonly { list: PayeeList; payee: string }[] };

const NO_LISTS: OwnerLists = { paysOnlyListed: false, listed: [] };

/** What the lists of each owner say about the payees, in the order of the lookups. */
export async function findListed(db: Queryable, lookups: readonly Lookup[]): Promise<OwnerLists[]> {
  const payees = [...new Set(lookups.flatMap((lookup) => lookup.payees))];
  const ownerIds = [...new Set(lookups.map(({ ownerId }) => ownerId))];
  const rows = await db
    .select({
      ownerId: owners.id,
      paysOnlyListed: owners.paysOnlyListed,
      list: listedPayees.list,
      payee: listedPayees.payee,
    })
    .from(owners)
    .leftJoin(
      listedPayees,
      and(eq(listedPayees.ownerId, owners.id), sql`${listedPayees.payee} = any(${sql.param(payees)}::text[])`),
    )
    .where(sql`${owners.id} = any(${sql.param(ownerIds)}::text[])`);
  return lookups.map((lookup) => {
    const found = rows.filter(({ ownerId }) => ownerId === lookup.ownerId);
    const listed = found.flatMap(({ list, payee }) =>
      list !== null && payee !== null && lookup.payees.includes(payee) ? [{ list, payee }] : [],
    );
    return found[0] ? { paysOnlyListed: found[0].paysOnlyListed, listed } : NO_LISTS;
  });
}

const REPORTS_PER_ADDRESS = 20;

/** Returns whether it was kept: anybody can report the same address again and again. */
export async function addReport(
  db: Queryable,
  { address, list, reason, createdAt }: Omit<typeof payeeReports.$inferSelect, "id">,
): Promise<boolean> {
  const { rowCount } = await db.execute(sql`
    insert into ${payeeReports} (address, list, reason, created_at)
    select ${address}, ${list}, ${reason}, ${createdAt.toISOString()}::timestamptz
    where (select count(*) from ${payeeReports} where address = ${address}) < ${REPORTS_PER_ADDRESS}`);
  return rowCount === 1;
}

import { and, eq, gt, sql } from "drizzle-orm";
import type { Db, Queryable, Tx } from "./db";
import { leases } from "./tables";

/** The exclusive right to do a job, until it expires. */
export type Lease = { name: string; holder: string; fence: number };

/** Thrown inside a transaction whose lease has expired or belongs to another process. */
export class LeaseLost extends Error {
  override readonly name = "LeaseLost";

  constructor(message: string) {
    super(message);
  }
}

const until = (seconds: number) => sql`now() + make_interval(secs => ${seconds})`;

/**
 * Takes a free or expired lease, or renews this holder's; null while another process holds it. Uses the database's clock. `workedMsAgo`:
 * when the holder's last round without an error ended, which is recorded with a renewal.
 */
export async function acquireLease(
  db: Db,
  name: string,
  holder: string,
  seconds: number,
  workedMsAgo?: number,
): Promise<Lease | null> {
  const workedAt = workedMsAgo !== undefined && sql`now() - make_interval(secs => ${workedMsAgo / 1000})`;
  const [row] = await db
    .insert(leases)
    .values({ name, holder, fence: 1, expiresAt: until(seconds) })
    .onConflictDoUpdate({
      target: leases.name,
      set: {
        holder,
        fence: sql`case when ${leases.holder} = ${holder} and ${leases.expiresAt} > now() then ${leases.fence} else ${leases.fence} + 1 end`,
        expiresAt: until(seconds),
        ...(workedAt && { workedAt }),
      },
      setWhere: sql`${leases.holder} = ${holder} or ${leases.expiresAt} <= now()`,
    })
    .returning({ fence: leases.fence });
  return row ? { name, holder, fence: row.fence } : null;
}

/**
 * Locks the lease's row for the rest of `tx`, so that no other process takes over before the writes of `tx` are visible.
 * Why: docs/decisions.md, 20.
 */
export async function assertLease(tx: Tx, lease: Lease): Promise<void> {
  const rows = await tx
    .select({ fence: leases.fence })
    .from(leases)
    .where(and(eq(leases.name, lease.name), eq(leases.fence, lease.fence), gt(leases.expiresAt, sql`now()`)))
    .for("share");
  if (rows.length === 0) throw new LeaseLost(lease.name);
}

export async function releaseLease(db: Queryable, lease: Lease): Promise<void> {
  await db
    .update(leases)
    .set({ expiresAt: sql`now()` })
    .where(and(eq(leases.name, lease.name), eq(leases.fence, lease.fence)));
}

/** Records that the job is running, before the first renewal does. */
export async function reportWork(db: Queryable, lease: Lease): Promise<void> {
  await db
    .update(leases)
    .set({ workedAt: sql`now()` })
    .where(and(eq(leases.name, lease.name), eq(leases.fence, lease.fence)));
}

/** How long a job may have no holder (as during a handover) or keep failing before it counts as stopped. */
const PATIENCE_SECONDS = 60;

/** The names of the jobs that a process holds and that had a round without an error within the last minute. */
export async function workingJobs(db: Queryable): Promise<ReadonlySet<string>> {
  const since = sql`now() - make_interval(secs => ${PATIENCE_SECONDS})`;
  const rows = await db
    .select({ name: leases.name })
    .from(leases)
    .where(and(gt(leases.expiresAt, since), gt(leases.workedAt, since)));
  return new Set(rows.map(({ name }) => name));
}

import { setTimeout as sleep } from "node:timers/promises";
import type { World } from "./world";

export const OFTEN_MS = 6;
/** How often a block is mined for waiting requests. */
const BLOCK_MS = 60;

/** Polls until something is true or `withinMs` have passed. */
async function wait(withinMs: number, isSo: () => Promise<boolean>): Promise<void> {
  for (const until = performance.now() + withinMs; performance.now() < until; ) {
    await sleep(OFTEN_MS);
    if (await isSo()) return;
  }
}

/** Waits until the servers have read the newest blocks. */
export async function isRead({ sql, chains }: World, withinMs: number): Promise<void> {
  const heads = await Promise.all(
    chains().map(async ({ network, client }) => {
      const { number, hash } = await client.getBlock();
      return { network, number, hash };
    }),
  );
  await wait(withinMs, async () => {
    const cursors = await sql<{ network: string; read: string; hash: string }[]>`
      select network, block_number::text as read, block_hash as hash from chain_cursors`;
    // A replaced block has the same number as its successor.
    return heads.every(({ network, number, hash }) =>
      cursors.some((at) => at.network === network && (BigInt(at.read) > number || at.hash === hash)),
    );
  });
}

/** Waits until every relayer has finished a round after the call: one may have died, or be waiting for a node that hangs. */
export async function isRelaying({ sql }: World, withinMs: number): Promise<void> {
  const [at] = await sql<{ now: Date }[]>`select now()`;
  await wait(withinMs, async () => {
    const late =
      await sql`select 1 from leases where name like 'relayer:%' and (worked_at is null or worked_at <= ${at?.now ?? 0})`;
    return late.length === 0;
  });
}

/** Waits until a proof was accepted. */
export const isClaimed = ({ sql }: World, nonce: string, withinMs: number): Promise<void> =>
  wait(withinMs, async () => (await sql`select 1 from settlements where nonce = ${nonce}`).length > 0);

/** Waits until a proof has ended without a payment, which must not happen before its end is final. */
export const isVoid = ({ sql }: World, nonce: string, withinMs: number): Promise<void> =>
  wait(
    withinMs,
    async () => (await sql`select 1 from settlements where nonce = ${nonce} and state = 'void'`).length > 0,
  );

/** Waits until a refund of the sale has a transfer. */
export const isRefunded = ({ sql }: World, paymentId: number, withinMs: number): Promise<void> =>
  wait(withinMs, async () => {
    const rows = await sql`select 1 from refunds where payment_id = ${paymentId} and settlement_id is not null`;
    return rows.length > 0;
  });

/** Waits until a vault can pay, or has ended. */
export const isVault = (state: "open" | "closed", { sql }: World, mandateId: string, withinMs: number): Promise<void> =>
  wait(withinMs, async () => {
    const rows = await sql`select 1 from vaults where mandate_id = ${mandateId} and state = ${state}`;
    return rows.length > 0;
  });

/** Waits until the servers have searched the blocks up to `head` for transfers to and from vaults. */
export const isSearched = ({ sql }: World, head: bigint, withinMs: number): Promise<void> =>
  wait(withinMs, async () => {
    const rows =
      await sql`select 1 from vault_searches where network = 'base' and block_number >= ${head.toString()}::bigint`;
    return rows.length > 0;
  });

export type UnreadVault = { mandate_id: string; state: string; read_block: string | null; is_stale: boolean };

/**
 * Waits until every vault that has not ended was read at the block `head` or later, and no other waits to be read. Returns those
 * that were not.
 */
export async function unreadVaults({ sql }: World, head: bigint, withinMs: number): Promise<UnreadVault[]> {
  let late: UnreadVault[] = [];
  await wait(withinMs, async () => {
    late = await sql<UnreadVault[]>`select mandate_id, state, read_block::text, is_stale from vaults
      where (state in ('opening', 'open', 'closing') and coalesce(read_block, 0) < ${head.toString()}::bigint)
      or (is_stale and state <> 'proposed')`;
    return late.length === 0;
  });
  return late;
}

/** Waits until a settlement from a wallet is in the pool; returns whether one is. */
export async function isSubmitted({ sql }: World, purpose: string, payer: string, withinMs: number): Promise<boolean> {
  const rows = () => sql`select 1 from settlements
    where purpose = ${purpose} and lower(payer) = lower(${payer}) and state = 'broadcast'`;
  await wait(withinMs, async () => (await rows()).length > 0);
  return (await rows()).length > 0;
}

/** Waits until the servers have sent what was claimed. */
export const isSent = ({ sql }: World, withinMs: number): Promise<void> =>
  wait(withinMs, async () => {
    const [row] = await sql`select count(*)::int as waiting from settlements where state in ('claimed', 'prepared')`;
    return row?.waiting === 0;
  });

/** Waits for something while blocks are mined. */
export async function mined(world: World, work: Promise<unknown>): Promise<void> {
  let isDone = await Promise.race([work.then(() => true), sleep(OFTEN_MS).then(() => false)]);
  const done = work.finally(() => {
    isDone = true;
  });
  done.catch(() => {});
  while (!isDone) {
    await world.mineAll();
    await Promise.race([done.catch(() => {}), sleep(BLOCK_MS)]);
  }
  await done;
}

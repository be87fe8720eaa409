import { setTimeout as sleep } from "node:timers/promises";
import type { World } from "./world";

export const OFTEN_MS = 6;
/** Interval between blocks while requests are pending. */
const BLOCK_MS = 60;

/** Polls until `isSo` holds or `withinMs` have passed. */
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

/** Waits until every relayer has finished a round that ended after the call: one may have died, or wait for a hanging node. */
export async function isRelaying({ sql }: World, withinMs: number): Promise<void> {
  const [at] = await sql<{ now: Date }[]>`select now()`;
  await wait(withinMs, async () => {
    const late =
      await sql`select 1 from leases where name like 'relayer:%' and (worked_at is null or worked_at <= ${at?.now ?? 0})`;
    return late.length === 0;
  });
}

/** Waits until the service has claimed a proof. */
export const isClaimed = ({ sql }: World, nonce: string, withinMs: number): Promise<void> =>
  wait(withinMs, async () => (await sql`select 1 from settlements where nonce = ${nonce}`).length > 0);

/** Waits until a settlement is void, which must not happen before its end is final. */
export const isVoid = ({ sql }: World, nonce: string, withinMs: number): Promise<void> =>
  wait(
    withinMs,
    async () => (await sql`select 1 from settlements where nonce = ${nonce} and state = 'void'`).length > 0,
  );

/** Waits until the sale's refund has a settlement. */
export const isRefunded = ({ sql }: World, paymentId: number, withinMs: number): Promise<void> =>
  wait(withinMs, async () => {
    const rows = await sql`select 1 from refunds where payment_id = ${paymentId} and settlement_id is not null`;
    return rows.length > 0;
  });

/** Waits until a vault is in `state`. */
export const isVault = (state: "open" | "closed", { sql }: World, mandateId: string, withinMs: number): Promise<void> =>
  wait(withinMs, async () => {
    const rows = await sql`select 1 from vaults where mandate_id = ${mandateId} and state = ${state}`;
    return rows.length > 0;
  });

/** Waits until the servers have searched the blocks up to `head` for vault transfers. */
export const isSearched = ({ sql }: World, head: bigint, withinMs: number): Promise<void> =>
  wait(withinMs, async () => {
    const rows =
      await sql`select 1 from vault_searches where network = 'base' and block_number >= ${head.toString()}::bigint`;
    return rows.length > 0;
  });

export type UnreadVault = { mandate_id: string; state: string; read_block: string | null; is_stale: boolean };

/** Waits until every vault that has not ended was read at block `head` or later and none is stale. Returns the others. */
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

/** Waits until the servers have sent all claimed settlements. */
export const isSent = ({ sql }: World, withinMs: number): Promise<void> =>
  wait(withinMs, async () => {
    const [row] = await sql`select count(*)::int as waiting from settlements where state in ('claimed', 'prepared')`;
    return row?.waiting === 0;
  });

/** Waits for `work` while mining blocks. */
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

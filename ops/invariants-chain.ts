import { sql } from "drizzle-orm";
import type { Hex } from "viem";
import { type Address, toAddress } from "@/lib/core/address";
import { unixSeconds } from "@/lib/core/time";
import type { AuthorizationLog, Chain, Use } from "@/lib/platform/chain";
import { allLogs } from "@/lib/platform/chain-logs";
import type { System } from "@/lib/platform/context";
import { keyOf } from "@/lib/platform/subscriber";
import type { NetworkName } from "@/lib/x402/networks";

/** A violated invariant, with one example. */
export type Violation = { invariant: string; count: number; example: unknown };

export type Row = Record<string, unknown>;

export const violation = (invariant: string, rows: readonly Row[]): Violation[] =>
  rows.length > 0 ? [{ invariant, count: rows.length, example: rows[0] }] : [];

/**
 * I4 in both directions, I17 and I18: every transfer credited in the ledger is on the chain; every transfer of the service on the
 * chain is in the ledger; a void settlement can never move money; every transfer out of a spending wallet has a row in the
 * database.
 */
export async function againstChain(system: System, network: NetworkName): Promise<Violation[]> {
  // Read before the ledger, which then contains at least everything up to this block.
  const reach = await reachOf(system, network);
  const { rows: credited } = await system.db.execute<Row>(sql`
    select payer, nonce, account, tx_hash, sum(amount)::text as amount from ledger_entries
    where network = ${network} and side = 'credit' group by 1, 2, 3, 4 having sum(amount) <> 0`);
  const keys = new Set(credited.map((row) => `${row.payer} ${row.nonce}`));
  const [unmatched, { missing, unknown }, usable] = await Promise.all([
    creditedWithoutTransfer(system.chains[network], credited),
    reach ? movedOutside(system, network, reach, keys) : { missing: [], unknown: [] },
    reach ? voidYetUsable(system, network, reach.upTo) : [],
  ]);
  return [
    ...violation(`I4 every credit is a transfer on ${network}`, unmatched),
    ...violation(`I4 every transfer of the service on ${network} is credited`, missing),
    ...violation(`I18 every transfer out of a spending wallet or vault on ${network} is in the database`, unknown),
    ...violation(`I17 what is void on ${network} never moved and never can`, usable),
  ];
}

const RECEIPTS_AT_ONCE = 100;

async function creditedWithoutTransfer(chain: Chain, credited: readonly Row[]): Promise<Row[]> {
  const hashes = [...new Set(credited.map((row) => row.tx_hash as Hex))];
  const transfers = new Map<string, Use["transfer"]>();
  for (let index = 0; index < hashes.length; index += RECEIPTS_AT_ONCE) {
    const receipts = await Promise.all(
      hashes.slice(index, index + RECEIPTS_AT_ONCE).map((hash) => chain.receipt(hash)),
    );
    for (const receipt of receipts) {
      for (const use of receipt?.uses ?? []) {
        transfers.set(`${receipt?.hash} ${use.payer} ${use.nonce}`, use.transfer);
      }
    }
  }
  return credited.filter((row) => {
    const transfer = transfers.get(`${row.tx_hash} ${row.payer} ${row.nonce}`);
    return transfer?.to !== row.account || transfer?.value.toString() !== row.amount;
  });
}

/** The range of blocks that the ledger must cover; null if none was read. */
async function reachOf({ db }: System, network: NetworkName): Promise<{ after: bigint; upTo: bigint } | null> {
  const {
    rows: [reach],
  } = await db.execute<Row>(sql`
    select c.block_number::text as upto, (select min(claimed_at_block) filter (where claimed_at_block > 0)::text from settlements where network = ${network}) as claimed,
      (select min(number)::text from chain_blocks where network = ${network}) as read
    from chain_cursors c where c.network = ${network}`);
  if (!reach) return null;
  return { after: BigInt(String(reach.claimed ?? reach.read ?? reach.upto)), upTo: BigInt(String(reach.upto)) };
}

/** Used authorizations known to the service without a credit (`missing`), and those of its wallets and vaults without a row (`unknown`). */
async function movedOutside(
  system: System,
  network: NetworkName,
  { after: lowerBound, upTo }: { after: bigint; upTo: bigint },
  credited: ReadonlySet<string>,
): Promise<{ missing: Row[]; unknown: Row[] }> {
  const { rows: ours } = await system.db.execute<Row>(sql`
    select payer, nonce from reservations where network = ${network}
    union select payer, nonce from settlements where network = ${network} and failure_code is distinct from 'ALREADY_USED'`);
  const knownKeys = new Set(
    ours.map((row) => keyOf({ network, from: toAddress(String(row.payer)), nonce: row.nonce as `0x${string}` })),
  );
  const { rows } = await system.db.execute<Row>(sql`select address from wallets where network = ${network}`);
  const wallets = new Set(rows.map(({ address }) => address));
  const { rows: vaults } = await system.db.execute<{ address: string; owner: string; pocket: string | null }>(
    sql`select address, owner, pocket from vaults where network = ${network} and address is not null`,
  );
  // A vault funds its pocket, and the pocket returns what is left.
  const homes = new Map<string, readonly string[]>(
    vaults.flatMap(({ address, owner, pocket }) => [
      [address, [owner, ...(pocket ? [pocket] : [])]] as const,
      ...(pocket ? [[pocket, [owner, address]] as const] : []),
    ]),
  );
  const missing: Row[] = [];
  const unknown: Row[] = [];
  if (lowerBound >= upTo) return { missing, unknown };
  const { logs, last } = await allLogs(system.chains[network], { from: lowerBound + 1n, to: upTo });
  if (!last) {
    const { number } = await system.chains[network].head();
    throw new Error(`${network}: the node has not got block ${upTo}, which was read before; its newest is ${number}`);
  }
  for (const log of logs) {
    const isOurs = knownKeys.has(keyOf({ network, from: log.payer, nonce: log.nonce }));
    if (log.kind !== "used") continue;
    if (isOurs && !credited.has(`${log.payer} ${log.nonce}`)) missing.push({ ...log });
    if (!isOurs && wallets.has(log.payer)) unknown.push({ ...log });
    const home = homes.get(log.payer);
    // An owner's exit and the service's returns are not in the database; both are transfers to the owner.
    if (!isOurs && home && !(await wentTo(system.chains[network], log, home))) unknown.push({ ...log });
  }
  return { missing, unknown };
}

async function wentTo(
  chain: Chain,
  { txHash, payer, nonce }: AuthorizationLog,
  home: readonly string[],
): Promise<boolean> {
  const uses = (await chain.receipt(txHash))?.uses ?? [];
  const use = uses.find((candidate) => candidate.payer === payer && candidate.nonce === nonce);
  return use?.transfer != null && home.includes(use.transfer.to);
}

/** Only the newest are checked; older ones were checked when they were new. */
const VOIDS_MAX = 1_000;

type Void = { id: string; payer: Address; payee: string; nonce: Hex; amount: string };

/** Void settlements whose authorization is still usable, or whose transfer was made after the claim. */
async function voidYetUsable(system: System, network: NetworkName, upTo: bigint): Promise<Row[]> {
  const { rows } = await system.db.execute<
    Void & { valid_before: string; block_number: string; claimed_at_block: string }
  >(sql`
    select id, payer, payee, nonce, amount::text, valid_before::text, block_number::text, claimed_at_block::text
    from settlements where network = ${network} and state = 'void' order by ended_at desc limit ${VOIDS_MAX}`);
  const chain = system.chains[network];
  const isUsed = await chain.authorizationStates(rows);
  const isViolation = await Promise.all(
    rows.map(async (row, index) => {
      if (isUsed[index]) return hasMoved(chain, row, { from: BigInt(row.claimed_at_block) + 1n, to: upTo });
      const block = await chain.block(BigInt(row.block_number));
      return !block || BigInt(unixSeconds(block.time)) < BigInt(row.valid_before);
    }),
  );
  return rows.filter((_, index) => isViolation[index]);
}

/** Whether blocks in `range` contain exactly this settlement's transfer. */
async function hasMoved(chain: Chain, row: Void, range: { from: bigint; to: bigint }): Promise<boolean> {
  if (range.from > range.to) return false;
  const { logs } = await allLogs(chain, range, row);
  const receipts = await Promise.all(
    logs.filter(({ kind }) => kind === "used").map((log) => chain.receipt(log.txHash)),
  );
  return receipts
    .flatMap((receipt) => receipt?.uses ?? [])
    .some(
      ({ payer, nonce, transfer }) =>
        payer === row.payer &&
        nonce === row.nonce &&
        transfer?.to === row.payee &&
        transfer.value.toString() === row.amount,
    );
}

import { and, eq, inArray, ne, or, sql } from "drizzle-orm";
import type { Hex } from "viem";
import { type Address, toAddress } from "@/lib/core/address";
import type { MandateId } from "@/lib/core/ids";
import type { Usdc } from "@/lib/core/money";
import { addSeconds, unixSeconds } from "@/lib/core/time";
import { reservations } from "@/lib/mandates/tables";
import { readStates } from "@/lib/mandates/vaults/chain";
import type { VaultReading } from "@/lib/mandates/vaults/rules";
import { type SignedVault, signedVault } from "@/lib/mandates/vaults/terms";
import { payments } from "@/lib/payments/tables";
import type { AuthorizationLog, AuthorizationUse, Chain, TransferLog } from "@/lib/platform/chain";
import { allLogs, allTransfers } from "@/lib/platform/chain-logs";
import type { System } from "@/lib/platform/context";
import { keyOf } from "@/lib/platform/subscriber";
import { readUpTo } from "@/lib/settlements/observer/read-blocks";
import { vaults } from "@/lib/vaults/tables";
import { releasedBy } from "@/lib/vaults/terms";
import type { NetworkName } from "@/lib/x402/networks";

/** A violated invariant, with one example. */
export type Violation = { invariant: string; count: number; example: unknown };

export type InvariantRow = Record<string, unknown>;

export const toViolation = (invariant: string, rows: readonly InvariantRow[]): Violation[] =>
  rows.length > 0 ? [{ invariant, count: rows.length, example: rows[0] }] : [];

/**
 * I4 in both directions, I17 and I18: every transfer credited in the ledger is on the chain; every transfer of the service on the
 * chain is in the ledger; a void settlement can never move money; every transfer out of a spending wallet has a row in the
 * database.
 */
export async function againstChain(system: System, network: NetworkName): Promise<Violation[]> {
  // Read before the ledger, which then contains at least everything up to this block.
  const reach = await reachOf(system, network);
  const { rows: credited } = await system.db.execute<InvariantRow>(sql`
    select payer, nonce, account, tx_hash, sum(amount)::text as amount from ledger_entries
    where network = ${network} and side = 'credit' group by 1, 2, 3, 4 having sum(amount) <> 0`);
  const keys = new Set(credited.map((row) => `${row.payer} ${row.nonce}`));
  const [unmatched, { missing, unknown }, usable] = await Promise.all([
    creditedWithoutTransfer(system.chains[network], credited),
    reach ? movedOutside(system, network, reach, keys) : { missing: [], unknown: [] },
    reach ? voidYetUsable(system, network, reach.upTo) : [],
  ]);
  return [
    ...toViolation(`I4 every credit is a transfer on ${network}`, unmatched),
    ...toViolation(`I4 every transfer of the service on ${network} is credited`, missing),
    ...toViolation(`I18 every transfer out of a spending wallet or vault on ${network} is in the database`, unknown),
    ...toViolation(`I17 what is void on ${network} never moved and never can`, usable),
  ];
}

const RECEIPTS_AT_ONCE = 100;

async function creditedWithoutTransfer(chain: Chain, credited: readonly InvariantRow[]): Promise<InvariantRow[]> {
  const hashes = [...new Set(credited.map((row) => row.tx_hash as Hex))];
  const transfers = new Map<string, AuthorizationUse["transfer"]>();
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
  } = await db.execute<InvariantRow>(sql`
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
): Promise<{ missing: InvariantRow[]; unknown: InvariantRow[] }> {
  const { rows: ours } = await system.db.execute<InvariantRow>(sql`
    select payer, nonce from reservations where network = ${network}
    union select payer, nonce from settlements where network = ${network} and failure_code is distinct from 'ALREADY_USED'`);
  const knownKeys = new Set(
    ours.map((row) => keyOf({ network, from: toAddress(String(row.payer)), nonce: row.nonce as `0x${string}` })),
  );
  const { rows } = await system.db.execute<InvariantRow>(sql`select address from wallets where network = ${network}`);
  const wallets = new Set(rows.map(({ address }) => address));
  const { rows: vaultRows } = await system.db.execute<{ address: string; owner: string; pocket: string | null }>(
    sql`select address, owner, pocket from vaults where network = ${network} and address is not null`,
  );
  // A vault funds its pocket, and the pocket returns what is left.
  const homes = new Map<string, readonly string[]>(
    vaultRows.flatMap(({ address, owner, pocket }) => [
      [address, [owner, ...(pocket ? [pocket] : [])]] as const,
      ...(pocket ? [[pocket, [owner, address]] as const] : []),
    ]),
  );
  const missing: InvariantRow[] = [];
  const unknown: InvariantRow[] = [];
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
async function voidYetUsable(system: System, network: NetworkName, upTo: bigint): Promise<InvariantRow[]> {
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

/** Nodes limit the number of addresses in a log query. */
const ADDRESSES_AT_ONCE = 100;
/** Tolerance for differing clocks: a vault has no transfers in blocks older than its row by more than this. */
const CLOCK_SLACK_SECONDS = 3_600;

/** I21, at the newest block that the observer has read. */
export async function againstVaults(system: System, network: NetworkName): Promise<Violation[]> {
  // Read before the database, which then contains at least everything up to this block.
  const upTo = (await readUpTo(system, network))?.blockNumber;
  if (upTo === undefined) return [];
  const rows = await system.db
    .select()
    .from(vaults)
    .where(and(eq(vaults.network, network), ne(vaults.state, "proposed")))
    .orderBy(vaults.createdAt);
  const signed = rows.map(signedVault);
  const findings: VaultFindings = { unexplained: [], misread: [], tooMuch: [] };
  for (let index = 0; index < signed.length; index += ADDRESSES_AT_ONCE) {
    const some = signed.slice(index, index + ADDRESSES_AT_ONCE);
    await checkSums(system, some, upTo, findings);
    findings.misread.push(...(await misread(system.chains[network], some)));
  }
  return [
    ...toViolation(`I21 what left a vault on ${network} is what was paid from it, or went home`, findings.unexplained),
    ...toViolation(`I21 a vault on ${network} has signed no more than it had released by then`, findings.tooMuch),
    ...toViolation(`I21 what was read of a vault on ${network} is what the chain has at that block`, findings.misread),
  ];
}

type VaultFindings = { unexplained: InvariantRow[]; misread: InvariantRow[]; tooMuch: InvariantRow[] };

async function checkSums(
  system: System,
  some: readonly SignedVault[],
  upTo: bigint,
  findings: VaultFindings,
): Promise<void> {
  const [first] = some;
  if (!first) return;
  const chain = system.chains[first.network];
  const states = await readStates(chain, some, upTo);
  if (!states) throw new Error(`${first.network}: no node has the state of block ${upTo}, which was read before`);
  const from = await blockSince(chain, addSeconds(first.createdAt, -CLOCK_SLACK_SECONDS), upTo);
  const addresses = some.flatMap(({ address, pocket }) => [address, ...(pocket ? [pocket] : [])]);
  const { logs, last } = await allTransfers(chain, { from, to: upTo }, addresses);
  if (!last) throw new Error(`${first.network}: the node has not got block ${upTo}, which was read before`);
  const all = await paymentsOf(system, some);
  for (const [index, vault] of some.entries()) {
    const signed = all.filter(({ mandateId }) => mandateId === vault.mandateId);
    // `readStates` returns one state per vault.
    const reading = states[index] as VaultReading;
    const { isExplained, uncounted, ...sums } = sumsOf(vault, reading, movedBy(logs, vault), signed, upTo);
    const about = { mandateId: vault.mandateId, vault: vault.address };
    if (!isExplained) findings.unexplained.push({ ...about, ...sums, uncounted });
    const excess = signedTooEarly(vault, signed, uncounted);
    if (excess) findings.tooMuch.push({ ...about, ...excess });
  }
}

/** Sums of transfers. `filled`: vault to pocket; `back`: pocket to vault; `left`: pocket to owner. */
type TransferSums = { came: bigint; home: bigint; inPocket: bigint; filled: bigint; back: bigint; left: bigint };

function movedBy(logs: readonly TransferLog[], { address, pocket, terms }: SignedVault): TransferSums {
  const sum = (isCounted: (log: TransferLog) => boolean) =>
    logs.filter(isCounted).reduce((total, { value }) => total + value, 0n);
  return {
    came: sum(({ to }) => to === address),
    home: sum(({ from, to }) => from === address && to === terms.owner),
    inPocket: sum(({ to }) => to === pocket),
    filled: sum(({ from, to }) => from === address && to === pocket),
    back: sum(({ from, to }) => from === pocket && to === address),
    left: sum(({ from, to }) => from === pocket && to === terms.owner),
  };
}

type VaultPayment = {
  mandateId: MandateId | null;
  payer: Address;
  amount: Usdc;
  payee: Address;
  block: bigint | null;
  signedAt: Date;
};

/** Payments of vaults and pockets that were made or can still be made, in order of signing. */
const paymentsOf = ({ db }: System, some: readonly SignedVault[]): Promise<VaultPayment[]> =>
  db
    .select({
      mandateId: reservations.mandateId,
      payer: reservations.payer,
      amount: reservations.amount,
      payee: reservations.payee,
      block: reservations.blockNumber,
      signedAt: payments.createdAt,
    })
    .from(reservations)
    .innerJoin(payments, eq(payments.reservationId, reservations.id))
    .innerJoin(vaults, eq(vaults.mandateId, reservations.mandateId))
    .where(
      and(
        inArray(
          reservations.mandateId,
          some.map(({ mandateId }) => mandateId),
        ),
        or(eq(reservations.payer, vaults.address), eq(reservations.payer, vaults.pocket)),
        ne(reservations.state, "released"),
      ),
    )
    .orderBy(payments.createdAt, reservations.id);

/**
 * The contract counts `funded - balance` as spent. It must equal the payments, plus transfers to the pocket, plus other transfers
 * to the owner, less uncounted plain transfers in, such as refunds. What entered the pocket was paid, returned, sent to the owner,
 * or is there.
 */
function sumsOf(
  { address, pocket, terms }: SignedVault,
  { funded, balance, pocketBalance }: VaultReading,
  { came, home, inPocket, filled, back, left: pocketWithdrawals }: TransferSums,
  signed: readonly VaultPayment[],
  upTo: bigint,
) {
  const minedPayments = signed.filter(({ block }) => block !== null && block <= upTo);
  const sum = (sender: Address | null, to?: Address) =>
    minedPayments
      .filter(({ payer, payee }) => payer === sender && (to === undefined || payee === to))
      .reduce((total, { amount }) => total + amount, 0n);
  const [paidByVault, paidByPocket] = [sum(address), sum(pocket)];
  const returned = home - sum(address, terms.owner);
  const uncounted = came - funded;
  const isVaultExplained = returned >= 0n && paidByVault + filled + returned - uncounted === funded - balance;
  const leftOtherwise = pocketWithdrawals - sum(pocket, terms.owner);
  const isPocketExplained = leftOtherwise >= 0n && inPocket - back - paidByPocket - leftOtherwise === pocketBalance;
  const sums = { paid: paidByVault, paidByPocket, returned, filled, uncounted, funded, balance, pocketBalance };
  return { isExplained: isVaultExplained && isPocketExplained, ...sums };
}

/** The first payment that exceeded the amount released when it was signed. Returned money can be spent again. */
function signedTooEarly(
  { terms }: SignedVault,
  signed: readonly VaultPayment[],
  uncounted: bigint,
): InvariantRow | null {
  let sum = 0n;
  for (const { amount, signedAt } of signed) {
    sum += amount;
    const released = releasedBy(terms, unixSeconds(signedAt));
    if (sum > released + uncounted) return { signed: sum, released, signedAt };
  }
  return null;
}

/** Vaults whose stored reading differs from the chain. Skipped if the nodes have discarded that state. */
async function misread(chain: Chain, some: readonly SignedVault[]): Promise<InvariantRow[]> {
  const mismatches: InvariantRow[] = [];
  for (const block of new Set(some.map(({ readBlock }) => readBlock))) {
    const those = some.filter(({ readBlock }) => readBlock === block);
    const states = block === null ? null : await readStates(chain, those, block);
    for (const [index, state] of (states ?? []).entries()) {
      const vault = those[index] as SignedVault;
      const { isFundingUsed: _, ...chainState } = state;
      const wrong = (Object.keys(chainState) as (keyof typeof chainState)[]).filter(
        (member) => chainState[member] !== vault[member],
      );
      if (wrong.length > 0) mismatches.push({ mandateId: vault.mandateId, block, wrong, onChain: chainState });
    }
  }
  return mismatches;
}

/** The first block that is not older than `time`, at most `upTo`. */
async function blockSince(chain: Chain, time: Date, upTo: bigint): Promise<bigint> {
  let [from, to] = [0n, upTo];
  while (from < to) {
    const middle = (from + to) / 2n;
    const block = await chain.block(middle);
    // A node may have pruned the oldest blocks.
    if (!block || block.time < time) from = middle + 1n;
    else to = middle;
  }
  return from;
}

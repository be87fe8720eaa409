import { and, eq, inArray, ne, or } from "drizzle-orm";
import type { Address } from "@/lib/core/address";
import type { MandateId } from "@/lib/core/ids";
import type { Usdc } from "@/lib/core/money";
import { addSeconds, unixSeconds } from "@/lib/core/time";
import { reservations } from "@/lib/mandates/tables";
import { readStates } from "@/lib/mandates/vaults/chain";
import type { VaultReading } from "@/lib/mandates/vaults/rules";
import { type SignedVault, signedVault } from "@/lib/mandates/vaults/terms";
import { payments } from "@/lib/payments/tables";
import type { Chain, TransferLog } from "@/lib/platform/chain";
import { allTransfers } from "@/lib/platform/chain-logs";
import type { System } from "@/lib/platform/context";
import { readUpTo } from "@/lib/settlements/observer/read-blocks";
import { vaults } from "@/lib/vaults/tables";
import { releasedBy } from "@/lib/vaults/terms";
import type { NetworkName } from "@/lib/x402/networks";
import { type Row, type Violation, violation } from "./invariants-chain";

/** Nodes limit the number of addresses in a log query. */
const AT_ONCE = 100;
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
  const findings: Found = { unexplained: [], misread: [], tooMuch: [] };
  for (let index = 0; index < signed.length; index += AT_ONCE) {
    const some = signed.slice(index, index + AT_ONCE);
    await checkSums(system, some, upTo, findings);
    findings.misread.push(...(await misread(system.chains[network], some)));
  }
  return [
    ...violation(`I21 what left a vault on ${network} is what was paid from it, or went home`, findings.unexplained),
    ...violation(`I21 a vault on ${network} has signed no more than it had released by then`, findings.tooMuch),
    ...violation(`I21 what was read of a vault on ${network} is what the chain has at that block`, findings.misread),
  ];
}

type Found = { unexplained: Row[]; misread: Row[]; tooMuch: Row[] };

async function checkSums(system: System, some: readonly SignedVault[], upTo: bigint, findings: Found): Promise<void> {
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
type Moved = { came: bigint; home: bigint; inPocket: bigint; filled: bigint; back: bigint; left: bigint };

function movedBy(logs: readonly TransferLog[], { address, pocket, terms }: SignedVault): Moved {
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

type Payment = {
  mandateId: MandateId | null;
  payer: Address;
  amount: Usdc;
  payee: Address;
  block: bigint | null;
  signedAt: Date;
};

/** Payments of vaults and pockets that were made or can still be made, in order of signing. */
const paymentsOf = ({ db }: System, some: readonly SignedVault[]): Promise<Payment[]> =>
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
  { came, home, inPocket, filled, back, left: pocketWithdrawals }: Moved,
  signed: readonly Payment[],
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
function signedTooEarly({ terms }: SignedVault, signed: readonly Payment[], uncounted: bigint): Row | null {
  let sum = 0n;
  for (const { amount, signedAt } of signed) {
    sum += amount;
    const released = releasedBy(terms, unixSeconds(signedAt));
    if (sum > released + uncounted) return { signed: sum, released, signedAt };
  }
  return null;
}

/** Vaults whose stored reading differs from the chain. Skipped if the nodes have discarded that state. */
async function misread(chain: Chain, some: readonly SignedVault[]): Promise<Row[]> {
  const mismatches: Row[] = [];
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

import { z } from "zod";
import { judgeCaps } from "./caps";
import type { Fact, Facts } from "./chain";
import { keyName } from "./chain";
import { hasMoved, type Row } from "./facts";
import type { Game } from "./game";
import { judgeAnswer } from "./judge-answers";
import { judgeCalls } from "./judge-calls";
import { judgeMove, judgeRefund } from "./judge-moves";
import { judgeSellers } from "./judge-sellers";
import { judgeThieves, refusalsOf } from "./judge-thieves";
import { judgeVaults } from "./judge-vaults";
import { count, type Memory, type Proof, type Reply, saidIn } from "./memory";

/** The report's categories of moved money. */
export const paidFor = (purpose: string) => `paid: ${purpose}`;

/** Rows of earlier seeds in the same world. */
const judged = new WeakMap<object, Set<string>>();

/** Compares all responses and the database with the chain; returns the contradictions. */
export async function judge(game: Game): Promise<string[]> {
  const { world, memory } = game;
  const facts = await factsOf(game);
  const seen = judged.get(world) ?? new Set();
  judged.set(world, seen);
  const all = await world.sql<
    Row[]
  >`select id, payer, nonce, payee, amount::text, purpose, subject, state, failure_code,
    claimed_at_block::text as claimed_at from settlements`;
  const rows = all.filter((row) => !seen.has(row.id));
  for (const row of rows) seen.add(row.id);
  for (const { purpose } of rows.filter(({ state }) => state === "settled")) count(memory.counts, paidFor(purpose));
  for (const refusal of refusalsOf(memory)) count(memory.counts, refusal);
  const byKey = new Map(rows.map((row) => [keyName(row.payer, row.nonce), row]));
  return [
    ...memory.proofs.flatMap((proof) => judgeAnswer(proof, facts, claimOf(proof, byKey), memory)),
    ...memory.proofs.flatMap((proof) => judgeSellers(proof, facts, claimOf(proof, byKey), memory)),
    ...rows.flatMap((row) => judgeRow(row, facts, memory)),
    ...judgeLinks(game, rows, facts),
    ...(await judgePayouts(game, facts)),
    ...(await judgeMandates(game, facts)),
    ...(await judgeVaults(game, facts)),
    ...(await judgeCaps(game, facts)),
    ...(await judgeCalls(game, rows, facts)),
    ...judgeThieves(memory, facts),
    ...(await judgeOwn(game, rows, facts)),
    ...(await judgeHealth(game)),
    ...(await world.invariants()).map(
      (violation) => `${violation.invariant}: ${violation.count} time(s), for example ${text(violation.example)}`,
    ),
  ];
}

/** Events of all chains since the start of the seed. Nonces are random, so no two networks share one. */
async function factsOf({ world, cast: { firstBlock } }: Game): Promise<Facts> {
  const found = await Promise.all(world.chains().map((chain) => chain.facts(firstBlock[chain.network] + 1n)));
  return {
    byKey: new Map(found.flatMap(({ byKey }) => [...byKey])),
    transfers: found.flatMap((each) => each.transfers),
  };
}

const text = (value: unknown) =>
  JSON.stringify(value, (_, part) => (typeof part === "bigint" ? part.toString() : part));

const proofOf = (row: Row, { proofs }: Memory): Proof | undefined =>
  proofs.find((proof) => proof.key === keyName(row.payer, row.nonce) && proof.authorization.to === row.payee);

/** The settlement that a proof claimed. Undefined if the row belongs to another proof with the same nonce. */
function claimOf({ key, authorization }: Proof, byKey: ReadonlyMap<string, Row>): Row | undefined {
  const row = byKey.get(key);
  const isIts = row?.payee === authorization.to && row.amount === authorization.value.toString();
  return isIts ? row : undefined;
}

/** Whether the authorization was used before it was presented to the service. It then pays for nothing there. */
const wasUsedBefore = (fact: Fact, row: Row, proof: Proof | undefined) =>
  // The service's head may come from a false response of a node.
  proof?.claimedByBlock !== undefined && fact.block <= proof.claimedByBlock && fact.block <= BigInt(row.claimed_at);

function judgeRow(row: Row, { byKey }: Facts, memory: Memory): string[] {
  const fact = byKey.get(keyName(row.payer, row.nonce));
  const moved = hasMoved(fact, row.payee, BigInt(row.amount));
  const name = `a settlement for ${row.purpose} (${row.id}, ${row.payer})`;
  if (row.state === "settled" && !moved) return [`${name} is settled, and the chain shows no such transfer`];
  const isEnded = row.state === "failed" || row.state === "void";
  if (isEnded && fact && moved && !wasUsedBefore(fact, row, proofOf(row, memory))) {
    return [`${name} is ${row.state} (${row.failure_code}), and the chain has moved it`];
  }
  return [];
}

const wasDelivered = ({ by, answer }: Reply) => by === "presented" && answer?.status === 200;

/** No link may be sold, or its content delivered, more often than allowed. */
function judgeLinks({ cast, memory }: Game, rows: readonly Row[], { byKey }: Facts): string[] {
  return cast.sellers
    .flatMap(({ links }) => links)
    .flatMap(({ linkId, maxUses }) => {
      if (maxUses === null) return [];
      const paid = rows.filter((row) => {
        const fact = byKey.get(keyName(row.payer, row.nonce));
        const isOurs = row.purpose === "link" && row.subject === linkId;
        return (
          isOurs &&
          fact &&
          hasMoved(fact, row.payee, BigInt(row.amount)) &&
          !wasUsedBefore(fact, row, proofOf(row, memory))
        );
      });
      const given = memory.proofs.filter(
        (proof) => proof.linkId === linkId && !memory.undone.has(proof.key) && proof.replies.some(wasDelivered),
      );
      return [
        ...(paid.length > maxUses
          ? [`link ${linkId} may be paid ${maxUses} times and was paid ${paid.length} times`]
          : []),
        ...(given.length > maxUses
          ? [`link ${linkId} may be sold ${maxUses} times and was delivered ${given.length} times`]
          : []),
      ];
    });
}

const payoutAnswer = z.object({ payout: z.object({ status: z.string() }) });

async function judgePayouts({ cast, memory }: Game, { transfers }: Facts): Promise<string[]> {
  const found: string[] = [];
  for (const { recordId, owner, legs } of memory.payouts) {
    const wallet = cast.sellers[owner]?.wallet;
    const times = legs.map(
      (leg) =>
        transfers.filter(({ from, to, value }) => from === wallet && to === leg.to && value === leg.amount).length,
    );
    const seller = cast.sellers[owner];
    if (times.some((count) => count > 1))
      found.push(`a payout paid an address ${Math.max(...times)} times (${recordId})`);
    if (!recordId || !seller) continue;
    const response = await seller.owner.call("GET", `/api/wallet/payouts/${recordId}`);
    const status = payoutAnswer.safeParse(response.body).data?.payout.status;
    const moved = times.filter((count) => count > 0).length;
    if (status === "succeeded" && moved !== legs.length)
      found.push(`the payout ${recordId} succeeded, and ${moved} of ${legs.length} legs are on the chain`);
    if (status === "failed" && moved !== 0)
      found.push(`the payout ${recordId} failed, and ${moved} of ${legs.length} legs are on the chain`);
    if (status !== "succeeded" && status !== "failed")
      found.push(`the payout ${recordId} says ${status ?? response.status} after everything has ended`);
  }
  return found;
}

async function judgeMandates({ world, cast, memory }: Game, { byKey }: Facts): Promise<string[]> {
  const found: string[] = [];
  const withVault = memory.vaults.map(({ mandateId }) => ({ mandateId, spentBefore: 0n }));
  for (const { mandateId, spentBefore } of [...cast.sellers, ...withVault]) {
    const [mandate] =
      await world.sql`select spent_amount::text as spent, pending_amount::text as pending from mandates where id = ${mandateId}`;
    const reserved =
      await world.sql`select payer, nonce, payee, amount::text from reservations where mandate_id = ${mandateId}`;
    const moved = reserved
      .filter((row) => hasMoved(byKey.get(keyName(row.payer, row.nonce)), row.payee, BigInt(row.amount)))
      .reduce((sum, row) => sum + BigInt(row.amount), 0n);
    const spent = BigInt(mandate?.spent ?? 0) - spentBefore;
    if (spent !== moved || mandate?.pending !== "0") {
      found.push(`the mandate ${mandateId} says spent ${spent}, pending ${mandate?.pending}; the chain says ${moved}`);
    }
  }
  return found;
}

/** Checks deposits, withdrawals and refunds. */
async function judgeOwn({ world, cast, memory }: Game, rows: readonly Row[], facts: Facts): Promise<string[]> {
  const moves = memory.moves.map(async (move) => {
    const id = move.reply ? saidIn(move.reply).settlementId : undefined;
    const row = rows.find((each) => each.id === id);
    const ended = row && (await world.api.call("owner", "GET", `/api/settlements/${row.id}`));
    return judgeMove(move, row, facts, memory, ended);
  });
  const refunds = memory.refunds.map(async (refund) => {
    const agent = cast.sellers[refund.owner]?.agent;
    const own = rows.filter((row) => row.purpose === "refund" && row.subject === refund.refundId);
    const ended = await agent?.call("GET", `/api/payment-links/refunds/${refund.refundId}`);
    return ended ? judgeRefund(refund, own, facts, memory, ended) : [];
  });
  return (await Promise.all([...moves, ...refunds])).flat();
}

async function judgeHealth({ world }: Game): Promise<string[]> {
  const paused = await world.sql`select signer, paused_reason from relayers where paused_reason is not null`;
  const ready = await world.api.call("operator", "GET", "/readyz");
  return [
    ...paused.map((row) => `the relayer ${row.signer} is paused: ${row.paused_reason}`),
    ...(ready.status === 200
      ? []
      : [`/readyz answers ${ready.status} after all faults have ended: ${ready.text.slice(0, 400)}`]),
  ];
}

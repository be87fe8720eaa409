import { setTimeout as sleep } from "node:timers/promises";
import { ADMISSION_BLOCKS_MAX } from "@/lib/settlements/tables";
import { collectAnswers } from "./calls";
import { isFinal, lastSettles, outcomeIn, settle, verify } from "./facilitator";
import { type Game, present } from "./game";
import { type Proof, type Reply, type SellerReply, saidIn } from "./memory";
import { collectPasses, drainPasses } from "./passes";
import { FAILPOINTS } from "./trouble";
import { isRead, isRelaying, isSearched, mined, OFTEN_MS, unreadVaults } from "./waits";
import { CONFIRMATIONS } from "./world";

/** Limit of chain time that honest parties may wait after the last fault. */
const HONEST_SECONDS = 150;
/** Limit of real time for everything expired to end. */
const END_MS = 60_000;
/** Limit of real time for the relayers to resume after the last fault. */
const RELAYING_MS = 60_000;
/** Limit of real time for the servers to read the newest block, and all vaults at it. */
const READ_MS = 3_000;
const VAULTS_READ_MS = 20_000;
/** Limit of real time for the search for transfers, which pauses for seconds. */
const SEARCHED_MS = 30_000;
const SLOW_MS = 150;
/** Chain time that passes per check: for work that needs blocks, and for vaults, which the service reads once a minute. */
const ENDING_SECONDS = 5;
const VAULT_SECONDS = 61;
/** Time for work that needs no further block. */
const SOON_MS = 60;
/** Blocks that may be mined while the observer reads. */
const BEHIND_MAX = 8;
const FEE = 1_000_000_000n;

const OPEN = ["claimed", "prepared", "broadcast", "declined"];

/** Ends all faults and waits until everything has ended. Returns what has not. */
export async function quiet(game: Game): Promise<string[]> {
  const { world, memory } = game;
  await world.heal();
  for (const chain of world.chains()) await chain.baseFee(FEE);
  await revive(game);
  await mined(world, Promise.all(game.open));
  await revive(game);
  await resolveUnknown(game);
  await settleAgain(game, (reply) => !isFinal(outcomeIn(reply)) && !outcomeIn(reply)?.extra);
  // A replaced block reopens what it had ended.
  await isRead(world, READ_MS);

  const honest = memory.proofs.filter((proof) => proof.isHonest).map((proof) => proof.authorization.nonce);
  const waiting = () => world.sql`select id, payer, state from settlements
    where state in ${world.sql(OPEN)} and nonce in ${world.sql(["", ...honest])}`;
  const funded = memory.vaults.filter(({ owner }) => !memory.starved.has(owner)).map(({ mandateId }) => mandateId);
  const opening = () =>
    world.sql`select mandate_id from vaults where state = 'opening' and mandate_id in ${world.sql(["", ...funded])}`;
  await until(game, HONEST_SECONDS, async () => (await waiting()).length === 0 && (await opening()).length === 0);
  // The judge checks declined settlements.
  const late = (await waiting())
    .filter(({ state }) => state !== "declined")
    .map(
      ({ id, payer, state }) => `honest, and still ${state} ${HONEST_SECONDS} s after the last fault (${id}, ${payer})`,
    );
  for (const { mandate_id } of await opening())
    late.push(`funded, and still opening ${HONEST_SECONDS} s after the last fault (the vault of ${mandate_id})`);
  await collectAnswers(game);
  await collectPasses(game);
  const [open] = await world.sql`select greatest(
      (select max(valid_before) from settlements where state in ${world.sql(OPEN)}),
      (select max(valid_before) from reservations where state = 'open'),
      (select max(o.valid_before) from vault_operations o join vaults v using (mandate_id)
        where v.state in ('opening', 'closing')))::text as last`;
  const now = Math.floor(world.now() / 1000);
  const remaining = open?.last ? Number(open.last) - now + 2 : 0;
  if (remaining > 0) await world.pass(Math.min(remaining, 20_000));
  // From then on, no claim can take an earlier use for its payment.
  await world.mineAll(CONFIRMATIONS + 2 * ADMISSION_BLOCKS_MAX);
  await isRead(world, READ_MS);
  await search(game);
  late.push(...(await readVaults(game)));
  let found = await unended(game);
  for (const deadline = performance.now() + END_MS; found.length > 0 && performance.now() < deadline; ) {
    // A payout succeeds some blocks after its last settlement, which may have ended just now.
    await world.pass(ENDING_SECONDS);
    await isRead(world, READ_MS);
    await soon(async () => {
      found = await unended(game);
      return found.length === 0;
    });
  }
  await search(game);
  await lookUp(game);
  // A replaced block may have reverted a payment that a seller was told is paid.
  await settleAgain(game, (reply, { key }) => !isFinal(outcomeIn(reply)) || game.memory.undone.has(key));
  await verifyAgain(game);
  // For what has settled since.
  await collectAnswers(game);
  await collectPasses(game);
  return [...late, ...found, ...(await drainPasses(game))];
}

/** Waits for the search for transfers: only it finds refunds to a closed vault and transfers to the owner. */
async function search({ world, memory }: Game): Promise<void> {
  if (memory.vaults.every(({ refunds }) => refunds.length === 0)) return;
  await isSearched(world, await world.chain.head(), SEARCHED_MS);
}

/** Waits until every vault is read again, which may be the only way to notice what strangers did. Returns the vaults that were not. */
async function readVaults({ world, memory }: Game): Promise<string[]> {
  if (memory.vaults.length === 0) return [];
  const head = await world.chain.head();
  for (const deadline = performance.now() + VAULTS_READ_MS; ; ) {
    await world.pass(VAULT_SECONDS);
    await isRead(world, READ_MS);
    // This minute's reading may have begun before the newest block was read; the next minute has another one.
    const unread = await unreadVaults(world, head, READ_MS);
    if (unread.length === 0 || performance.now() > deadline)
      return unread.map(
        ({ mandate_id, state, read_block, is_stale }) =>
          `the vault of ${mandate_id} (${state}) was not read at block ${head}, but at ${read_block}${is_stale ? ", and waits to be" : ""}`,
      );
  }
}

/** Starts all stopped servers and disarms failpoints that were not reached. */
async function revive({ world }: Game): Promise<void> {
  await Promise.all(
    world.servers.map(async (server) => {
      await server.disarm(FAILPOINTS);
      await server.start();
    }),
  );
}

/** Advances the chain in small steps until `check` holds or `seconds` have passed. */
async function until(game: Game, seconds: number, check: () => Promise<boolean>): Promise<void> {
  for (let passed = 0; passed < seconds; passed += passed < 6 ? 1 : 3) {
    if (await check()) return;
    // A lease lasts longer than the real time of these chain seconds.
    if (passed === 6) await isRelaying(game.world, RELAYING_MS);
    // Retries come within a second or two of real time, and slow machines need time too.
    if (passed >= 6) await sleep(SLOW_MS);
    await game.world.pass(passed < 6 ? 1 : 3);
    await isRead(game.world, READ_MS);
    if (await soon(check)) return;
  }
}

/** Whether `check` becomes true within a short time. */
async function soon(check: () => Promise<boolean>): Promise<boolean> {
  for (const until = performance.now() + SOON_MS; performance.now() < until; await sleep(2 * OFTEN_MS)) {
    if (await check()) return true;
  }
  return false;
}

/** Everything that should have ended but has not. */
async function unended({ world }: Game): Promise<string[]> {
  const { sql, chain } = world;
  const [settlements, reservations, payouts, vaults, operations, [cursor], head] = await Promise.all([
    sql`select id, purpose, state, payer, failure_code from settlements where state in ${sql(OPEN)}`,
    sql`select id, mandate_id from reservations where state = 'open'`,
    sql`select id from payouts where approved_at is not null and succeeded_at is null and failed_at is null`,
    sql`select mandate_id, state from vaults where state in ('opening', 'closing')`,
    sql`select mandate_id, kind, state from vault_operations where state in ('waiting', 'sent')`,
    sql`select block_number::int as read from chain_cursors where network = 'base'`,
    chain.head(),
  ]);
  return [
    ...settlements.map(
      (row) => `still pending at the end: a settlement for ${row.purpose} is ${row.state} (${row.id}, ${row.payer})`,
    ),
    ...reservations.map((row) => `still pending at the end: reservation ${row.id} of mandate ${row.mandate_id}`),
    ...payouts.map((row) => `still pending at the end: the payout ${row.id}`),
    ...vaults.map((row) => `still pending at the end: the vault of ${row.mandate_id} is ${row.state}`),
    ...operations.map((row) => `still pending at the end: ${row.kind} of ${row.mandate_id} is ${row.state}`),
    ...(Number(head) - (cursor?.read ?? 0) > BEHIND_MAX
      ? [`the observer has read up to ${cursor?.read}, the chain is at ${head}`]
      : []),
  ];
}

const namedIn = ({ answer }: Reply) => answer && saidIn(answer).settlementId;
const isUnknown = ({ answer }: Reply) => answer !== null && saidIn(answer).code === "SETTLEMENT_UNKNOWN";

/** Follows the advice of SETTLEMENT_UNKNOWN: reads the settlement, and presents the proof again if there is none. */
async function resolveUnknown(game: Game): Promise<void> {
  for (const proof of game.memory.proofs) {
    const unknown = proof.replies.find(isUnknown);
    const id = unknown && namedIn(unknown);
    if (!id) continue;
    const response = await game.world.api.call("payer", "GET", `/api/settlements/${id}`);
    if (response.status === 404) await mined(game.world, present(game, proof));
  }
}

/** Sellers send payments with an unknown outcome again, as the documentation requires. */
async function settleAgain(game: Game, isDue: (reply: SellerReply, proof: Proof) => boolean): Promise<void> {
  const due = game.memory.proofs.flatMap((proof) =>
    lastSettles(proof)
      .filter((reply) => isDue(reply, proof))
      .map(({ key }) => ({ proof, key })),
  );
  if (due.length > 0) await mined(game.world, Promise.all(due.map(({ proof, key }) => settle(game, proof, key))));
}

/** Verifies proofs again for which sellers were already paid. */
async function verifyAgain(game: Game): Promise<void> {
  const paid = game.memory.proofs.flatMap((proof) =>
    lastSettles(proof)
      .filter((reply) => outcomeIn(reply)?.success)
      .map(({ key }) => ({ proof, key })),
  );
  await Promise.all(paid.map(({ proof, key }) => verify(game, proof, key)));
}

/** Every party reads the final state of its authorizations. */
async function lookUp({ world, memory }: Game): Promise<void> {
  for (const proof of memory.proofs) {
    // PAYMENT_ALREADY_USED names the settlement of the other transfer with the same nonce.
    const isItsOwn = (status: number) => status !== 409 || proof.act !== "double_nonce";
    const ids = proof.replies.flatMap(({ answer }) =>
      answer && isItsOwn(answer.status) ? [saidIn(answer).settlementId] : [],
    );
    for (const id of new Set(ids.filter((named) => named !== undefined))) {
      const response = await world.api.call("payer", "GET", `/api/settlements/${id}`);
      // SETTLEMENT_UNKNOWN may name an id without a settlement, which resolveUnknown has handled.
      const isNobodys =
        response.status === 404 && proof.replies.every((reply) => isUnknown(reply) || namedIn(reply) !== id);
      if (!isNobodys) proof.replies.push({ at: world.now(), by: "looked up", answer: response });
    }
  }
}

import { setTimeout as sleep } from "node:timers/promises";
import { type Game, present } from "./game";
import { saidIn, type Told } from "./memory";
import { FAILPOINTS } from "./trouble";
import { isRead, isRelaying, mined, OFTEN_MS } from "./waits";
import { CONFIRMATIONS } from "./world";

/** For so many seconds of the chain those who did nothing wrong may wait, once all faults are over. */
const HONEST_SECONDS = 150;
/** And so long, in real time, for everything to end that has expired. */
const END_MS = 60_000;
/** So long, in real time, the relayers may take to go on after all faults. */
const RELAYING_MS = 60_000;
/** So long a look waits for the servers to have read the newest block. */
const READ_MS = 3_000;
const SLOW_MS = 150;
/** So long something may take that needs no further block. */
const SOON_MS = 60;
/** Blocks: they come while it reads. */
const BEHIND_MAX = 8;
const FEE = 1_000_000_000n;

const OPEN = ["claimed", "prepared", "broadcast", "declined"];

/** Ends all faults and lets everything end; returns what did not. */
export async function quiet(game: Game): Promise<string[]> {
  const { world, memory } = game;
  await world.heal();
  for (const chain of world.chains()) await chain.baseFee(FEE);
  await revive(game);
  await mined(world, Promise.all(game.open));
  await revive(game);
  await askAgain(game);
  // What a replaced block took back is open again.
  await isRead(world, READ_MS);

  const honest = memory.proofs.filter((proof) => proof.isHonest).map((proof) => proof.authorization.nonce);
  const waiting = () => world.sql`select id, payer, state from settlements
    where state in ${world.sql(OPEN)} and nonce in ${world.sql(["", ...honest])}`;
  await until(game, HONEST_SECONDS, async () => (await waiting()).length === 0);
  // Of those that are declined, the judge has more to say.
  const late = (await waiting())
    .filter(({ state }) => state !== "declined")
    .map(({ id, payer, state }) => `honest, and still ${state} ${HONEST_SECONDS} s after all faults (${id}, ${payer})`);
  const [open] = await world.sql`select greatest(
      (select max(valid_before) from settlements where state in ${world.sql(OPEN)}),
      (select max(valid_before) from payments where status in ('signed', 'submitted')))::text as last`;
  const now = Math.floor(world.now() / 1000);
  const left = open?.last ? Number(open.last) - now + 2 : 0;
  if (left > 0) await world.pass(Math.min(left, 20_000));
  await world.mineAll(CONFIRMATIONS);
  await isRead(world, READ_MS);
  let found = await unended(game);
  for (const deadline = performance.now() + END_MS; found.length > 0 && performance.now() < deadline; ) {
    // A payout has succeeded some blocks after its last settlement, which may have ended just now.
    await world.pass(1);
    await isRead(world, READ_MS);
    await soon(async () => {
      found = await unended(game);
      return found.length === 0;
    });
  }
  await lookUp(game);
  return [...late, ...found];
}

/** Starts every server that is not running; those that were to die somewhere, and have not, live on. */
async function revive({ world }: Game): Promise<void> {
  await Promise.all(
    world.servers.map(async (server) => {
      await server.disarm(FAILPOINTS);
      await server.start();
    }),
  );
}

/** Lets a second of the chain pass for each look. */
async function until(game: Game, seconds: number, check: () => Promise<boolean>): Promise<void> {
  for (let passed = 0; passed < seconds; passed += passed < 6 ? 1 : 3) {
    if (await check()) return;
    // A lease lasts longer than these seconds of the chain take.
    if (passed === 6) await isRelaying(game.world, RELAYING_MS);
    // What is tried again after a second or two is tried again soon. A slow machine has to keep up with the rest.
    if (passed >= 6) await sleep(SLOW_MS);
    await game.world.pass(passed < 6 ? 1 : 3);
    await isRead(game.world, READ_MS);
    if (await soon(check)) return;
  }
}

/** Whether something comes true within a moment. */
async function soon(check: () => Promise<boolean>): Promise<boolean> {
  for (const until = performance.now() + SOON_MS; performance.now() < until; await sleep(2 * OFTEN_MS)) {
    if (await check()) return true;
  }
  return false;
}

/** What should have ended, and has not. */
async function unended({ world }: Game): Promise<string[]> {
  const { sql, chain } = world;
  const [settlements, payments, payouts, [cursor], head] = await Promise.all([
    sql`select id, purpose, state, payer, failure_code from settlements where state in ${sql(OPEN)}`,
    sql`select id, status from payments where status in ('signed', 'submitted')`,
    sql`select id from payouts where approved_at is not null and succeeded_at is null and failed_at is null`,
    sql`select block_number::int as read from chain_cursors where network = 'base'`,
    chain.head(),
  ]);
  return [
    ...settlements.map(
      (row) => `pending for ever: a settlement for ${row.purpose} is ${row.state} (${row.id}, ${row.payer})`,
    ),
    ...payments.map((row) => `pending for ever: the payment ${row.id} is ${row.status}`),
    ...payouts.map((row) => `pending for ever: the payout ${row.id}`),
    ...(Number(head) - (cursor?.read ?? 0) > BEHIND_MAX
      ? [`the observer has read up to ${cursor?.read}, the chain is at ${head}`]
      : []),
  ];
}

const namedIn = ({ answer }: Told) => answer && saidIn(answer).settlementId;
const isUnknown = ({ answer }: Told) => answer !== null && saidIn(answer).code === "SETTLEMENT_UNKNOWN";

/** Who was told SETTLEMENT_UNKNOWN does what it says: looks the settlement up, and presents the proof once more if there is none. */
async function askAgain(game: Game): Promise<void> {
  for (const proof of game.memory.proofs) {
    const unknown = proof.told.find(isUnknown);
    const id = unknown && namedIn(unknown);
    if (!id) continue;
    const answer = await game.world.api.call("payer", "GET", `/api/settlements/${id}`);
    if (answer.status === 404) await mined(game.world, present(game, proof));
  }
}

/** Everybody asks once more what became of theirs. */
async function lookUp({ world, memory }: Game): Promise<void> {
  for (const proof of memory.proofs) {
    // "Used before" names the settlement of the other transfer that was signed with the nonce.
    const isItsOwn = (status: number) => status !== 409 || proof.act !== "double_nonce";
    const ids = proof.told.flatMap(({ answer }) =>
      answer && isItsOwn(answer.status) ? [saidIn(answer).settlementId] : [],
    );
    for (const id of new Set(ids.filter((named) => named !== undefined))) {
      const answer = await world.api.call("payer", "GET", `/api/settlements/${id}`);
      // SETTLEMENT_UNKNOWN names an id that may be nobody's: askAgain did what it says then.
      const isNobodys = answer.status === 404 && proof.told.every((told) => isUnknown(told) || namedIn(told) !== id);
      if (!isNobodys) proof.told.push({ at: world.now(), by: "looked up", answer });
    }
  }
}

import { setTimeout as sleep } from "node:timers/promises";
import type { Game } from "./game";
import { saidIn } from "./memory";
import { CONFIRMATIONS } from "./world";

/** For so many seconds of the chain those who did nothing wrong may wait, once all faults are over. */
const HONEST_SECONDS = 150;
/** And so long, in real time, for everything to end that has expired. */
const END_MS = 20_000;
const LOOK_MS = 40;
/** Blocks: they come while it reads. */
const BEHIND_MAX = 8;
const FEE = 1_000_000_000n;

const OPEN = ["claimed", "prepared", "broadcast", "declined"];

/** Ends all faults and lets everything end; returns what did not. */
export async function quiet(game: Game): Promise<string[]> {
  const { world, memory } = game;
  world.heal();
  await world.chain.baseFee(FEE);
  await revive(game);
  await Promise.all(game.open.map((work) => mined(game, work)));
  await revive(game);

  const honest = memory.proofs.filter((proof) => proof.isHonest).map((proof) => proof.authorization.nonce);
  await until(game, HONEST_SECONDS, async () => {
    const [row] = await world.sql`select count(*)::int as open from settlements
      where state in ${world.sql(OPEN)} and nonce in ${world.sql(["", ...honest])}`;
    return row?.open === 0;
  });
  const [late] = await world.sql`select greatest(
      (select max(valid_before) from settlements where state in ${world.sql(OPEN)}),
      (select max(valid_before) from payments where status in ('signed', 'submitted')))::text as last`;
  const now = Math.floor(world.now() / 1000);
  const left = late?.last ? Number(late.last) - now + 2 : 0;
  if (left > 0) await world.pass(Math.min(left, 20_000));
  for (let block = 0; block < CONFIRMATIONS; block++) await world.mineAll();
  const deadline = performance.now() + END_MS;
  await until(game, Number.POSITIVE_INFINITY, async () => {
    return (await unended(game)).length === 0 || performance.now() > deadline;
  });
  const found = await unended(game);
  await lookUp(game);
  return found;
}

/** Starts every server that is not running, and those again that were to die somewhere and have not. */
async function revive({ world }: Game): Promise<void> {
  await Promise.all(
    world.servers.map(async (server) => {
      if (server.isArmed()) await server.kill();
      await server.start();
    }),
  );
}

/** Waits for something while blocks come. */
async function mined({ world }: Game, work: Promise<unknown>): Promise<void> {
  let isDone = false;
  const done = work.finally(() => {
    isDone = true;
  });
  done.catch(() => {});
  while (!isDone) {
    await world.mineAll();
    await Promise.race([done.catch(() => {}), sleep(LOOK_MS)]);
  }
  await done;
}

/** Lets a second of the chain pass for each look. */
async function until(game: Game, seconds: number, check: () => Promise<boolean>): Promise<void> {
  for (let passed = 0; passed < seconds; passed++) {
    if (await check()) return;
    await game.world.pass(1);
    await sleep(LOOK_MS);
  }
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
      proof.told.push({ at: world.now(), by: "looked up", answer });
    }
  }
}

import { setTimeout as sleep } from "node:timers/promises";
import { payAbroad } from "./buyers";
import { present, submit, type Turn } from "./game";
import type { Proof } from "./memory";
import { addressOf, fresh, fund, hostile, show } from "./strangers";
import { reorganise } from "./trouble";
import { isClaimed, isRead, isVoid } from "./waits";

/** Time for the servers to read a block and accept a proof. */
const SEEN_MS = 300;
/** Longer than it takes to get a transaction into a block through a slow node. */
const SLOW_MS = 100;

/** Mines pending transactions, waits until the servers have read the block, runs `meanwhile`, and replaces the block. */
export async function undo(
  { game }: Turn,
  { network }: Pick<Proof, "network">,
  meanwhile: () => Promise<unknown> = async () => {},
): Promise<void> {
  const chain = game.world.on(network);
  await chain.mine(1);
  await isRead(game.world, SEEN_MS);
  await meanwhile();
  await reorganise(game, chain, 1);
}

async function presentProof(turn: Turn, act: string) {
  const payer = fresh(turn, act);
  const proof = hostile(turn, payer, { act });
  await fund(turn, proof, addressOf(payer), proof.authorization.value);
  show(turn, proof);
  return { proof, payer };
}

/** A cancellation in a block that is replaced, followed by the payment. */
export async function cancelUndone(turn: Turn): Promise<void> {
  const { proof, payer } = await presentProof(turn, "cancel_undone");
  const { world } = turn.game;
  const { nonce } = proof.authorization;
  const chain = world.on(proof.network);
  if (turn.step.count === 1) await sleep(25);
  else await isClaimed(world, nonce, 2 * SEEN_MS);
  await chain.cancel(payer.account, nonce).catch(() => undefined);
  await undo(turn, proof, async () => {
    await isVoid(world, nonce, SEEN_MS);
    await present(turn.game, proof);
  });
  await submit(turn.game, proof);
  await chain.mine(1);
}

/** A stranger submits a proof before the service sends anything. Returns the proof, which is in the pool. */
async function frontRun(turn: Turn, act: string): Promise<Proof> {
  const { world } = turn.game;
  for (const node of world.nodes) node.weather.slowMs = SLOW_MS;
  const { proof } = await presentProof(turn, act);
  await isClaimed(world, proof.authorization.nonce, 2 * SEEN_MS);
  await submit(turn.game, proof);
  for (const node of world.nodes) node.weather.slowMs = 0;
  return proof;
}

/** A stranger pays before the service sends anything, in a block that is replaced; nobody sends the payment again. */
export async function frontRunUndone(turn: Turn): Promise<void> {
  await undo(turn, await frontRun(turn, "front_run_undone"));
}

/** A stranger pays before the service sends anything, and all nodes hide the log for some steps. */
export async function frontRunHidden(turn: Turn): Promise<void> {
  const { world, later } = turn.game;
  const proof = await frontRun(turn, "front_run_hidden");
  for (const node of world.nodes) node.weather.hidesLogs = true;
  later.push({
    at: turn.at + 1 + turn.step.count,
    work: async () => {
      for (const node of world.nodes) node.weather.hidesLogs = false;
    },
  });
  await world.on(proof.network).mine(1);
  await isRead(world, SEEN_MS);
}

/** A mandate's payment to an outside host, in a block that is replaced; it is not made again. */
export async function abroadUndone(turn: Turn): Promise<void> {
  const proof = await payAbroad(turn.game, turn, true);
  if (proof) await undo(turn, proof);
}

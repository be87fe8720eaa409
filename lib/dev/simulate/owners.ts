import { z } from "zod";
import type { Answer, OwnerActor } from "../actors";
import { type Game, heard, indexOf, sellerOf, start, type Turn } from "./game";
import { giveBack, giveBackTwice, refundUndone } from "./refunds";
import type { OWNERS } from "./schedule";
import { isSubmitted } from "./waits";

const payoutAnswer = z.object({ payout: z.object({ payoutRecordId: z.string() }) });
const typed = z.object({ message: z.object({ from: z.string(), nonce: z.string() }) });

/** Pays out of the owner's wallet to addresses that get money from nowhere else. */
async function payOut(turn: Turn, legs: number, value: bigint): Promise<void> {
  const { game, at } = turn;
  const { owner } = sellerOf(turn);
  const recipients = Array.from({ length: legs }, (_, leg) => ({
    toAddress: game.cast.account(`recipient ${at} ${leg}`).account.address,
    amount: (value + BigInt(leg)).toString(),
  }));
  const memory = {
    recordId: null as string | null,
    owner: indexOf(turn),
    legs: recipients.map(({ toAddress: to, amount }) => ({ to: to.toLowerCase(), amount: BigInt(amount) })),
    told: [] as Answer[],
  };
  game.memory.payouts.push(memory);
  const json = { payoutId: `p-${game.plan.seed}-${at}`, recipients, approve: true };
  // Again with the same name when the answer is lost, as the interface tells its clients to.
  for (let tries = 0; tries < 3; tries++) {
    const answer = await heard(owner.call("POST", "/api/wallet/payouts", json));
    if (!answer) continue;
    memory.told.push(answer);
    memory.recordId = payoutAnswer.safeParse(answer.body).data?.payout.payoutRecordId ?? memory.recordId;
    return;
  }
}

async function deposit(game: Game, owner: OwnerActor, index: number, amount: number): Promise<void> {
  const path = `/api/wallet/deposits/typed-data?network=base&amount=${amount}`;
  const asked = await heard(owner.call("GET", path));
  const message = typed.safeParse(asked?.body).data?.message;
  if (!asked || !message) return;
  // What the page does with what it was given.
  const signature = await owner.account.signTypedData(asked.body as Parameters<typeof owner.account.signTypedData>[0]);
  const json = { network: "base", authorization: (asked.body as { message: object }).message, signature };
  const told = await heard(owner.call("POST", "/api/wallet/deposits", json));
  game.memory.moves.push({ kind: "deposit", owner: index, told, from: message.from, nonce: message.nonce });
}

/** What an owner does with their own money. */
export const OWN: Record<keyof typeof OWNERS, (turn: Turn) => void | Promise<void>> = {
  payout: (turn) => start(turn.game, payOut(turn, 1, BigInt(turn.step.amount))),
  split_payout: (turn) => start(turn.game, payOut(turn, 1 + turn.step.count, BigInt(turn.step.amount))),

  starved_payout: starve,

  refund: (turn) => start(turn.game, giveBack(turn)),

  refund_shown: giveBackTwice,

  refund_undone: refundUndone,

  deposit: (turn) => start(turn.game, deposit(turn.game, sellerOf(turn).owner, indexOf(turn), turn.step.amount)),

  withdraw: (turn) => start(turn.game, withdraw(turn, turn.step.amount)),

  disable_link: (turn) => {
    const { agent, links } = sellerOf(turn);
    const link = links[turn.at % links.length];
    if (link) start(turn.game, heard(agent.call("PATCH", `/api/payment-links/${link.linkId}`, { status: "disabled" })));
  },
};

/** So long a transfer has until it is in the pool. */
const SENT_MS = 300;

/**
 * A split among three and a withdrawal of nearly everything: there is money for one of them, or for two legs. They come at
 * once, or the split when the withdrawal is in the pool.
 */
async function starve(turn: Turn): Promise<void> {
  const { game, step } = turn;
  const { world } = game;
  const split = () => payOut(turn, 3, BigInt(step.amount));
  const held = Number(await world.chain.balanceOf(sellerOf(turn).wallet));
  const left = 2 * step.amount + 1;
  if (held <= left) return start(game, split());
  const withdrawn = withdraw(turn, held - left);
  start(game, withdrawn);
  if (step.count === 1) return start(game, split());
  await Promise.race([withdrawn, isSubmitted(world, "withdrawal", SENT_MS)]);
  const paid = split();
  start(game, paid);
  await Promise.race([paid, isSubmitted(world, "payout", SENT_MS)]);
}

async function withdraw(turn: Turn, amount?: number): Promise<void> {
  const { owner } = sellerOf(turn);
  const json = { network: "base", ...(amount && { amount: String(amount) }) };
  const told = await heard(owner.call("POST", "/api/wallet/withdrawals", json));
  turn.game.memory.moves.push({ kind: "withdrawal", owner: indexOf(turn), told, from: null, nonce: null });
}

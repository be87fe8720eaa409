import type { Row } from "postgres";
import { z } from "zod";
import { toUsdc } from "@/lib/core/money";
import type { Authorization } from "@/lib/x402/authorization";
import type { Answer } from "../actors/api";
import type { OwnerActor } from "../actors/owners";
import { rushCap } from "./caps";
import { type Game, indexOf, orNull, sellerOf, start, type Turn } from "./game";
import { refundSale, refundTwice, refundUndone } from "./refunds";
import type { OWNERS } from "./schedule";
import { isSubmitted } from "./waits";

const payoutAnswer = z.object({ payout: z.object({ payoutRecordId: z.string() }) });
const typed = z.object({ message: z.object({ from: z.string(), nonce: z.string() }) });

/** Pays from the owner's wallet to addresses that receive no other money. */
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
    replies: [] as Answer[],
  };
  game.memory.payouts.push(memory);
  const json = { payoutId: `p-${game.plan.seed}-${at}`, recipients, approve: true };
  // Retries under the same id if the response is lost, as the API requires.
  for (let tries = 0; tries < 3; tries++) {
    const response = await orNull(owner.confirm("/api/wallet/payouts", json));
    if (!response) continue;
    memory.replies.push(response);
    memory.recordId = payoutAnswer.safeParse(response.body).data?.payout.payoutRecordId ?? memory.recordId;
    return;
  }
}

async function deposit(game: Game, owner: OwnerActor, index: number, amount: number): Promise<void> {
  const path = `/api/wallet/deposits/typed-data?network=base&amount=${amount}`;
  const unsigned = await orNull(owner.call("GET", path));
  const message = typed.safeParse(unsigned?.body).data?.message;
  if (!unsigned || !message) return;
  // Signs the typed data as the page does.
  const signature = await owner.account.signTypedData(
    unsigned.body as Parameters<typeof owner.account.signTypedData>[0],
  );
  const json = { network: "base", authorization: (unsigned.body as { message: object }).message, signature };
  const reply = await orNull(owner.call("POST", "/api/wallet/deposits", json));
  game.memory.moves.push({ kind: "deposit", owner: index, reply, from: message.from, nonce: message.nonce });
}

/** Acts of an owner with their own money. */
export const OWN: Record<keyof typeof OWNERS, (turn: Turn) => void | Promise<void>> = {
  payout: (turn) => start(turn.game, payOut(turn, 1, BigInt(turn.step.amount))),
  split_payout: (turn) => start(turn.game, payOut(turn, 1 + turn.step.count, BigInt(turn.step.amount))),

  starved_payout: starve,

  refund: (turn) => start(turn.game, refundSale(turn)),

  refund_shown: refundTwice,

  refund_undone: refundUndone,

  deposit: (turn) => start(turn.game, deposit(turn.game, sellerOf(turn).owner, indexOf(turn), turn.step.amount)),

  withdraw: (turn) => start(turn.game, withdraw(turn, turn.step.amount)),

  cap_rush: (turn) => start(turn.game, rushCap(turn)),

  disable_link: (turn) => {
    const { agent, links } = sellerOf(turn);
    const link = links[turn.at % links.length];
    if (link)
      start(turn.game, orNull(agent.call("PATCH", `/api/payment-links/${link.linkId}`, { status: "disabled" })));
  },
};

/** Time for a transfer to reach the pool. */
const SENT_MS = 300;

/**
 * A payout to three payees and a withdrawal of nearly everything, with money for only one of the two, or for two transfers. A
 * stranger who sees both in the pool may submit the withdrawal first.
 */
async function starve(turn: Turn): Promise<void> {
  const { game, step } = turn;
  const { world } = game;
  const { wallet } = sellerOf(turn);
  const remaining = 2 * step.amount + 1;
  const held = Number(await world.chain.balanceOf(wallet));
  start(game, payOut(turn, 3, BigInt(step.amount)));
  if (step.count > 1) await isSubmitted(world, "payout", wallet, SENT_MS);
  if (held > remaining) start(game, withdraw(turn, held - remaining));
  if (step.count === 1 || !(await isSubmitted(world, "withdrawal", wallet, SENT_MS))) return;
  const [row] = await world.sql`select * from settlements
    where purpose = 'withdrawal' and lower(payer) = lower(${wallet}) and state = 'broadcast' order by created_at desc limit 1`;
  if (row) await world.chain.submit(authorizationIn(row), row.signature).catch(() => undefined);
}

const authorizationIn = (row: Row): Authorization => ({
  from: row.payer,
  to: row.payee,
  value: toUsdc(BigInt(row.amount)),
  validAfter: BigInt(row.valid_after),
  validBefore: BigInt(row.valid_before),
  nonce: row.nonce,
});

async function withdraw(turn: Turn, amount?: number): Promise<void> {
  const { owner } = sellerOf(turn);
  const json = { network: "base", ...(amount && { amount: String(amount) }) };
  const reply = await orNull(owner.call("POST", "/api/wallet/withdrawals", json));
  turn.game.memory.moves.push({ kind: "withdrawal", owner: indexOf(turn), reply, from: null, nonce: null });
}

import { z } from "zod";
import type { Answer, OwnerActor } from "../actors";
import { type Game, sellerOf, start, type Turn } from "./game";
import { saidIn } from "./memory";
import type { OWNERS } from "./schedule";
import { isRead } from "./waits";
import { CONFIRMATIONS } from "./world";

const payoutAnswer = z.object({ payout: z.object({ payoutRecordId: z.string() }) });
const refundAnswer = z.object({ refund: z.object({ refundId: z.string() }) });
const sales = z.object({
  payments: z.array(
    z.object({ id: z.number(), amount: z.string(), settlementStatus: z.string(), payerAddress: z.string() }),
  ),
});
const typed = z.object({ message: z.object({ from: z.string(), nonce: z.string() }) });

/** So long a look waits for the servers to have read the newest block. */
const READ_MS = 300;

/** An answer, or null when the connection broke. */
const heard = (call: Promise<Answer>): Promise<Answer | null> => call.catch(() => null);

const indexOf = ({ game, step }: Turn) => step.seller % game.cast.sellers.length;

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

/** Gives back one of the settled sales of the seller's first links, or a part of it. */
async function giveBack(turn: Turn): Promise<void> {
  const sale = await settledSale(turn);
  if (!sale) return;
  const { count } = turn.step;
  const amount = count === 1 ? sale.amount : (BigInt(sale.amount) / BigInt(count)).toString();
  await refund(turn, sale.id, amount);
}

/** Gives a sale back in full, twice, while the node submits what it is shown and says that the money is not there. */
async function giveBackTwice(turn: Turn): Promise<void> {
  const sale = await settledSale(turn);
  if (!sale) return;
  const { world } = turn.game;
  const { nodes } = world;
  // Before that it would not be approved.
  await world.mineAll(CONFIRMATIONS - 1);
  await isRead(world, READ_MS);
  for (const node of nodes) node.weather.submitsShown = true;
  await refund(turn, sale.id, sale.amount);
  for (const node of nodes) node.weather.submitsShown = false;
  await refund(turn, sale.id, sale.amount);
}

async function settledSale(turn: Turn) {
  const { game, step } = turn;
  const { agent } = sellerOf(turn);
  const listed = await heard(agent.call("GET", "/api/received-payments"));
  const settled = (sales.safeParse(listed?.body).data?.payments ?? []).filter(
    // Those of earlier seeds are another matter.
    (sale) => sale.settlementStatus === "settled" && sale.id > game.cast.saleBefore,
  );
  return settled[step.amount % Math.max(1, settled.length)];
}

async function refund(turn: Turn, paymentId: number, amount: string): Promise<void> {
  const { game, at, step } = turn;
  const { owner } = sellerOf(turn);
  const made = await heard(owner.call("POST", "/api/refunds", { paymentId, amount }));
  const refundId = refundAnswer.safeParse(made?.body).data?.refund.refundId;
  if (!refundId) return;
  const memory = { refundId, owner: indexOf(turn), told: [] as (Answer | null)[] };
  game.memory.refunds.push(memory);
  const approve = () => heard(owner.call("POST", `/api/refunds/${refundId}/approve`));
  // A double click.
  const told = await Promise.all(step.amount > 60_000 ? [approve(), approve()] : [approve()]);
  memory.told.push(...told);
  if (!told.some((answer) => answer && saidIn(answer).code === "payment_not_final")) return;
  const again = async () => void memory.told.push(await approve());
  game.later.push({ at: at + 1 + step.count, work: async () => start(game, again()) });
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
export const OWN: Record<keyof typeof OWNERS, (turn: Turn) => void> = {
  payout: (turn) => start(turn.game, payOut(turn, 1, BigInt(turn.step.amount))),
  split_payout: (turn) => start(turn.game, payOut(turn, 1 + turn.step.count, BigInt(turn.step.amount))),

  starved_payout: (turn) => start(turn.game, starve(turn)),

  refund: (turn) => start(turn.game, giveBack(turn)),

  refund_shown: (turn) => start(turn.game, giveBackTwice(turn)),

  deposit: (turn) => start(turn.game, deposit(turn.game, sellerOf(turn).owner, indexOf(turn), turn.step.amount)),

  withdraw: (turn) => start(turn.game, withdraw(turn, turn.step.amount)),

  disable_link: (turn) => {
    const { agent, links } = sellerOf(turn);
    const link = links[turn.at % links.length];
    if (link) start(turn.game, heard(agent.call("PATCH", `/api/payment-links/${link.linkId}`, { status: "disabled" })));
  },
};

/** A split among three and a withdrawal of nearly everything, at once: there is money for one of them, or for two legs. */
async function starve(turn: Turn): Promise<void> {
  const { game, step } = turn;
  const held = Number(await game.world.chain.balanceOf(sellerOf(turn).wallet));
  const left = 2 * step.amount + 1;
  await Promise.all([payOut(turn, 3, BigInt(step.amount)), ...(held > left ? [withdraw(turn, held - left)] : [])]);
}

async function withdraw(turn: Turn, amount?: number): Promise<void> {
  const { owner } = sellerOf(turn);
  const json = { network: "base", ...(amount && { amount: String(amount) }) };
  const told = await heard(owner.call("POST", "/api/wallet/withdrawals", json));
  turn.game.memory.moves.push({ kind: "withdrawal", owner: indexOf(turn), told, from: null, nonce: null });
}

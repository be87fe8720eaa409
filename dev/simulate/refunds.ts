import { z } from "zod";
import type { Answer } from "../actors/api";
import { indexOf, orNull, sellerOf, start, type Turn, uplOf } from "./game";
import { saidIn } from "./memory";
import { addressOf, fresh, fund, hostile, show } from "./strangers";
import { reorganise } from "./trouble";
import { isRead, isRefunded, isSubmitted } from "./waits";
import { CONFIRMATIONS } from "./world";

const refundAnswer = z.object({ refund: z.object({ refundId: z.string() }) });
const sales = z.object({
  payments: z.array(
    z.object({ id: z.number(), amount: z.string(), settlementStatus: z.string(), payerAddress: z.string() }),
  ),
});
type Sale = { id: number; amount: string };

/** Time for the servers to process a block, a proof or a transfer. */
const SEEN_MS = 300;

/** Refunds one of the seller's settled sales, in full or in part. */
export async function refundSale(turn: Turn): Promise<void> {
  const { amount, count } = turn.step;
  const settled = await settledSales(turn);
  const sale = settled[amount % Math.max(1, settled.length)];
  if (!sale) return;
  await refund(turn, sale.id, count === 1 ? sale.amount : (BigInt(sale.amount) / BigInt(count)).toString());
}

/** Refunds a sale in full, twice, while the node submits the transfers that it sees and reports an insufficient balance. */
export async function refundTwice(turn: Turn): Promise<void> {
  const { world } = turn.game;
  const sale = await justSold(turn, "refund_shown");
  // Before that, the refund would not be approved.
  await world.mineAll(CONFIRMATIONS - 1);
  await isRead(world, SEEN_MS);
  if (!sale) return;
  for (const node of world.nodes) node.weather.submitsShown = true;
  await refund(turn, sale.id, sale.amount);
  for (const node of world.nodes) node.weather.submitsShown = false;
  await refund(turn, sale.id, sale.amount);
}

/** Refunds a sale immediately, and replaces the blocks in which its payer was funded and paid. */
export async function refundUndone(turn: Turn): Promise<void> {
  const { world } = turn.game;
  const sale = await justSold(turn, "refund_undone");
  if (!sale) return;
  const approved = refund(turn, sale.id, sale.amount);
  start(turn.game, approved);
  await Promise.race([approved, isRefunded(world, sale.id, SEEN_MS)]);
  await reorganise(turn.game, world.chain, CONFIRMATIONS - 1);
}

/** A new sale. The funding of its payer and its transfer are in the two newest blocks. */
async function justSold(turn: Turn, act: string): Promise<Sale | undefined> {
  const { world } = turn.game;
  const payer = fresh(turn, act);
  const offer = uplOf(sellerOf(turn), BigInt(turn.step.amount));
  const proof = hostile(turn, payer, { act, offer });
  await fund(turn, proof, addressOf(payer), proof.authorization.value);
  show(turn, proof);
  await isSubmitted(world, "upl", addressOf(payer), 2 * SEEN_MS);
  await world.chain.mine(1);
  await isRead(world, SEEN_MS);
  const settled = await settledSales(turn);
  return settled.find(({ payerAddress }) => payerAddress.toLowerCase() === addressOf(payer).toLowerCase());
}

async function settledSales(turn: Turn) {
  const { game } = turn;
  const { agent } = sellerOf(turn);
  const listed = await orNull(agent.call("GET", "/api/received-payments"));
  return (sales.safeParse(listed?.body).data?.payments ?? []).filter(
    // Excludes sales of earlier seeds.
    (sale) => sale.settlementStatus === "settled" && sale.id > game.cast.saleBefore,
  );
}

async function refund(turn: Turn, paymentId: number, amount: string): Promise<void> {
  const { game, at, step } = turn;
  const { owner } = sellerOf(turn);
  const createdResponse = await orNull(owner.call("POST", "/api/refunds", { paymentId, amount }));
  const refundId = refundAnswer.safeParse(createdResponse?.body).data?.refund.refundId;
  if (!refundId) return;
  const memory = { refundId, owner: indexOf(turn), replies: [] as (Answer | null)[] };
  game.memory.refunds.push(memory);
  const approve = () => orNull(owner.call("POST", `/api/refunds/${refundId}/approve`));
  // Simulates a double click.
  const replies = await Promise.all(step.amount > 60_000 ? [approve(), approve()] : [approve()]);
  memory.replies.push(...replies);
  if (!replies.some((response) => response && saidIn(response).code === "payment_not_final")) return;
  const approveAgain = async () => void memory.replies.push(await approve());
  game.later.push({ at: at + 1 + step.count, work: async () => start(game, approveAgain()) });
}

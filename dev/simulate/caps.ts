import { z } from "zod";
import { payAbroad } from "./buyers";
import type { Facts } from "./chain";
import { keyName } from "./chain";
import { hasMoved } from "./facts";
import { type Game, indexOf, orNull, sellerOf, start, type Turn } from "./game";
import type { CapMemory, CapSpending } from "./memory";

const PATH = "/api/wallet/spending-caps";
const capAnswer = z.object({ cap: z.object({ last24Hours: z.object({ usedAmount: z.string() }) }) });

/** Payments at once: three times what fits. */
const PAYMENTS = 6;
const FITTING = 2n;

/**
 * An owner leaves room for two payments. Two agents then ask both servers for six at once, under a mandate each, and the payees submit
 * them. The cap is for everything or for the first agent.
 */
export async function rushCap(turn: Turn): Promise<void> {
  const { game, step, at } = turn;
  const { owner, agent, mandateId, other } = sellerOf(turn);
  const isAgents = step.count === 1;
  const scope = { network: "base", agentId: isAgents ? agent.tessera.agentId : null };
  const set = async (maxAmountPer24Hours: bigint | null) =>
    orNull(owner.confirm(PATH, { ...scope, maxAmountPer24Hours: maxAmountPer24Hours?.toString() ?? null }));
  /** Sets a cap and returns what the last 24 hours had used of it then; null if that is unknown. */
  const use = async (cap: bigint) => {
    const { success, data } = capAnswer.safeParse((await set(cap))?.body);
    return success ? BigInt(data.cap.last24Hours.usedAmount) : null;
  };
  /** Sets the cap that leaves room for the payments, and returns it; null if it is unknown. */
  const leaveRoom = async () => {
    const before = await use(10n ** 15n);
    if (before === null) return null;
    const room = before + FITTING * BigInt(step.amount);
    const used = await use(room);
    if (used === null) return null;
    // Other steps pay between the two calls: what they paid may be above the cap, and nothing after it.
    return used > room ? used : room;
  };
  const capped: CapMemory = { owner: indexOf(turn), agentId: scope.agentId, cap: null, made: null };
  // Steps overlap. One that replaces a cap would lift it for the payments of another.
  if (game.memory.caps.some((each) => each.made === null && isOfSameScope(each, capped))) return;
  game.memory.caps.push(capped);
  capped.cap = await leaveRoom();
  if (capped.cap === null) {
    capped.made = [];
    return;
  }
  start(
    game,
    Promise.all(
      Array.from({ length: PAYMENTS }, (_, index) =>
        payAbroad(
          game,
          turn,
          true,
          isAgents || index % 2 === 0 ? { agent, mandateId } : other,
          `capped ${at} ${index}`,
        ),
      ),
    ),
  );
  game.later.push({
    at: at + 2 + step.count,
    work: async () => {
      // What is reserved by now was allowed while the cap was set. What is under way may be decided after it is lifted.
      const made = await readSpending(game, capped);
      for (let tries = 0; tries < 3 && (await set(null))?.status !== 200; tries++);
      capped.made = made;
    },
  });
}

const isOfSameScope = (a: CapMemory, b: CapMemory) => a.owner === b.owner && a.agentId === b.agentId;

/** What the wallet's agents, or this one, have reserved for payments in the last 24 hours. */
const readSpending = async ({ world, cast }: Game, { owner, agentId }: CapMemory): Promise<CapSpending[]> =>
  await world.sql<CapSpending[]>`select r.payer, r.nonce, r.payee, r.amount::text, r.state from reservations r
    join wallets w on w.id = r.wallet_id join payments p on p.reservation_id = r.id
    where lower(w.address) = ${cast.sellers[owner]?.wallet ?? ""}
      and ${agentId === null ? world.sql`true` : world.sql`r.agent_id = ${agentId}`}
      and p.created_at > ${new Date(world.now())}::timestamptz - interval '24 hours'`;

/** While a cap was set, no 24 hours have more on the chain than it allowed. */
export async function judgeCaps(game: Game, { byKey }: Facts): Promise<string[]> {
  const found: string[] = [];
  for (const capped of game.memory.caps) {
    const rows = capped.made ?? (await readSpending(game, capped));
    const moved = rows
      // Payments of earlier seeds were compared with the chain then.
      .filter((row) => {
        const fact = byKey.get(keyName(row.payer, row.nonce));
        return fact ? hasMoved(fact, row.payee, BigInt(row.amount)) : row.state === "committed";
      })
      .reduce((sum, row) => sum + BigInt(row.amount), 0n);
    const { agentId, owner, cap } = capped;
    const wallet = game.cast.sellers[owner]?.wallet;
    if (cap !== null && moved > cap)
      found.push(
        `the cap of ${agentId ?? "everything"} of ${wallet} is ${cap}, and the chain has moved ${moved} in 24 hours`,
      );
  }
  return found;
}

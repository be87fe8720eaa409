import { z } from "zod";
import { payAbroad } from "./buyers";
import type { Facts } from "./chain";
import { keyName } from "./chain";
import { hasMoved } from "./facts";
import { type Game, indexOf, orNull, sellerOf, start, type Turn } from "./game";

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
  const before = await use(10n ** 15n);
  if (before === null) return;
  const room = before + FITTING * BigInt(step.amount);
  const used = await use(room);
  if (used === null) return;
  // Other steps pay between the two calls: what they paid may be above the cap, and nothing after it.
  const cap = used > room ? used : room;
  const capped = { owner: indexOf(turn), agentId: scope.agentId, cap, until: null as Date | null };
  game.memory.caps.push(capped);
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
      capped.until = new Date(game.world.now());
      for (let tries = 0; tries < 3 && (await set(null))?.status !== 200; tries++);
    },
  });
}

/** While a cap was set, no 24 hours have more on the chain than it allowed. */
export async function judgeCaps({ world, cast, memory }: Game, { byKey }: Facts): Promise<string[]> {
  const found: string[] = [];
  for (const { owner, agentId, cap, until } of memory.caps) {
    const wallet = cast.sellers[owner]?.wallet ?? "";
    const rows = await world.sql`select r.payer, r.nonce, r.payee, r.amount::text, r.state from reservations r
      join wallets w on w.id = r.wallet_id join payments p on p.reservation_id = r.id
      where lower(w.address) = ${wallet} and ${agentId === null ? world.sql`true` : world.sql`r.agent_id = ${agentId}`}
        and p.created_at < ${until ?? new Date(world.now())}
        and p.created_at > ${until ?? new Date(world.now())}::timestamptz - interval '24 hours'`;
    const moved = rows
      // Payments of earlier seeds were compared with the chain then.
      .filter((row) => {
        const fact = byKey.get(keyName(row.payer, row.nonce));
        return fact ? hasMoved(fact, row.payee, BigInt(row.amount)) : row.state === "committed";
      })
      .reduce((sum, row) => sum + BigInt(row.amount), 0n);
    if (moved > cap)
      found.push(
        `the cap of ${agentId ?? "everything"} of ${wallet} is ${cap}, and the chain has moved ${moved} in 24 hours`,
      );
  }
  return found;
}

import { keyName } from "./chain";
import { type Game, start, type Turn } from "./game";
import { count } from "./memory";
import type { Node, Weather } from "./node";
import type { CHAIN, NODE, SERVERS } from "./schedule";
import { CONFIRMATIONS } from "./world";

/** What becomes of the chain itself. */
export const CHAIN_TROUBLE: Record<keyof typeof CHAIN | "mine", (turn: Turn) => Promise<unknown>> = {
  mine: ({ game, step }) => game.world.chain.mine(step.count === 3 ? 2 : 1),
  reorganise: ({ game, step }) => reorganise(game, Math.min(step.count, CONFIRMATIONS - 1)),
  drop_pool: ({ game }) => game.world.chain.dropPool(),
  raise_fee: ({ game, step }) => game.world.chain.baseFee(BigInt(step.count) * 40_000_000_000n),
  /** No block for a while, as the clock goes on. */
  stand_still: ({ game, step }) => game.world.pass(step.count),
};

/** Replaces the newest blocks by empty ones; what had moved in them is written down. */
async function reorganise({ world: { chain }, memory, cast }: Game, depth: number): Promise<void> {
  const head = await chain.head();
  if (head - BigInt(depth) <= cast.firstBlock + BigInt(CONFIRMATIONS + 1)) return;
  const lost = await chain.facts(head - BigInt(depth) + 1n);
  for (const fact of lost.byKey.values()) memory.undone.add(keyName(fact.from, fact.nonce));
  await chain.reorganise(depth);
  if (lost.byKey.size > 0) count(memory.counts, "a transfer was in a replaced block", lost.byKey.size);
}

const WEATHER: Record<keyof typeof NODE, (turn: Turn) => Partial<Weather>> = {
  slow: ({ step }) => ({ slowMs: 60 * step.count }),
  silent: () => ({ isSilent: true }),
  lose_replies: () => ({ losesReplies: true }),
  lag: ({ step }) => ({ lagBlocks: step.count }),
  false_head: () => ({ falseHeads: 1 }),
  unknown_words: () => ({ unknownWords: true }),
  small_range: () => ({ logRange: 2 }),
  hide_logs: () => ({ hidesLogs: true }),
  forget: () => ({ forgetsTransactions: true }),
  submit_shown: () => ({ submitsShown: true }),
};

/** The node misbehaves for the next steps. */
export function turnWeather(turn: Turn, act: keyof typeof NODE): void {
  const { game, at, step } = turn;
  const { node } = game.world;
  const change = WEATHER[act](turn);
  Object.assign(node.weather, change);
  game.later.push({ at: at + 1 + step.count, work: async () => clear(node, change) });
}

function clear(node: Node, change: Partial<Weather>): void {
  const { falseHeads: _, ...lasting } = change;
  for (const kind of Object.keys(lasting) as (keyof Weather)[]) {
    Object.assign(node.weather, { [kind]: typeof node.weather[kind] === "number" ? 0 : false });
  }
}

const FAILPOINTS = [
  "settlement.claimed",
  "relayer.signed",
  "relayer.stored",
  "relayer.sent",
  "observer.read",
  "observer.applied",
  "payment.reserved",
] as const;

export const SERVER_TROUBLE: Record<keyof typeof SERVERS, (turn: Turn) => Promise<void>> = {
  kill: async ({ game, step, random }) => {
    game.memory.isDisturbed = true;
    const server = game.world.servers[step.seller % game.world.servers.length];
    await new Promise((resolve) => setTimeout(resolve, random.int(0, 30)));
    await server?.kill();
    if (server) start(game, server.start());
  },

  /** A server that dies at a certain place in its code, some time after it was started again. */
  kill_at_failpoint: async ({ game, step, random }) => {
    game.memory.isDisturbed = true;
    const server = game.world.servers[step.seller % game.world.servers.length];
    await server?.kill();
    if (server) start(game, server.start(random.pick(FAILPOINTS)));
  },

  cut_database: async ({ game }) => {
    game.memory.isDisturbed = true;
    count(game.memory.counts, "a connection to the database was cut", await game.world.cutConnections());
  },
};

import { setTimeout as sleep } from "node:timers/promises";
import type { Failpoint } from "@/lib/platform/failpoint";
import { keyName, type SimulatedChain } from "./chain";
import { type Game, start, type Turn } from "./game";
import { count } from "./memory";
import type { Node, Weather } from "./node";
import type { CHAIN, NODE, SERVERS } from "./schedule";
import { isRead, isSent } from "./waits";
import { CONFIRMATIONS } from "./world";

/** Faults of the chain itself. */
export const CHAIN_TROUBLE: Record<keyof typeof CHAIN | "mine", (turn: Turn) => Promise<unknown>> = {
  mine: async ({ game, step }) => {
    // Some blocks wait for pending purchases, and are read before the next step even on a slow machine.
    const isPatient = step.amount % 2_000 === 0;
    if (isPatient) await isSent(game.world, PATIENCE_MS);
    await onEach(game, (chain) => chain.mine(step.count === 3 ? 2 : 1));
    if (isPatient) await isRead(game.world, PATIENCE_MS);
  },
  reorganise: ({ game, step }) =>
    onEach(game, (chain) => reorganise(game, chain, Math.min(step.count, CONFIRMATIONS - 1))),
  drop_pool: ({ game }) => onEach(game, (chain) => chain.dropPool()),
  raise_fee: ({ game, step }) => onEach(game, (chain) => chain.baseFee(BigInt(step.count) * 40_000_000_000n)),
  /** No block is mined for a while, although the clock advances. */
  stand_still: ({ game, step }) => game.world.pass(step.count),
  /** The clocks of chains and servers differ by as much as is allowed. */
  skew: ({ game, step }) => game.world.skew((step.amount % 20_000 === 0 ? 5 : -5) * step.count),
};

const PATIENCE_MS = 250;

const onEach = ({ world }: Game, work: (chain: SimulatedChain) => Promise<unknown>) =>
  Promise.all(world.chains().map(work));

/** Replaces the newest blocks with empty ones and records the transfers that were in them. */
export async function reorganise({ memory, cast }: Game, chain: SimulatedChain, depth: number): Promise<void> {
  const head = await chain.head();
  if (head - BigInt(depth) <= cast.firstBlock[chain.network] + BigInt(CONFIRMATIONS + 1)) return;
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
  refuse_calls: ({ step }) => ({ refusals: step.count }),
  small_range: () => ({ logRange: 2 }),
  hide_logs: () => ({ hidesLogs: true }),
  forget: () => ({ forgetsTransactions: true }),
  submit_shown: () => ({ submitsShown: true }),
};

/** Applies node faults for the next steps, and longer if no request has met them yet. */
export function turnWeather(turn: Turn, act: keyof typeof NODE): void {
  const { game, at, step } = turn;
  const { nodes } = game.world;
  const change = WEATHER[act](turn);
  for (const node of nodes) Object.assign(node.weather, change);
  const kinds = Object.keys(change) as (keyof Weather)[];
  const struck = () =>
    nodes.flatMap((node) => kinds.map((kind) => node.struck.get(kind) ?? 0)).reduce((a, b) => a + b, 0);
  const struckBefore = struck();
  let endsAt = at + 1 + step.count;
  const end = async () => {
    endsAt += 2;
    if (struck() === struckBefore) game.later.push({ at: endsAt, work: end });
    else for (const node of nodes) clear(node, change);
  };
  game.later.push({ at: endsAt, work: end });
}

function clear(node: Node, change: Partial<Weather>): void {
  const { falseHeads: _, ...lasting } = change;
  for (const kind of Object.keys(lasting) as (keyof Weather)[]) {
    Object.assign(node.weather, { [kind]: typeof node.weather[kind] === "number" ? 0 : false });
  }
}

export const FAILPOINTS = [
  "settlement.claimed",
  "relayer.signed",
  "relayer.stored",
  "relayer.sent",
  "observer.read",
  "observer.applied",
  "payment.reserved",
] as const;

/** Acts of CALLS arm these, and disarm them themselves. */
export const CALL_FAILPOINTS = ["upstream.started", "upstream.answered"] as const;
export const PASS_FAILPOINTS = ["pass.taken", "pass.answered"] as const;

const diedAt = (failpoint: Failpoint) => `a server died at ${failpoint}`;
export const DEATHS: readonly string[] = [...CALL_FAILPOINTS, ...PASS_FAILPOINTS].map(diedAt);

const ENDING_MS = 200;

/** Lets a server die at the failpoint if it reaches it during `work`, and starts it again. */
export async function dyingAt({ game, step }: Turn, failpoint: Failpoint, work: () => Promise<unknown>): Promise<void> {
  game.memory.isDisturbed = true;
  const server = game.world.servers[step.seller % game.world.servers.length];
  if (!server) return;
  const deaths = server.deaths();
  await server.arm(failpoint);
  await work();
  // Its last connection breaks before it has ended.
  await sleep(ENDING_MS);
  if (server.deaths() > deaths) count(game.memory.counts, diedAt(failpoint));
  else await server.disarm([failpoint]);
  await server.start();
}

export const SERVER_TROUBLE: Record<keyof typeof SERVERS, (turn: Turn) => Promise<void>> = {
  kill: async ({ game, step, random }) => {
    game.memory.isDisturbed = true;
    const server = game.world.servers[step.seller % game.world.servers.length];
    await sleep(random.int(0, 30));
    await server?.kill();
    if (server) start(game, server.start());
  },

  /** A server dies at a failpoint, if it reaches it, and is restarted some steps later. */
  kill_at_failpoint: async ({ game, step, at, random }) => {
    game.memory.isDisturbed = true;
    const server = game.world.servers[step.seller % game.world.servers.length];
    const failpoint = random.pick(FAILPOINTS);
    // Some die right after a restart, while they recover unfinished work.
    if (step.count === 3) {
      await server?.kill();
      if (server)
        start(
          game,
          server.start().then(() => server.arm(failpoint)),
        );
      return;
    }
    await server?.arm(failpoint);
    game.later.push({ at: at + 2 + step.count, work: async () => server?.start() });
  },

  cut_database: async ({ game }) => {
    game.memory.isDisturbed = true;
    count(game.memory.counts, "a connection to the database was cut", await game.world.cutConnections());
  },
};

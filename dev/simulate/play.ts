import { setTimeout as sleep } from "node:timers/promises";
import { BUY } from "./buyers";
import { CALL } from "./calls";
import { makeCast } from "./cast";
import { type Game, start, type Turn } from "./game";
import { HARM } from "./hostile";
import { judge } from "./judge";
import { count, newMemory } from "./memory";
import { OWN } from "./owners";
import { quiet } from "./quiet";
import { randomOf } from "./random";
import { type Act, NODE, type Plan } from "./schedule";
import { SELL } from "./sellers";
import { CHAIN_TROUBLE, SERVER_TROUBLE, turnWeather } from "./trouble";
import { ENTRUST } from "./vaults";
import type { World } from "./world";

export type Outcome = {
  seed: number;
  violations: string[];
  counts: Map<string, number>;
  milliseconds: number;
  phases: number[];
};

/** Plays a seed's schedule, waits until everything has ended, and checks all responses. */
export async function play(world: World, plan: Plan): Promise<Outcome> {
  const began = performance.now();
  await world.pass(0);
  const struckBefore = struckIn(world);
  const deathsBefore = world.servers.map((server) => server.deaths());
  const cast = await makeCast(world, plan);
  const created = performance.now();
  const game: Game = { world, plan, cast, memory: newMemory(), open: [], later: [] };
  for (const [index, step] of plan.steps.entries()) {
    await takeLater(game, index);
    await act({ game, step, at: index, random: randomOf(plan.seed * 1_000 + index) }, step.act);
    count(game.memory.counts, step.act);
    if (step.pauseMs > 0) await sleep(step.pauseMs);
  }
  await takeLater(game, Number.POSITIVE_INFINITY);
  const played = performance.now();
  const rest = await quiet(game);
  const ended = performance.now();
  for (const [kind, times] of struckIn(world)) {
    const struck = times - (struckBefore.get(kind) ?? 0);
    if (struck > 0) count(game.memory.counts, `node ${kind} changed an answer`, struck);
  }
  const deaths = world.servers.reduce((sum, server, index) => sum + server.deaths() - (deathsBefore[index] ?? 0), 0);
  if (deaths > 0) count(game.memory.counts, "a server was killed", deaths);
  const violations = [...rest, ...(await judge(game))];
  if (deaths > 0 && !game.memory.isDisturbed) violations.push("a server ended by itself");
  violations.push(...stories(game, violations));
  return {
    seed: plan.seed,
    violations,
    counts: game.memory.counts,
    milliseconds: performance.now() - began,
    phases: [created - began, played - created, ended - played, performance.now() - ended],
  };
}

/** Details of a contradiction: every response to the payers involved. */
const stories = ({ memory }: Game, violations: readonly string[]): string[] =>
  memory.proofs
    .filter(({ authorization: { from } }) => violations.some((each) => each.toLowerCase().includes(from.toLowerCase())))
    .map(({ act, replies, settles, authorization: { from, nonce } }) => {
      const told = settles.map((reply) => ({ by: `settled by ${reply.key.id}`, ...reply }));
      const responses = [...replies, ...told].map(
        ({ by, answer }) => `${by}: ${answer ? `${answer.status} ${answer.text.slice(0, 300)}` : "-"}`,
      );
      return [`  (${act} ${from} ${nonce}`, ...responses].join("\n      ");
    });

/** How often each kind of node fault changed a response since the world was created. */
function struckIn({ nodes }: World): Map<string, number> {
  const sum = new Map<string, number>();
  for (const { struck } of nodes) for (const [kind, times] of struck) count(sum, kind, times);
  return sum;
}

async function act(turn: Turn, name: Act): Promise<void> {
  if (name in BUY) return BUY[name as keyof typeof BUY](turn);
  if (name in HARM) return HARM[name as keyof typeof HARM](turn);
  if (name in SELL) return SELL[name as keyof typeof SELL](turn);
  if (name in OWN) return OWN[name as keyof typeof OWN](turn);
  if (name in CALL) return CALL[name as keyof typeof CALL](turn);
  if (name in ENTRUST) return ENTRUST[name as keyof typeof ENTRUST](turn);
  if (name in NODE) return turnWeather(turn, name as keyof typeof NODE);
  if (name in SERVER_TROUBLE) return SERVER_TROUBLE[name as keyof typeof SERVER_TROUBLE](turn);
  await CHAIN_TROUBLE[name as keyof typeof CHAIN_TROUBLE](turn);
}

/** Runs work that earlier steps scheduled for this step. */
async function takeLater(game: Game, time: number): Promise<void> {
  const due = game.later.filter((task) => task.at <= time);
  game.later = game.later.filter((task) => task.at > time);
  for (const { work } of due) {
    if (time === Number.POSITIVE_INFINITY) await work();
    else start(game, work());
  }
}

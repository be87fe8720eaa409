import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import type { Answer } from "../actors/api";
import { apiOf, type Game, pathName, payerOf, present, signProof, start, type Turn } from "./game";
import type { CallMemory } from "./memory";
import { DEAD_SECONDS, refundPass, rushPass, settledOf, wearPass } from "./passes";
import type { CALLS } from "./schedule";
import { addressOf } from "./strangers";
import { CALL_FAILPOINTS, dyingAt, PASS_FAILPOINTS } from "./trouble";
import { type Mood, pathOf } from "./upstream";

/** A buyer presents a proof as often before the faults end, and waits as often for its transfer. */
const TRIES = 5;
const WAITS = 2;
const PAUSE_MS = 40;
const AT_ONCE = 4;

/** Most APIs answer, some fail at first. */
function pathOfStep(turn: Turn): string {
  const moods: [Mood, number][] = [
    ["fails", 0],
    ["fails", 2],
    ["breaks", 1],
    ["fails", 0],
    ["fails", 1],
    ["hangs", 1],
  ];
  const [mood, times] = moods[turn.random.int(0, moods.length - 1)] ?? ["fails", 0];
  return pathOf(mood, times, pathName(turn, "call"));
}

/** Signs a proof for a call. `others`: paths at which it is presented, too. */
function signCall(turn: Turn, path: string, others: readonly string[] = []): CallMemory {
  const { act } = turn.step;
  const payer = payerOf(turn);
  const { call } = apiOf(turn);
  const offer = { ...call, url: `${call.url}${path}` };
  const proof = signProof(turn, { act, from: addressOf(payer), account: payer, offer, isHonest: true });
  const memory = { proof, urls: [offer.url, ...others.map((other) => `${call.url}${other}`)], replies: [] };
  turn.game.memory.calls.push(memory);
  return memory;
}

async function presentAt(game: Game, call: CallMemory, url: string): Promise<Answer | null> {
  const response = await present(game, call.proof, url);
  call.replies.push({ url, answer: response });
  return response;
}

const isAnswered = ({ replies }: CallMemory): boolean => replies.some(({ answer }) => answer?.status === 200);

/** Whether the same request is sent again later, and whether it waits for more than the API. */
const isPending = (response: Answer | null) => response === null || response.status === 202;
const isUnfinished = (response: Answer | null) => isPending(response) || response?.status === 503;

/** Presents a proof until it brings its answer, or often enough for now. */
async function untilAnswered(game: Game, call: CallMemory, url = call.proof.url): Promise<void> {
  for (let tries = 0, waits = 0; tries < TRIES && waits < WAITS; tries++) {
    const response = await presentAt(game, call, url);
    if (!isUnfinished(response)) return;
    if (isPending(response)) waits++;
    await sleep(PAUSE_MS);
  }
}

/** Acts of buyers of an API's calls, and of its seller. */
export const CALL: Record<keyof typeof CALLS, (turn: Turn) => void> = {
  call: (turn) => start(turn.game, untilAnswered(turn.game, signCall(turn, pathOfStep(turn)))),

  /** The same proof several times at once, at both servers. */
  call_at_once: (turn) => {
    const { game } = turn;
    const call = signCall(turn, pathOfStep(turn));
    const first = Promise.all(Array.from({ length: AT_ONCE }, () => presentAt(game, call, call.proof.url)));
    start(
      game,
      first.then(() => (isAnswered(call) ? undefined : untilAnswered(game, call))),
    );
  },

  /** One proof for two paths: at once, or the second one when the first is paid. */
  call_elsewhere: (turn) => {
    const { game, step } = turn;
    const other = pathOf("fails", 0, pathName(turn, "other"));
    const call = signCall(turn, pathOfStep(turn), [other]);
    const [url = "", otherUrl = ""] = call.urls;
    const both =
      step.count === 1
        ? [untilAnswered(game, call, url), presentAt(game, call, otherUrl)]
        : [untilAnswered(game, call, url).then(() => presentAt(game, call, otherUrl))];
    start(game, Promise.all(both));
  },

  call_killed: (turn) => {
    const { game } = turn;
    // Each failure is another chance that the request is at the server that dies.
    const call = signCall(turn, pathOf("fails", turn.random.int(1, 2), pathName(turn, "call")));
    const first = () => Promise.all([untilAnswered(game, call), untilAnswered(game, call)]);
    start(game, dyingAt(turn, turn.random.pick(CALL_FAILPOINTS), first));
  },

  pass_rush: (turn) => start(turn.game, rushPass(turn)),

  pass_killed: (turn) => start(turn.game, rushPass(turn, turn.random.pick(PASS_FAILPOINTS))),

  pass_worn: (turn) => start(turn.game, wearPass(turn)),

  pass_refund: (turn) => start(turn.game, refundPass(turn)),
};

const LAST_TRIES = 5;
const failedAnswer = z.object({ reason: z.string() });
const isBusy = (response: Answer | null) => failedAnswer.safeParse(response?.body).data?.reason === "busy";

/** Buyers send what is settled and not answered again. The faults have ended, and every API works after two failures. */
export async function collectAnswers(game: Game): Promise<void> {
  const { world, memory } = game;
  for (let tries = 0; tries < LAST_TRIES; tries++) {
    const unanswered = memory.calls.filter((call) => !isAnswered(call));
    if (unanswered.length === 0) return;
    const settled = await settledOf(world, unanswered);
    if (settled.length === 0) return;
    const responses: (Answer | null)[] = [];
    for (const call of settled) for (const url of call.urls) responses.push(await presentAt(game, call, url));
    if (responses.some(isBusy)) await world.pass(DEAD_SECONDS);
  }
}

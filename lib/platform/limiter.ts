import { createHash } from "node:crypto";
import type { Pool } from "pg";
import { RateLimiterMemory, RateLimiterPostgres, type RateLimiterRes } from "rate-limiter-flexible";
import { LIMIT_NAMES, type Limit, type LimitName } from "@/lib/core/limits";
import type { System } from "./context";
import { oncePerProcess } from "./once-per-process";
import { RATE_LIMITS_TABLE } from "./tables";

/** Turns this process has drawn for a key and not yet given out. */
type Drawn = { left: number; until: number };
type Limiter = {
  shared: RateLimiterPostgres;
  /** Counts while the database does not answer. */
  own: RateLimiterMemory;
  /** How many turns are drawn at once. */
  share: number;
  drawn: Map<string, Drawn>;
  drawing: Map<string, Promise<void>>;
};

/** A share is at most a twentieth of the limit: large enough that a busy key seldom asks the database. */
const SHARES = 20;
const KEYS_MAX = 100_000;

/** By database, which is one per process but for tests. */
const limiters = oncePerProcess("limiters", () => new WeakMap<Pool, Map<string, Limiter>>());

/**
 * Takes one of the turns that `key` has under the limit `name`, which all processes share. Answers null, or, when there
 * is none left, the seconds until there is. Never gives out more turns than the limit; a process that keeps drawn ones
 * for itself can make it up to a twentieth fewer. While the database is away each process counts for itself. Answers at
 * once when this process has a turn drawn already.
 */
export function takeTurn(system: System, name: LimitName, key: string): null | Promise<number | null> {
  const limiter = limiterOf(system, name);
  const short = shortKey(key);
  return takeDrawn(limiter, short) ? null : waitForTurn(system, limiter, short);
}

/** The table's keys have at most 255 characters, the limit's name among them. */
const KEY_CHARACTERS_MAX = 160;
const shortKey = (key: string) =>
  key.length <= KEY_CHARACTERS_MAX ? key : createHash("sha256").update(key).digest("hex");

async function waitForTurn(system: System, limiter: Limiter, key: string): Promise<number | null> {
  try {
    do {
      const underway = limiter.drawing.get(key);
      // Whoever draws has a turn by it, however long it took.
      if (!underway) return await draw(system, limiter, key);
      await underway;
    } while (!takeDrawn(limiter, key));
    return null;
  } catch (thrown) {
    if (isOverLimit(thrown)) return Math.max(1, Math.ceil(thrown.msBeforeNext / 1000));
    throw thrown;
  }
}

/** Recognised by its shape: the limiters may have been made by another copy of the library in this process. */
const isOverLimit = (thrown: unknown): thrown is Pick<RateLimiterRes, "msBeforeNext"> =>
  typeof thrown === "object" && thrown !== null && !(thrown instanceof Error) && "msBeforeNext" in thrown;

function takeDrawn({ drawn }: Limiter, key: string): boolean {
  const mine = drawn.get(key);
  if (!mine) return false;
  if (mine.left > 0 && Date.now() < mine.until) {
    mine.left -= 1;
    return true;
  }
  drawn.delete(key);
  return false;
}

/** Draws a share and takes one turn of it. Everybody else who needs a turn of `key` meanwhile waits for the same draw. */
async function draw(system: System, limiter: Limiter, key: string): Promise<null> {
  const drawn = drawShare(system, limiter, key).finally(() => limiter.drawing.delete(key));
  limiter.drawing.set(key, drawn);
  await drawn;
  return null;
}

async function drawShare(system: System, limiter: Limiter, key: string): Promise<void> {
  const { shared, own, share, drawn } = limiter;
  const { msBeforeNext } = await shared.consume(key, share).catch((thrown: unknown) => {
    if (isOverLimit(thrown)) throw thrown;
    system.log.warn({ err: thrown }, "rate_limit.alone");
    return own.consume(key, share);
  });
  // Put at the end, so that the keys that wait longest are forgotten first.
  drawn.delete(key);
  drawn.set(key, { left: share - 1, until: Date.now() + msBeforeNext });
  for (const oldest of drawn.keys()) {
    if (drawn.size <= KEYS_MAX) break;
    drawn.delete(oldest);
  }
}

function limiterOf({ db, config }: System, name: LimitName): Limiter {
  const pool = db.$client;
  const known = limiters.get(pool) ?? new Map(LIMIT_NAMES.map((each) => [each, open(pool, each, config.limits[each])]));
  limiters.set(pool, known);
  const limiter = known.get(name);
  if (!limiter) throw new Error(`no limit is named ${name}`);
  return limiter;
}

function open(pool: Pool, name: LimitName, { requests, seconds }: Limit): Limiter {
  const rule = { keyPrefix: name, points: requests, duration: seconds };
  const shared = new RateLimiterPostgres({
    ...rule,
    storeClient: pool,
    storeType: "pool",
    tableName: RATE_LIMITS_TABLE,
    tableCreated: true,
    // One of them sweeps for all.
    clearExpiredByTimeout: name === LIMIT_NAMES[0],
    // Whoever is over the limit costs no query until their window ends.
    inMemoryBlockOnConsumed: requests + 1,
  });
  return { shared, own: new RateLimiterMemory(rule), share: shareOf(requests), drawn: new Map(), drawing: new Map() };
}

/** A process that ends takes what it has drawn with it: little, also of a limit for a whole day. */
const SHARE_MAX = 50;

/** Divides the limit evenly, so that all of it can be drawn. */
function shareOf(requests: number): number {
  let share = Math.max(1, Math.min(SHARE_MAX, Math.floor(requests / SHARES)));
  while (requests % share !== 0) share -= 1;
  return share;
}

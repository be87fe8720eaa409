import { rmSync } from "node:fs";
import { join } from "node:path";
import { inspect } from "node:util";
import { migrateDatabase } from "@/ops/migrate";
import { type Database, startDatabase } from "../local/database";
import { freePort } from "../local/ports";
import { paidFor } from "./judge";
import { CALL_ENDS } from "./judge-calls";
import { REFUSED_THEFTS } from "./judge-thieves";
import { VAULT_ENDS } from "./judge-vaults";
import { count } from "./memory";
import { calm } from "./node";
import { type Outcome, play } from "./play";
import { ACTS, describePlan, planOf } from "./schedule";
import { DEATHS } from "./trouble";
import { openWorld, type World } from "./world";

export type Run = {
  /** Directory of the build to run. */
  directory: string;
  dataDir: string;
  first: number;
  seeds: number;
  /** Seeds to play in this order, instead of consecutive ones. */
  which?: readonly number[];
  minutes: number;
  /** The run continues after `minutes` until it has played this many seeds, and fails if it is aborted before. */
  atLeast: number;
  /** Number of concurrent worlds. */
  jobs: number;
  /** Whether to continue after a failing seed. */
  isKeptGoing: boolean;
  env?: Record<string, string>;
  /** An empty, migrated database to copy. Created for the run if absent. */
  templateUrl?: string;
  /** Prefix of the run's databases, for runs that share a template. */
  name?: string;
  say: (line: string) => void;
  signal: AbortSignal;
};
export type Result = {
  isClean: boolean;
  seeds: number;
  failed: Outcome[];
  counts: Map<string, number>;
  seconds: number;
};

/** Seeds per world. Checks slow down with each seed, so a new world then replaces it. */
const SEEDS_PER_WORLD = 40;
/** From ENOUGH_SEEDS on, each kind of act must have happened; from MANY_SEEDS on, each fault must have changed a response. */
const ENOUGH_SEEDS = 60;
const MANY_SEEDS = 240;
/** Each purpose must have moved money; otherwise all its acts were rejected. */
const PURPOSES = ["upl", "link", "payout", "refund", "deposit", "withdrawal", "facilitator"];
const FAULTS = [
  ...Object.keys(calm()).map((kind) => `node ${kind} changed an answer`),
  "a server was killed",
  "a connection to the database was cut",
  "a transfer was in a replaced block",
  ...DEATHS,
];

/** A database server with an empty, migrated database. */
export async function openTemplate(dataDir: string): Promise<Database> {
  const database = await startDatabase({ dir: join(dataDir, "postgres"), port: await freePort(), isDurable: false });
  await migrateDatabase(database.url);
  return database;
}

export async function simulate(run: Run): Promise<Result> {
  const began = performance.now();
  const database = run.templateUrl === undefined ? await openTemplate(run.dataDir) : null;
  const templateUrl = run.templateUrl ?? database?.url ?? "";
  const result: Result = { isClean: true, seeds: 0, failed: [], counts: new Map(), seconds: 0 };
  try {
    let next = 0;
    const isOver = () =>
      run.signal.aborted ||
      next >= (run.which?.length ?? run.seeds) ||
      (next >= run.atLeast && performance.now() - began > run.minutes * 60_000) ||
      (result.failed.length > 0 && !run.isKeptGoing);
    const take = () => {
      if (isOver()) return null;
      const index = next++;
      return run.which?.[index] ?? run.first + index;
    };
    await Promise.all(
      Array.from({ length: run.jobs }, (_, job) =>
        work(run, { job, templateUrl, take, done: (outcome) => note(run, result, outcome) }),
      ),
    );
  } finally {
    await database?.stop();
    if (result.failed.length === 0) rmSync(run.dataDir, { recursive: true, force: true });
  }
  result.seconds = (performance.now() - began) / 1000;
  report(run, result);
  return result;
}

type Worker = { job: number; templateUrl: string; take: () => number | null; done: (outcome: Outcome) => void };

/** Plays seeds one after another. Replaces the world periodically and after a failing seed. */
async function work(run: Run, { job, templateUrl, take, done }: Worker): Promise<void> {
  let world: World | null = null;
  let played = 0;
  let worlds = 0;
  try {
    for (let seed = take(); seed !== null; seed = take()) {
      world ??= await openWorld({
        templateUrl,
        directory: run.directory,
        name: `${run.name ?? "world"}_${job}_${worlds++}`,
        dataDir: join(run.dataDir, `world-${job}`),
        ...(run.env && { env: run.env }),
      });
      const outcome = await play(world, planOf(seed)).catch((error: unknown) => unplayed(seed, error));
      done(outcome);
      if (outcome.violations.length > 0 || ++played % SEEDS_PER_WORLD === 0) {
        await world.close();
        world = null;
      }
    }
  } finally {
    await world?.close();
  }
}

/** A seed that cannot be played to its end counts as failed: its result is unknown. */
const unplayed = (seed: number, error: unknown): Outcome => ({
  seed,
  violations: [`it could not be played: ${inspect(error)}`],
  counts: new Map(),
  milliseconds: 0,
  phases: [],
});

function note({ say, dataDir }: Run, result: Result, outcome: Outcome): void {
  result.seeds++;
  for (const [name, times] of outcome.counts) count(result.counts, name, times);
  if (outcome.violations.length === 0) {
    if (result.seeds % 5 === 0)
      say(
        `${result.seeds} seeds, the last is ${outcome.seed} in ${Math.round(outcome.milliseconds)} ms (cast, steps, rest, judgement: ${outcome.phases.map((ms) => Math.round(ms)).join(" + ")})`,
      );
    return;
  }
  result.isClean = false;
  result.failed.push(outcome);
  say(`✗ seed ${outcome.seed}: ${outcome.violations.length} violation(s)`);
  for (const violation of outcome.violations) say(`  - ${violation}`);
  say(describePlan(planOf(outcome.seed)));
  say(`  To repeat: npm run simulate -- --seed ${outcome.seed}; the servers' logs are below ${dataDir}`);
}

function report(run: Run, result: Result): void {
  const { say } = run;
  const { counts, seeds, seconds } = result;
  const enough = [...ACTS, ...PURPOSES.map(paidFor), ...VAULT_ENDS, ...CALL_ENDS, ...REFUSED_THEFTS];
  const expected = [...(seeds >= ENOUGH_SEEDS ? enough : []), ...(seeds >= MANY_SEEDS ? FAULTS : [])];
  const missing = expected.filter((name) => !counts.has(name));
  say("What happened:");
  for (const [name, times] of [...counts].sort(([a], [b]) => (a < b ? -1 : 1)))
    say(`  ${String(times).padStart(6)}  ${name}`);
  if (missing.length > 0) {
    result.isClean = false;
    say(`✗ never happened in ${seeds} seeds: ${missing.join(", ")}`);
  }
  if (seeds < run.atLeast) {
    result.isClean = false;
    say(`✗ ${seeds} seeds are too few: at least ${run.atLeast} are required`);
  }
  const verdict = result.isClean ? "✓" : "✗";
  say(
    `${verdict} ${seeds} seeds in ${Math.round(seconds)} s (${Math.round((seeds / seconds) * 60)} a minute), ${result.failed.length} failed`,
  );
}

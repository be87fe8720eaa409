import { rmSync } from "node:fs";
import { join } from "node:path";
import { startDatabase } from "../database";
import { migrateDatabase } from "../migrate";
import { freePort } from "../ports";
import { count } from "./memory";
import { type Outcome, play } from "./play";
import { ACTS, describePlan, planOf } from "./schedule";
import { openWorld, type World } from "./world";

export type Run = {
  /** Where the build is that runs. */
  directory: string;
  dataDir: string;
  first: number;
  seeds: number;
  minutes: number;
  /** Worlds at the same time. */
  jobs: number;
  /** Whether a failing seed does not end the run. */
  isKeptGoing: boolean;
  env?: Record<string, string>;
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

/** Seeds that share a world: then it is made anew, since what is looked at grows with each. */
const SEEDS_PER_WORLD = 40;
/** From so many seeds on, each kind of thing must have happened. */
const ENOUGH_SEEDS = 60;

export async function simulate(run: Run): Promise<Result> {
  const began = performance.now();
  const database = await startDatabase({
    dir: join(run.dataDir, "postgres"),
    port: await freePort(),
    isDurable: false,
  });
  const result: Result = { isClean: true, seeds: 0, failed: [], counts: new Map(), seconds: 0 };
  try {
    await migrateDatabase(database.url);
    let next = run.first;
    const isOver = () =>
      run.signal.aborted ||
      next >= run.first + run.seeds ||
      performance.now() - began > run.minutes * 60_000 ||
      (result.failed.length > 0 && !run.isKeptGoing);
    const take = () => (isOver() ? null : next++);
    await Promise.all(
      Array.from({ length: run.jobs }, (_, job) =>
        work(run, { job, templateUrl: database.url, take, done: (outcome) => note(run, result, outcome) }),
      ),
    );
  } finally {
    await database.stop();
    if (result.failed.length === 0) rmSync(run.dataDir, { recursive: true, force: true });
  }
  result.seconds = (performance.now() - began) / 1000;
  report(run, result);
  return result;
}

type Worker = { job: number; templateUrl: string; take: () => number | null; done: (outcome: Outcome) => void };

/** Plays seeds one after another, in a world that is made anew now and then, and after a seed that failed. */
async function work(run: Run, { job, templateUrl, take, done }: Worker): Promise<void> {
  let world: World | null = null;
  let played = 0;
  let worlds = 0;
  try {
    for (let seed = take(); seed !== null; seed = take()) {
      world ??= await openWorld({
        templateUrl,
        directory: run.directory,
        name: `world_${job}_${worlds++}`,
        dataDir: join(run.dataDir, `world-${job}`),
        ...(run.env && { env: run.env }),
      });
      const outcome = await play(world, planOf(seed));
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
  say(`  Again: npm run simulate -- --seed ${outcome.seed}; the servers' logs are below ${dataDir}`);
}

function report({ say }: Run, result: Result): void {
  const { counts, seeds, seconds } = result;
  const missing = seeds >= ENOUGH_SEEDS ? ACTS.filter((act) => !counts.has(act)) : [];
  say("What happened:");
  for (const [name, times] of [...counts].sort(([a], [b]) => (a < b ? -1 : 1)))
    say(`  ${String(times).padStart(6)}  ${name}`);
  if (missing.length > 0) {
    result.isClean = false;
    say(`✗ never happened in ${seeds} seeds: ${missing.join(", ")}`);
  }
  const verdict = result.isClean ? "✓" : "✗";
  say(
    `${verdict} ${seeds} seeds in ${Math.round(seconds)} s (${Math.round((seeds / seconds) * 60)} a minute), ${result.failed.length} failed`,
  );
}

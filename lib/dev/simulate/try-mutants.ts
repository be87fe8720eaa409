import { join } from "node:path";
import { MUTANTS, type Mutant } from "./mutants";
import { buildMutants, environmentOf } from "./mutate";
import type { Outcome } from "./play";
import { type Run, simulate } from "./run";

type Hunt = Omit<Run, "env">;

/** Plays each mutant until a seed shows it. Prints the table; returns whether all were caught. */
export async function tryMutants(run: Omit<Hunt, "directory">): Promise<boolean> {
  const directory = await buildMutants(run.say, run.signal);
  const lines: string[] = [];
  let isEachCaught = true;
  for (const [at, mutant] of MUTANTS.entries()) {
    run.say(`Mutant: ${mutant.name}`);
    const began = performance.now();
    const found = await hunt({ ...run, directory, dataDir: join(run.dataDir, `mutant-${at}`) }, mutant);
    isEachCaught &&= found.by !== null;
    const how = found.by ? `seed ${found.by.seed}: ${found.by.violations[0]}` : `not in ${found.seeds} seeds`;
    const seconds = Math.round((performance.now() - began) / 1000);
    const line = `${found.by ? "✓" : "✗"} ${mutant.name}, after ${found.seeds} seeds, ${seconds} s. ${how}`;
    lines.push(line);
    run.say(`  ${line}`);
    if (run.signal.aborted) return false;
  }
  run.say(lines.join("\n"));
  return isEachCaught;
}

/** The first seed that fails with the mutant and not without it, and how many were played. */
async function hunt(run: Hunt, mutant: Mutant): Promise<{ by: Outcome | null; seeds: number }> {
  const quietly = { ...run, isKeptGoing: false, say: () => {} };
  let seeds = 0;
  while (seeds < run.seeds && !run.signal.aborted) {
    const played = await simulate({
      ...quietly,
      first: run.first + seeds,
      seeds: run.seeds - seeds,
      env: environmentOf(mutant),
    });
    const [failed] = played.failed;
    if (!failed) return { by: null, seeds: seeds + played.seeds };
    seeds = failed.seed - run.first + 1;
    // A seed that fails without the mutant too says nothing about it.
    const control = await simulate({ ...quietly, first: failed.seed, seeds: 1 });
    if (control.isClean) return { by: failed, seeds };
    run.say(`  seed ${failed.seed} fails without it too: ${control.failed[0]?.violations[0]}`);
  }
  return { by: null, seeds };
}

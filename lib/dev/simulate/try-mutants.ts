import { join } from "node:path";
import { MUTANTS, type Mutant } from "./mutants";
import { buildMutants, environmentOf } from "./mutate";
import type { Outcome } from "./play";
import { openTemplate, type Run, simulate } from "./run";

type Hunt = Omit<Run, "env">;

/** Plays each mutant until a seed shows it, several at a time. Prints the table; returns whether all were caught. */
export async function tryMutants(run: Omit<Hunt, "directory"> & { only?: string | undefined }): Promise<boolean> {
  const directory = await buildMutants(run.say, run.signal);
  const template = await openTemplate(run.dataDir);
  const lines: string[] = [];
  let isEachCaught = true;
  const queue = [...MUTANTS.entries()].filter(([, { name }]) => run.only === undefined || name.includes(run.only));
  async function work(): Promise<void> {
    for (let next = queue.shift(); next && !run.signal.aborted; next = queue.shift()) {
      const [at, mutant] = next;
      const began = performance.now();
      const name = `mutant_${at}`;
      const one = { ...run, directory, name, templateUrl: template.url, jobs: 1, dataDir: join(run.dataDir, name) };
      const found = await hunt(one, mutant);
      isEachCaught &&= found.by !== null;
      const how = found.by ? `seed ${found.by.seed}: ${found.by.violations[0]}` : `not in ${found.seeds} seeds`;
      const seconds = Math.round((performance.now() - began) / 1000);
      lines[at] = `${found.by ? "✓" : "✗"} ${mutant.name}, after ${found.seeds} seeds, ${seconds} s. ${how}`;
      run.say(lines[at]);
    }
  }
  try {
    await Promise.all(Array.from({ length: run.jobs }, work));
  } finally {
    await template.stop();
  }
  run.say(`\nIn order:\n${lines.filter(Boolean).join("\n")}`);
  return isEachCaught && !run.signal.aborted;
}

/** The first seed that fails with the mutant and not without it, and how many were played. */
async function hunt(run: Hunt, mutant: Mutant): Promise<{ by: Outcome | null; seeds: number }> {
  const quietly = { ...run, atLeast: 0, isKeptGoing: false, say: () => {} };
  let seeds = 0;
  while (seeds < run.seeds && !run.signal.aborted) {
    const left = { first: run.first + seeds, seeds: run.seeds - seeds };
    const played = await simulate({ ...quietly, ...left, env: environmentOf(mutant) });
    const [failed] = played.failed;
    if (!failed) return { by: null, seeds: seeds + played.seeds };
    seeds = failed.seed - run.first + 1;
    // A seed that fails without the mutant too says nothing about it.
    const control = await simulate({ ...quietly, first: failed.seed, seeds: 1, name: `${run.name}_control` });
    if (control.isClean) return { by: failed, seeds };
    run.say(`  ${mutant.name}: seed ${failed.seed} fails without it too: ${control.failed[0]?.violations[0]}`);
  }
  return { by: null, seeds };
}

import { join } from "node:path";
import { MUTANTS } from "./mutants";
import { buildMutants, environmentOf } from "./mutate";
import type { Mutant } from "./patches";
import type { Outcome } from "./play";
import { openTemplate, type Run, simulate } from "./run";
import { planOf } from "./schedule";

type Hunt = Omit<Run, "env">;

/** Plays each mutant until a seed detects it, several at a time. Prints a table; returns whether all were detected. */
export async function tryMutants(run: Omit<Hunt, "directory"> & { only?: string | undefined }): Promise<boolean> {
  const directory = await buildMutants(run.say, run.signal);
  const template = await openTemplate(run.dataDir);
  const lines: string[] = [];
  let isEachCaught = true;
  const queue = [...MUTANTS.entries()].filter(([, { name }]) => new RegExp(run.only ?? "").test(name));
  async function work(): Promise<void> {
    for (let next = queue.shift(); next && !run.signal.aborted; next = queue.shift()) {
      const [at, mutant] = next;
      const began = performance.now();
      const name = `mutant_${at}`;
      const one = { ...run, directory, name, templateUrl: template.url, jobs: 1, dataDir: join(run.dataDir, name) };
      const found = await hunt(one, mutant);
      isEachCaught &&= found.by !== null;
      const how = found.by ? `seed ${found.by.seed}: ${found.by.violations[0]}` : "not detected";
      const seconds = Math.round((performance.now() - began) / 1000);
      lines[at] = `${found.by ? "✓" : "✗"} ${mutant.name}, after ${found.played} seeds, ${seconds} s. ${how}`;
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

type Found = { by: Outcome | null; played: number };

/** The first seed that fails only with the mutant, and the number of seeds played. */
async function hunt(run: Hunt, mutant: Mutant): Promise<Found> {
  const quietly = { ...run, atLeast: 0, isKeptGoing: false, say: () => {} };
  let which = candidates(run, mutant);
  let played = 0;
  while (which.length > 0 && !run.signal.aborted) {
    const result = await simulate({ ...quietly, which, env: environmentOf(mutant) });
    played += result.seeds;
    const [failed] = result.failed;
    if (!failed) break;
    which = which.slice(which.indexOf(failed.seed) + 1);
    // A seed that also fails without the mutant proves nothing.
    const control = await simulate({ ...quietly, which: [failed.seed], name: `${run.name}_control` });
    if (control.isClean) return { by: failed, played };
    run.say(`  ${mutant.name}: seed ${failed.seed} fails without it too: ${control.failed[0]?.violations[0]}`);
  }
  return { by: null, played };
}

/** Seeds that can detect the mutant, those with most of the required acts first. */
function candidates({ first, seeds }: Hunt, { shownBy = [] }: Mutant): number[] {
  const chance = (seed: number) => {
    const { steps } = planOf(seed);
    return shownBy.map((acts) => steps.filter(({ act }) => acts.includes(act)).length).reduce((a, b) => a * b, 1);
  };
  return Array.from({ length: seeds }, (_, at) => ({ seed: first + at, chance: chance(first + at) }))
    .filter((each) => each.chance > 0)
    .sort((a, b) => b.chance - a.chance)
    .map(({ seed }) => seed);
}

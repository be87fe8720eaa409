import { join } from "node:path";
import { MUTANTS } from "./mutants";
import { buildMutants, environmentOf } from "./mutate";
import { type Run, simulate } from "./run";

/** Runs each mutant until a seed shows it. Prints the table; returns whether all were caught. */
export async function tryMutants(run: Omit<Run, "directory" | "env">): Promise<boolean> {
  const directory = await buildMutants(run.say, run.signal);
  const lines: string[] = [];
  let isEachCaught = true;
  for (const [at, mutant] of MUTANTS.entries()) {
    if (run.signal.aborted) return false;
    run.say(`Mutant: ${mutant.name}`);
    const { failed, seeds, seconds } = await simulate({
      ...run,
      directory,
      dataDir: join(run.dataDir, `mutant-${at}`),
      env: environmentOf(mutant),
      isKeptGoing: false,
      say: () => {},
    });
    const [caught] = failed;
    isEachCaught &&= caught !== undefined;
    const how = caught ? `seed ${caught.seed}, the ${seeds}. one: ${caught.violations[0]}` : `not in ${seeds} seeds`;
    lines.push(`${caught ? "✓" : "✗"} ${mutant.name}: ${how} (${Math.round(seconds)} s)`);
    run.say(`  ${lines.at(-1)}`);
  }
  run.say(lines.join("\n"));
  return isEachCaught;
}

import { mkdtempSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ensureBuild } from "../local/build";
import { buildMutants, environmentOf, mutantNamed } from "./mutate";
import { simulate } from "./run";
import { tryMutants } from "./try-mutants";

const SEEDS = 60;
/** With --minutes, a run continues until it has played this many seeds per minute, because slow machines take longer. */
const SEEDS_PER_MINUTE_MIN = 10;
const SEEDS_PER_MUTANT = 300;

const { values } = parseArgs({
  options: {
    minutes: { type: "string" },
    seeds: { type: "string" },
    seed: { type: "string" },
    from: { type: "string", default: "1" },
    // A world waits about as much as it works.
    jobs: { type: "string", default: String(availableParallelism() + 1) },
    mutant: { type: "string" },
    mutants: { type: "boolean", default: false },
    "keep-going": { type: "boolean", default: false },
  },
});
// Each world has half a dozen child processes, which must end with this process.
process.setMaxListeners(0);
const say = (line: string) => console.log(line);
const halt = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => halt.abort());
const one = values.seed === undefined ? null : Number(values.seed);
const seeds = values.seeds ? Number(values.seeds) : null;
const run = {
  dataDir: mkdtempSync(join(tmpdir(), "tessera-simulation-")),
  first: one ?? Number(values.from),
  seeds: one !== null ? 1 : (seeds ?? (values.minutes ? Number.POSITIVE_INFINITY : SEEDS)),
  minutes: values.minutes ? Number(values.minutes) : Number.POSITIVE_INFINITY,
  atLeast: values.minutes ? Math.floor(Number(values.minutes) * SEEDS_PER_MINUTE_MIN) : 0,
  jobs: Number(values.jobs),
  isKeptGoing: values["keep-going"],
  say,
  signal: halt.signal,
};
if (values.mutants) {
  // With --mutant, only mutants whose name matches.
  process.exitCode = (await tryMutants({ ...run, seeds: seeds ?? SEEDS_PER_MUTANT, only: values.mutant })) ? 0 : 1;
} else if (values.mutant !== undefined) {
  const mutant = mutantNamed(values.mutant);
  const directory = await buildMutants(say, halt.signal);
  const result = await simulate({ ...run, directory, env: environmentOf(mutant) });
  process.exitCode = result.isClean ? 0 : 1;
} else {
  await ensureBuild(say, halt.signal);
  const result = await simulate({ ...run, directory: process.cwd() });
  process.exitCode = result.isClean ? 0 : 1;
}

import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ensureBuild } from "../build";
import { simulate } from "./run";

const { values } = parseArgs({
  options: {
    minutes: { type: "string" },
    seeds: { type: "string" },
    seed: { type: "string" },
    from: { type: "string", default: "1" },
    jobs: { type: "string", default: "1" },
    mutant: { type: "string" },
    mutants: { type: "boolean", default: false },
    "keep-going": { type: "boolean", default: false },
  },
});
const say = (line: string) => console.log(line);
const halt = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => halt.abort());
await ensureBuild(say, halt.signal);
const one = values.seed === undefined ? null : Number(values.seed);
const result = await simulate({
  directory: process.cwd(),
  dataDir: mkdtempSync(join(tmpdir(), "tessera-simulation-")),
  first: one ?? Number(values.from),
  seeds: one !== null ? 1 : values.seeds ? Number(values.seeds) : values.minutes ? Number.POSITIVE_INFINITY : 60,
  minutes: values.minutes ? Number(values.minutes) : Number.POSITIVE_INFINITY,
  jobs: Number(values.jobs),
  isKeptGoing: values["keep-going"],
  say,
  signal: halt.signal,
});
process.exitCode = result.isClean ? 0 : 1;

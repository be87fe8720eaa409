import { availableParallelism, cpus } from "node:os";
import { parseArgs } from "node:util";
import { inOwnWorld } from "../local/own-world";
import { type Bench, openBench } from "./actors";
import { cpuFigures, memoryFigures } from "./cost";
import { measureData } from "./data";
import { facilitatorFigures } from "./facilitator";
import { type Figure, textTable } from "./figures";
import { credentialFigures } from "./identity";
import { pageFigures } from "./pages";
import { pipelineTable } from "./pipeline-table";
import { priceFigures, scanFigures, signingFigures } from "./rates";
import { saveFigures } from "./save";
import { latencyFigures, settlementFigures } from "./settlements";
import { vaultFigures } from "./vaults";

/**
 * `npm run bench`: figures of this machine, on a temporary local stack. They are meaningful only relative to each other;
 * nothing is asserted. `--save` writes them to docs/performance.md.
 */
type Part = (bench: Bench) => Promise<Figure[]>;

/** On blocks of one second. */
const PARTS: Record<string, Part> = {
  pages: pageFigures,
  prices: priceFigures,
  signing: signingFigures,
  credentials: credentialFigures,
  scans: scanFigures,
  facilitator: facilitatorFigures,
  latency: latencyFigures,
  settlements: (bench) => settlementFigures(bench, 1),
  vaults: vaultFigures,
  cpu: cpuFigures,
};
/** On blocks of two seconds, as on Base. */
const SLOWER_PARTS: Record<string, Part> = { "settlements-2s": (bench) => settlementFigures(bench, 2) };

const NAMES = [...Object.keys(PARTS), ...Object.keys(SLOWER_PARTS), "memory"];

const { values, positionals } = parseArgs({
  options: {
    /** Parts to measure, separated by commas. */
    only: { type: "string" },
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "3" },
    "memory-minutes": { type: "string" },
    save: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    pipeline: { type: "boolean", default: false },
    "seed-data": { type: "boolean", default: false },
  },
  // The number of payments of --seed-data.
  allowPositionals: true,
});

const progress = (line: string) => process.stderr.write(`${line}\n`);
const setting = { rounds: Number(values.rounds), seconds: Number(values.seconds), progress };
const wanted = values.only?.split(",") ?? NAMES;

const machine = () => ({ cores: availableParallelism(), cpu: cpus()[0]?.model ?? "", node: process.version });

function settingText(): string {
  const { cores, cpu, node } = machine();
  return `${cores} × ${cpu}, Node ${node}, medians of ${setting.rounds} rounds, the client, PostgreSQL and the chain on the same machine`;
}

/** Runs the wanted ones of `parts` on a stack of their own. */
async function measure(parts: Record<string, Part>, blockTimeSeconds: number): Promise<Figure[]> {
  const chosen = Object.entries(parts).filter(([name]) => wanted.includes(name));
  if (chosen.length === 0) return [];
  const mining = { mining: "interval", blockTimeSeconds } as const;
  const byNext = { log: progress, settings: { ROUTE_HANDLERS: "next" } };
  return inOwnWorld("bench", { mining, log: progress }, (stack) =>
    inOwnWorld("bench-next", byNext, async (next) => {
      const bench = await openBench(stack, next, setting);
      const figures: Figure[] = [];
      try {
        for (const [, part] of chosen) figures.push(...(await part(bench)));
      } finally {
        bench.close();
      }
      return figures;
    }),
  );
}

async function run(): Promise<void> {
  if (values.pipeline) return console.log(pipelineTable());
  if (values["seed-data"]) return measureData(positionals[0], progress);
  const unknown = wanted.filter((name) => !NAMES.includes(name));
  if (unknown.length > 0) throw new Error(`there is no part ${unknown.join(", ")}; there are ${NAMES.join(", ")}`);
  const minutes = Number(values["memory-minutes"] ?? 0);
  const memory: Record<string, Part> = minutes > 0 ? { memory: (bench) => memoryFigures(bench, minutes) } : {};
  const figures = [
    ...(await measure(PARTS, 1)),
    ...(await measure(SLOWER_PARTS, 2)),
    // A server of its own, so that what came before does not count.
    ...(await measure(memory, 1)),
  ];
  if (values.save) saveFigures(figures, settingText(), new Date().toISOString().slice(0, 10));
  if (values.json) console.log(JSON.stringify({ ...machine(), figures }, null, 2));
  else console.log(`\n${textTable(figures)}\n\n${settingText()}`);
}

await run();

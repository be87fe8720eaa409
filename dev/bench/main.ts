import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { inOwnWorld } from "../local/own-world";
import { type Bench, openBench } from "./actors";
import { cpuFigures, memoryFigures } from "./cost";
import { measureData } from "./data";
import { facilitatorFigures } from "./facilitator";
import { type Figure, textTable } from "./figures";
import { growthFigures } from "./growth";
import { credentialFigures } from "./identity";
import { pageFigures } from "./pages";
import { passFigures } from "./passes";
import { pipelineTable } from "./pipeline-table";
import { profiled, profileTable } from "./profile";
import { priceFigures, scanFigures, signingFigures } from "./rates";
import { saveFigures, saveProfile } from "./save";
import { latencyFigures, settlementFigures } from "./settlements";
import { vaultFigures } from "./vaults";

/**
 * `npm run bench`: measures this machine on a temporary local stack. Figures are meaningful only relative to each other; nothing is
 * asserted. `--save` writes them to docs/performance.md.
 */
type Part = (bench: Bench) => Promise<Figure[]>;

/** Measured with blocks of one second. */
const PARTS: Record<string, Part> = {
  pages: pageFigures,
  prices: priceFigures,
  signing: signingFigures,
  credentials: credentialFigures,
  scans: scanFigures,
  passes: passFigures,
  facilitator: facilitatorFigures,
  latency: (bench) => latencyFigures(bench, 1),
  settlements: (bench) => settlementFigures(bench, 1),
  vaults: vaultFigures,
  cpu: cpuFigures,
};
/** Measured with blocks of two seconds, as on Base. */
const SLOWER_PARTS: Record<string, Part> = {
  "latency-2s": (bench) => latencyFigures(bench, 2),
  "settlements-2s": (bench) => settlementFigures(bench, 2),
};

const NAMES = [...Object.keys(PARTS), ...Object.keys(SLOWER_PARTS), "growth", "memory"];
/** The devnet polls more often by default. */
const PRODUCTION = { POLL_MILLISECONDS: "1000" };
const MEMORY_MINUTES = 10;
const GROWTH_PAYMENTS = 200_000;

const { values, positionals } = parseArgs({
  options: {
    /** Comma-separated parts to measure. */
    only: { type: "string" },
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "3" },
    "memory-minutes": { type: "string" },
    save: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    pipeline: { type: "boolean", default: false },
    /** Profiles the server's time instead of measuring. Builds with source maps, which takes minutes. */
    profile: { type: "boolean", default: false },
    "seed-data": { type: "boolean", default: false },
  },
  // The number of payments for --seed-data and the part `growth`.
  allowPositionals: true,
});

const progress = (line: string) => process.stderr.write(`${line}\n`);
const setting = { rounds: Number(values.rounds), seconds: Number(values.seconds), progress };
const wanted = values.only?.split(",") ?? NAMES;

const machine = () => ({ cores: availableParallelism(), cpu: cpus()[0]?.model ?? "", node: process.version });

function machineText(): string {
  const { cores, cpu, node } = machine();
  return `${cores} × ${cpu}, Node ${node}`;
}

function settingText(): string {
  return `${machineText()}, medians of ${setting.rounds} rounds, the client, PostgreSQL and the chain on the same machine`;
}

const figures: Figure[] = [];
/** Parts that were not measured, and why. */
const failures: string[] = [];

/** A failing part loses only its own figures. Figures are saved after each part. */
async function attempt(name: string, part: () => Promise<Figure[]>): Promise<void> {
  const began = performance.now();
  try {
    figures.push(...(await part()));
  } catch (error) {
    failures.push(`${name}: ${error instanceof Error ? error.message : error}`.split("\n")[0] ?? name);
    process.exitCode = 1;
  }
  progress(`${name}: ${Math.round((performance.now() - began) / 1_000)} s`);
  if (!values.save) return;
  const parts = values.only === undefined ? null : wanted;
  saveFigures({ figures, failures, setting: settingText(), day: new Date().toISOString().slice(0, 10), parts });
}

/** Runs the selected `parts` on their own stack. */
async function measure(parts: Record<string, Part>, blockTimeSeconds: number): Promise<void> {
  const chosen = Object.entries(parts).filter(([name]) => wanted.includes(name));
  if (chosen.length === 0) return;
  const mining = { mining: "interval", blockTimeSeconds } as const;
  const byNext = { log: progress, settings: { ROUTE_HANDLERS: "next" } };
  const names = chosen.map(([name]) => name).join(", ");
  try {
    await inOwnWorld("bench", { mining, log: progress, settings: PRODUCTION }, (stack) =>
      inOwnWorld("bench-next", byNext, async (next) => {
        const bench = await openBench(stack, next, setting);
        try {
          for (const [name, part] of chosen) await attempt(name, () => part(bench));
        } finally {
          bench.close();
        }
      }),
    );
  } catch (error) {
    await attempt(`a server for ${names}`, () => Promise.reject(error));
  }
}

async function profile(): Promise<void> {
  process.env.SERVER_SOURCE_MAPS = "on";
  const directory = mkdtempSync(join(tmpdir(), "tessera-profile-"));
  const socket = join(directory, "profile.sock");
  const settings = { ...PRODUCTION, ...profiled(socket) };
  const mining = { mining: "interval", blockTimeSeconds: 1 } as const;
  try {
    const table = await inOwnWorld("bench", { mining, log: progress, settings }, async (stack) => {
      const bench = await openBench(stack, stack, setting);
      return profileTable(bench, socket).finally(bench.close);
    });
    console.log(table);
    if (values.save) saveProfile(table, machineText(), new Date().toISOString().slice(0, 10));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function run(): Promise<void> {
  if (values.profile) return profile();
  if (values.pipeline) return console.log(pipelineTable());
  const [payments] = positionals;
  if (values["seed-data"] && !values.only) return measureData(payments, progress);
  const unknown = wanted.filter((name) => !NAMES.includes(name));
  if (unknown.length > 0) throw new Error(`there is no part ${unknown.join(", ")}; there are ${NAMES.join(", ")}`);
  const minutes = Number(values["memory-minutes"] ?? (values.save || values.only ? MEMORY_MINUTES : 0));
  await measure(PARTS, 1);
  await measure(SLOWER_PARTS, 2);
  if (wanted.includes("growth"))
    await attempt("growth", () => growthFigures(Number(payments ?? GROWTH_PAYMENTS), progress));
  // On its own server, so that earlier parts have no effect.
  if (minutes > 0) await measure({ memory: (bench) => memoryFigures(bench, minutes) }, 1);
  if (values.json) console.log(JSON.stringify({ ...machine(), figures, failures }, null, 2));
  else console.log(`\n${textTable(figures)}\n\n${settingText()}`);
  for (const failure of failures) progress(`Not measured: ${failure}`);
}

await run();

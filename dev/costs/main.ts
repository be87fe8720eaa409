import { availableParallelism, cpus } from "node:os";
import { parseArgs } from "node:util";
import { median } from "../bench/figures";
import { play, playable, type Row, rows } from "./play";
import { missed, type Priced, saveRows, saveTable, toTable } from "./table";
import { type CostWorld, inCostWorld } from "./world";

/**
 * `npm run costs`: measures what each endpoint, page and tool costs the service, with the largest data and input that the limits
 * allow. `--write` updates the table in docs/operations.md, with `--only` just its rows. `--only` selects rows whose name contains a text.
 */
const { values } = parseArgs({
  options: {
    only: { type: "string" },
    write: { type: "boolean", default: false },
    repetitions: { type: "string", default: "7" },
  },
});

const say = (line: string) => process.stderr.write(`${line}\n`);
const repetitions = Number(values.repetitions);
const TOGETHER = 8;
const UNIT = "GET /healthz";
const UNIT_REPETITIONS = 31;

const setting = () => {
  const model = cpus()[0]?.model ?? "";
  return `Measured on ${availableParallelism()} × ${model}, Node ${process.version}, medians of ${repetitions - 1} calls.`;
};

async function priced(world: CostWorld, row: Row, unit: number): Promise<Priced | null> {
  try {
    const cost = await play(world, row, { repetitions, together: TOGETHER });
    return { row, cost, unit };
  } catch (error) {
    say(`✗ ${row.name}: ${error instanceof Error ? error.message : error}`);
    process.exitCode = 1;
    return null;
  }
}

await inCostWorld(say, async (world) => {
  const all = rows();
  const unitRow = all.find(({ name }) => name === UNIT);
  if (!unitRow) throw new Error(`there is no ${UNIT}`);
  const units = await play(world, unitRow, { repetitions: UNIT_REPETITIONS, together: 1 });
  const found: Priced[] = [];
  const wanted = all.filter(({ name }) => !values.only || name.includes(values.only));
  for (const row of playable(wanted)) {
    const one = await priced(world, row, units.cpuMs);
    if (!one) continue;
    found.push(one);
    const faults = missed(one).join(", ");
    say(`${one.cost.status.padEnd(22)} ${one.cost.cpuMs.toFixed(1).padStart(8)} ms  ${row.name}  ${faults}`);
  }
  const table = toTable(found.toSorted((a, b) => all.indexOf(a.row) - all.indexOf(b.row)));
  console.log(table);
  say(
    `\nThe unit is ${units.cpuMs.toFixed(2)} ms; the median of all rows is ${median(found.map(({ cost }) => cost.cpuMs)).toFixed(1)} ms.`,
  );
  if (values.write) values.only ? saveRows(table) : saveTable(table, setting());
});

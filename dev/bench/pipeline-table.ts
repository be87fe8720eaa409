import { BASE, limitOf, type Pipeline, simulate } from "./pipeline";

const base = { networks: 1, ...BASE };
const tenth = BASE.blockGas / 10;

/** The rows of docs/scaling.md. */
const CASES: [string, Pipeline][] = [
  ["Base, a tenth of each block", { ...base, blockGas: tenth, presentedPerSecond: 10, keysPerNetwork: 1 }],
  ["Base, a tenth of each block", { ...base, blockGas: tenth, presentedPerSecond: 1_000, keysPerNetwork: 4 }],
  ["Base, half of each block", { ...base, blockGas: tenth * 5, presentedPerSecond: 1_000, keysPerNetwork: 1 }],
  ["Base, half of each block", { ...base, blockGas: tenth * 5, presentedPerSecond: 1_000, keysPerNetwork: 2 }],
  ["Base, every block whole", { ...base, presentedPerSecond: 100_000, keysPerNetwork: 130 }],
  ["26 networks like Base, whole", { ...base, networks: 26, presentedPerSecond: 100_000, keysPerNetwork: 5 }],
  ["26 networks like Base, whole", { ...base, networks: 26, presentedPerSecond: 100_000, keysPerNetwork: 4 }],
  [
    "one network with 30 × the gas",
    { ...base, blockGas: BASE.blockGas * 30, presentedPerSecond: 100_000, keysPerNetwork: 130 },
  ],
];

const WORDS = { gas: "gas of the blocks", keys: "keys", observer: "the observer" };
const formatWhole = (value: number) => Math.round(value).toLocaleString("en");

/** A Markdown table. Times are omitted where the backlog grows. */
export function pipelineTable(): string {
  const rows = CASES.map(([name, pipeline]) => {
    const outcome = simulate(pipeline);
    const limit = limitOf(outcome);
    return [
      formatWhole(pipeline.presentedPerSecond),
      name,
      formatWhole(pipeline.networks * pipeline.keysPerNetwork),
      formatWhole(outcome.settledPerSecond),
      limit
        ? `grows by ${formatWhole(pipeline.presentedPerSecond - outcome.settledPerSecond)} a second`
        : `${outcome.median.toFixed(1)} s`,
      limit ? "" : `${outcome.p99.toFixed(1)} s`,
      `${Math.round(outcome.use.gas * 100)} %`,
      limit ? WORDS[limit] : "–",
    ];
  });
  const head = ["presented / s", "chain", "keys", "settled / s", "median", "p99", "gas used", "limit"];
  return [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");
}

/** A target for a figure, in its unit. */
export type Goal = { atLeast: number } | { atMost: number };

/** `counts`: the counts that a share is computed from. */
export type Figure = {
  name: string;
  unit: "%" | "ms";
  value: number;
  counts?: { part: number; whole: number };
  goal?: Goal;
};

/** Median and 99th percentile of a kind of scan, in milliseconds. */
export type Timing = { name: string; median: Figure; p99: Figure };

/** A table of times. */
export type TimeSection = { title: string; timings: Timing[]; notes: string[] };

/** A table of the report. */
export type Section = { title: string; figures: Figure[]; notes: string[] };

export const missing = (title: string, file: string): Section => ({
  title,
  figures: [],
  notes: [`not measured: ${file} is missing`],
});

/** The share of a group for which `isCounted` holds, in per cent. */
export function share<T>(
  name: string,
  group: readonly T[],
  isCounted: (one: T, index: number) => boolean,
  goal?: Goal,
): Figure {
  const counts = { part: group.filter(isCounted).length, whole: group.length };
  return { name, unit: "%", value: (100 * counts.part) / counts.whole, counts, ...(goal && { goal }) };
}

/**
 * Times of single runs in milliseconds, by the wall clock and with garbage collection, after a warm-up. Several passes
 * are made, and each figure is the median over the passes, which reduces the influence of other processes.
 */
export function timesOf(run: (index: number) => unknown, runs: number): { median: number; p99: number } {
  for (let index = 0; index < WARM_UP; index++) run(index % runs);
  const passes = Array.from({ length: PASSES }, () => {
    // Typed, so that measuring allocates nothing during the runs.
    const times = new Float64Array(runs);
    for (let index = 0; index < runs; index++) {
      const start = performance.now();
      run(index);
      times[index] = performance.now() - start;
    }
    times.sort();
    return { median: times[Math.floor(runs / 2)] ?? 0, p99: times[Math.floor(runs * 0.99)] ?? 0 };
  });
  const middle = (figures: number[]) => figures.sort((a, b) => a - b)[Math.floor(PASSES / 2)] ?? 0;
  return { median: middle(passes.map(({ median }) => median)), p99: middle(passes.map(({ p99 }) => p99)) };
}

const [WARM_UP, PASSES] = [300, 7];

export const time = (name: string, value: number, goal?: Goal): Figure => ({
  name,
  unit: "ms",
  value,
  ...(goal && { goal }),
});

export const timing = (
  name: string,
  times: { median: number; p99: number },
  goals: { median?: Goal; p99?: Goal },
): Timing => ({
  name,
  median: time(`${name}: median`, times.median, goals.median),
  p99: time(`${name}: p99`, times.p99, goals.p99),
});

/** null without a goal. A share of an empty group meets no goal. */
export function isMet({ value, goal }: Figure): boolean | null {
  if (goal === undefined) return null;
  return "atLeast" in goal ? value >= goal.atLeast : value <= goal.atMost;
}

export function toText({ unit, value, counts }: Figure): string {
  if (unit === "ms") return `${value.toFixed(3)} ms`;
  const per = Number.isNaN(value) ? "–" : `${value.toFixed(value > 0 && value < 1 ? 2 : 1)} %`;
  return counts ? `${per} (${counts.part} of ${counts.whole})` : per;
}

export const goalText = (goal: Goal | undefined, unit: Figure["unit"]): string => {
  if (goal === undefined) return "";
  return "atLeast" in goal ? `≥ ${goal.atLeast} ${unit}` : `≤ ${goal.atMost} ${unit}`;
};

/** Aligns columns, with two spaces between them. */
export function columns(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => (row[at] ?? "").length)));
  return rows.map((row) => `  ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join("  ")}`.trimEnd()).join("\n");
}

export const sectionText = ({ title, figures, notes }: Section): string =>
  [
    title,
    columns(
      figures.map((figure) => [
        figure.name,
        toText(figure),
        goalText(figure.goal, figure.unit),
        { true: "met", false: "NOT MET", null: "" }[`${isMet(figure)}`],
      ]),
    ),
    ...notes.map((note) => `  ${note}`),
  ]
    .filter(Boolean)
    .join("\n");

export const timesText = ({ title, timings, notes }: TimeSection): string =>
  sectionText({ title, figures: timings.flatMap(({ median, p99 }) => [median, p99]), notes });

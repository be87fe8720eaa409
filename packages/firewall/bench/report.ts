/** A target for a figure, in its unit. */
export type Goal = { atLeast: number } | { atMost: number };

/** A table: a line has its cells, joined by " | ". The first line has the headers. */
export type Table = { title: string; lines: readonly string[] };

export const row = (...cells: readonly (string | number)[]): string => cells.join(" | ");

/** Figures with their goals, and notes below them. */
export const figureTable = (title: string, figures: readonly string[], notes: readonly string[] = []): Table => ({
  title,
  lines: [row("figure", "measured", "goal", ""), ...figures, ...notes.map((note) => row(note, "", "", ""))],
});
export const timeTable = (title: string, timings: readonly string[]): Table => ({
  title,
  lines: [row("input", "median, ms", "p99, ms", "goal", ""), ...timings],
});
export const missing = (title: string, file: string): Table =>
  figureTable(title, [], [`not measured: ${file} is missing`]);

/** The share of a group for which `isCounted` holds, in per cent. */
export function share<T>(
  name: string,
  group: readonly T[],
  isCounted: (one: T, index: number) => boolean,
  goal?: Goal,
): string {
  const [part, whole] = [group.filter(isCounted).length, group.length];
  return row(name, `${shareText(part, whole)} (${part} of ${whole})`, ...judged((100 * part) / whole, goal, "%"));
}

/** A share in per cent; small ones with two digits. */
export const shareText = (part: number, whole: number): string =>
  whole === 0 ? "–" : `${((100 * part) / whole).toFixed(part > 0 && part < whole / 100 ? 2 : 1)} %`;

/** Median and 99th percentile of a kind of scan, in milliseconds, with a goal for the latter. */
export const timing = (name: string, { median, p99 }: { median: number; p99: number }, goal?: Goal): string => {
  const [goalText, met] = judged(p99, goal, "ms");
  return row(name, median.toFixed(3), p99.toFixed(3), goalText && `p99 ${goalText}`, met);
};

/** The goal, and whether the figure meets it. A share of an empty group meets none. */
function judged(value: number, goal: Goal | undefined, unit: "%" | "ms"): [goal: string, met: string] {
  if (goal === undefined) return ["", ""];
  const isMet = "atLeast" in goal ? value >= goal.atLeast : value <= goal.atMost;
  const text = "atLeast" in goal ? `≥ ${goal.atLeast}` : `≤ ${goal.atMost}`;
  return [`${text} ${unit}`, isMet ? "met" : "not met"];
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

/** The table with its columns aligned. */
export function tableText({ title, lines }: Table): string {
  const rows = lines.map((line) => line.split(" | "));
  // A note has one cell, which may be long.
  const measured = rows.filter(([, second]) => second !== "");
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...measured.map((cells) => (cells[at] ?? "").length)));
  const aligned = rows.map((cells) => cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join("  "));
  return [title, ...aligned.map((line) => `  ${line}`.trimEnd())].join("\n");
}

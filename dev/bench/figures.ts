/** What a figure is to reach: at least this multiple of its baseline, or at most this value. */
export type Goal = { atLeast: number } | { atMost: number };

/** One measured value, and what it is compared with in the same run. */
export type Figure = {
  what: string;
  ours: number;
  unit: string;
  /** Null if there is nothing to compare it with. */
  beside: { value: number; is: string } | null;
  goal?: Goal;
};

export const compared = (
  what: string,
  [ours, other]: readonly [number, number],
  { unit, is, goal }: { unit: string; is: string; goal?: Goal },
): Figure => ({ what, ours, unit, beside: { value: other, is }, ...(goal && { goal }) });

export const alone = (what: string, ours: number, { unit, goal }: { unit: string; goal?: Goal }): Figure => ({
  ...{ what, ours, unit, beside: null },
  ...(goal && { goal }),
});

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** The smallest value that at least the share `q` of the values does not exceed. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(q * sorted.length) - 1)] ?? Number.NaN;
}

const number = (value: number) => value.toLocaleString("en", { maximumFractionDigits: value < 10 ? 2 : 0 });

const ratioOf = ({ ours, beside }: Figure): number | null => (beside ? ours / beside.value : null);

function goalOf(figure: Figure): string {
  const { goal, unit } = figure;
  if (!goal) return "";
  const [text, isMet] =
    "atLeast" in goal
      ? [`≥ ${goal.atLeast}×`, (ratioOf(figure) ?? 0) >= goal.atLeast]
      : [`≤ ${number(goal.atMost)} ${unit}`, figure.ours <= goal.atMost];
  return `${text}, ${isMet ? "met" : "missed"}`;
}

const HEAD = ["", "ours", "beside it", "ratio", "what is beside it", "goal"];

const rowsOf = (figures: readonly Figure[]): string[][] =>
  figures.map((figure) => {
    const { what, ours, unit, beside } = figure;
    const ratio = ratioOf(figure);
    return [
      what,
      `${number(ours)} ${unit}`,
      beside ? `${number(beside.value)} ${unit}` : "",
      ratio === null ? "" : `${number(ratio)}×`,
      beside?.is ?? "",
      goalOf(figure),
    ];
  });

/** For a terminal. */
export function textTable(figures: readonly Figure[]): string {
  const all = [HEAD, ...rowsOf(figures)];
  const widths = HEAD.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("   ")
        .trimEnd(),
    )
    .join("\n");
}

export const markdownTable = (figures: readonly Figure[]): string =>
  [HEAD, HEAD.map(() => "---"), ...rowsOf(figures)].map((row) => `| ${row.join(" | ")} |`).join("\n");

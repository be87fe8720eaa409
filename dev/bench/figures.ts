/** The goal of a figure: at least or at most a value, or with `times`, a multiple of the value beside it. */
export type Goal = { atLeast: number; times?: true } | { atMost: number; times?: true };

export const atLeastTimes = (atLeast: number): Goal => ({ atLeast, times: true });
export const atMostTimes = (atMost: number): Goal => ({ atMost, times: true });

/** A measured value, and the value that it is compared with in the same run. */
export type Figure = {
  what: string;
  ours: number;
  unit: string;
  /** Null without a comparison. */
  beside: { value: number; is: string } | null;
  goal?: Goal;
};

export const compared = (
  description: string,
  [ours, other]: readonly [number, number],
  { unit, is, goal }: { unit: string; is: string; goal?: Goal },
): Figure => ({ what: description, ours, unit, beside: { value: other, is }, ...(goal && { goal }) });

export const alone = (description: string, ours: number, { unit, goal }: { unit: string; goal?: Goal }): Figure => ({
  what: description,
  ours,
  unit,
  beside: null,
  ...(goal && { goal }),
});

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** The smallest value that is not exceeded by at least the share `q` of the values. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(q * sorted.length) - 1)] ?? Number.NaN;
}

const number = (value: number) => value.toLocaleString("en", { maximumFractionDigits: value < 10 ? 2 : 0 });

const ratioOf = ({ ours, beside }: Figure): number | null => (beside ? ours / beside.value : null);

function goalOf(figure: Figure): string {
  const { goal } = figure;
  if (!goal) return "";
  const value = goal.times ? (ratioOf(figure) ?? Number.NaN) : figure.ours;
  const unit = goal.times ? "×" : ` ${figure.unit}`;
  const [text, isMet] =
    "atLeast" in goal
      ? [`≥ ${number(goal.atLeast)}${unit}`, value >= goal.atLeast]
      : [`≤ ${number(goal.atMost)}${unit}`, value <= goal.atMost];
  return `${text}, ${isMet ? "met" : "missed"}`;
}

export const HEAD = ["", "ours", "beside it", "ratio", "what is beside it", "goal"];

const rowsOf = (figures: readonly Figure[]): string[][] =>
  figures.map((figure) => {
    const { what, ours, unit, beside } = figure;
    const ratio = ratioOf(figure);
    return [
      what,
      `${number(ours)} ${unit}`.trimEnd(),
      beside ? `${number(beside.value)} ${unit}` : "",
      ratio === null ? "" : `${number(ratio)}×`,
      beside?.is ?? "",
      goalOf(figure),
    ];
  });

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

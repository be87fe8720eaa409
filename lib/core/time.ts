/** Unix time in whole seconds, rounded down. */
export const unixSeconds = (at: Date): number => Math.floor(at.getTime() / 1000);

export const fromUnixSeconds = (seconds: number): Date => new Date(seconds * 1000);

export const addSeconds = (at: Date, seconds: number): Date => new Date(at.getTime() + seconds * 1000);

/** A duration in words, exact to the second: "15 minutes", "1 hour 30 seconds". */
export function durationText(seconds: number): string {
  let rest = seconds;
  const parts: string[] = [];
  for (const [unit, size] of UNITS) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) parts.push(`${count} ${unit}${count === 1 ? "" : "s"}`);
  }
  return parts.join(" ") || "0 seconds";
}

const UNITS = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
] as const;

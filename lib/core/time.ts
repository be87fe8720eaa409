/** Unix time in whole seconds, rounded down. */
export const unixSeconds = (time: Date): number => Math.floor(time.getTime() / 1000);

export const fromUnixSeconds = (seconds: number): Date => new Date(seconds * 1000);

export const addSeconds = (time: Date, seconds: number): Date => new Date(time.getTime() + seconds * 1000);

/** A duration in words, exact to the second: "15 minutes", "1 hour 30 seconds". */
export function durationText(seconds: number): string {
  let remainingSeconds = seconds;
  const parts: string[] = [];
  for (const [unit, size] of UNITS) {
    const count = Math.floor(remainingSeconds / size);
    remainingSeconds -= count * size;
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

/** `Retry-After` in seconds, from a number or an HTTP date; 0 for anything else. */
export function retryAfterSeconds(text: string | null, now: Date): number {
  if (text === null) return 0;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const time = Date.parse(text);
  return Number.isNaN(time) ? 0 : Math.max(0, (time - now.getTime()) / 1000);
}

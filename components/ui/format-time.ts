// Separate from format.ts: the checkout sends this file to every visitor, and format.ts imports zod.

const RELATIVE = new Intl.RelativeTimeFormat("en-GB", { numeric: "always" });

/** A unit is used from two upwards, minutes from one. */
const UNITS = [
  ["year", 31_536_000, 2 * 31_536_000],
  ["month", 2_592_000, 2 * 2_592_000],
  ["day", 86_400, 2 * 86_400],
  ["hour", 3_600, 2 * 3_600],
  ["minute", 60, 60],
] as const;

/** The distance of `at` from `now` (milliseconds since 1970), rounded to a whole unit: "in 7 days", "36 hours ago", "now". */
export function formatRelative(at: Date, now: number): string {
  const seconds = Math.round((at.getTime() - now) / 1000);
  const [unit, size] = UNITS.find(([, , from]) => Math.abs(seconds) >= from) ?? (["second", 1] as const);
  if (unit === "second" && Math.abs(seconds) < 10) return "now";
  return RELATIVE.format(Math.sign(seconds) * Math.round(Math.abs(seconds) / size), unit);
}

/** A countdown in its two largest units: "2 h 5 min", "59 s". More would flicker. `seconds` must be positive. */
export function formatCountdown(seconds: number): string {
  const parts = COUNTDOWN.map(([unit, size], index) => {
    const larger = COUNTDOWN[index - 1]?.[1] ?? Number.POSITIVE_INFINITY;
    return [Math.floor((seconds % larger) / size), unit] as const;
  });
  const first = parts.findIndex(([count]) => count > 0);
  return parts
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(" ");
}

const COUNTDOWN = [
  ["d", 86_400],
  ["h", 3_600],
  ["min", 60],
  ["s", 1],
] as const;

/** An absolute time inside a sentence: "2026-12-03 14:05 UTC". */
export const utcMinute = (at: Date): string => `${at.toISOString().slice(0, 16).replace("T", " ")} UTC`;

import { DEFAULT_LANGUAGE, type Language, LOCALES } from "@/lib/core/language";

// Separate from format.ts: the checkout sends this file to every visitor, and format.ts imports zod.

/** Unit, its seconds, and the seconds from which it is used: from two units upwards, minutes from one. */
const UNITS = [
  ["year", 31_536_000, 2 * 31_536_000],
  ["month", 2_592_000, 2 * 2_592_000],
  ["day", 86_400, 2 * 86_400],
  ["hour", 3_600, 2 * 3_600],
  ["minute", 60, 60],
] as const;

/** The distance of `time` from `currentTime` (milliseconds since 1970), rounded to a whole unit: "in 7 days", "36 hours ago", "now". */
export function formatRelative(time: Date, currentTime: number, language: Language = DEFAULT_LANGUAGE): string {
  const seconds = Math.round((time.getTime() - currentTime) / 1000);
  const [unit, size] = UNITS.find(([, , from]) => Math.abs(seconds) >= from) ?? (["second", 1] as const);
  const locale = LOCALES[language];
  if (unit === "second" && Math.abs(seconds) < 10) {
    return new Intl.RelativeTimeFormat(locale, { numeric: "auto" }).format(0, "second");
  }
  const format = new Intl.RelativeTimeFormat(locale, { numeric: "always" });
  return format.format(Math.sign(seconds) * Math.round(Math.abs(seconds) / size), unit);
}

export type CountdownUnits = Readonly<Record<(typeof COUNTDOWN)[number][0], string>>;

/** A countdown in its two largest units: "2 h 5 min", "59 s". More would flicker. `seconds` must be positive. */
export function formatCountdown(seconds: number, units: CountdownUnits = SYMBOLS): string {
  const parts = COUNTDOWN.map(([unit, size], index) => {
    const larger = COUNTDOWN[index - 1]?.[1] ?? Number.POSITIVE_INFINITY;
    return [Math.floor((seconds % larger) / size), unit] as const;
  });
  const first = parts.findIndex(([count]) => count > 0);
  return parts
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${units[unit]}`)
    .join(" ");
}

const COUNTDOWN = [
  ["days", 86_400],
  ["hours", 3_600],
  ["minutes", 60],
  ["seconds", 1],
] as const;

const SYMBOLS: CountdownUnits = { days: "d", hours: "h", minutes: "min", seconds: "s" };

/** A calendar day: "31 January 2026", "31. Januar 2026". Without a time zone, in the reader's. */
export function formatDay(time: Date, { language = DEFAULT_LANGUAGE, month = "long", timeZone }: DayForm): string {
  const zone = timeZone === undefined ? {} : { timeZone };
  const format = new Intl.DateTimeFormat(LOCALES[language], { day: "numeric", month, year: "numeric", ...zone });
  // The day and its month stay on one line.
  return format.format(time).replace(". ", ".\u00a0");
}

export type DayForm = { language?: Language; month?: "long" | "short"; timeZone?: string };

/** "14:05" or, with seconds, "14:05:09". */
export function formatClock(
  time: Date,
  { language = DEFAULT_LANGUAGE, timeZone, hasSeconds = false }: ClockForm,
): string {
  const zone = timeZone === undefined ? {} : { timeZone };
  const parts = { hour: "2-digit", minute: "2-digit", ...(hasSeconds && { second: "2-digit" as const }) } as const;
  return new Intl.DateTimeFormat(LOCALES[language], { ...parts, ...zone }).format(time);
}

export type ClockForm = { language?: Language; timeZone?: string; hasSeconds?: boolean };

/** An absolute time inside a sentence: "2026-12-03 14:05 UTC". */
export const utcMinute = (time: Date): string => `${time.toISOString().slice(0, 16).replace("T", " ")} UTC`;

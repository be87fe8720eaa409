import { z } from "zod";

/** Unix time in whole seconds, rounded down. */
export const unixSeconds = (at: Date): number => Math.floor(at.getTime() / 1000);

export const fromUnixSeconds = (seconds: number): Date => new Date(seconds * 1000);

export const addSeconds = (at: Date, seconds: number): Date => new Date(at.getTime() + seconds * 1000);

/** An ISO 8601 date and time on the wire. */
export const isoDate = z.codec(z.iso.datetime({ offset: true }), z.date(), {
  decode: (text) => new Date(text),
  encode: (date) => date.toISOString(),
});

/** A UTC day in a filter, as its first moment. */
export const utcDay = z.iso
  .date("must be a day (2026-01-31)")
  .refine((text) => /^2\d{3}-/.test(text), "must be a day (2026-01-31)")
  .transform((text) => new Date(`${text}T00:00:00Z`));

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

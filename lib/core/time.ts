import { z } from "zod";

/** Whole Unix seconds of a moment, rounded down. */
export const unixSeconds = (at: Date): number => Math.floor(at.getTime() / 1000);

export const fromUnixSeconds = (seconds: number): Date => new Date(seconds * 1000);

export const addSeconds = (at: Date, seconds: number): Date => new Date(at.getTime() + seconds * 1000);

/** An ISO 8601 moment on the wire. */
export const isoDate = z.codec(z.iso.datetime({ offset: true }), z.date(), {
  decode: (text) => new Date(text),
  encode: (date) => date.toISOString(),
});

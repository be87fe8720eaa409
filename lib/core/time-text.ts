import { z } from "zod";

/** An ISO 8601 date and time on the wire. */
export const isoDate = z.codec(
  z.iso.datetime({ offset: true, error: "must be a date and time with its zone (2026-01-31T12:00:00Z)" }),
  z.date(),
  {
    decode: (text) => new Date(text),
    encode: (date) => date.toISOString(),
  },
);

/** A UTC day in a filter, as its first moment. */
export const utcDay = z.iso
  .date("must be a day (2026-01-31)")
  .refine((text) => /^2\d{3}-/.test(text), "must be a day (2026-01-31)")
  .transform((text) => new Date(`${text}T00:00:00Z`));

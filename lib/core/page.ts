import { z } from "zod";

/** One page of a list that runs from the newest to the oldest. `next` is where the following one begins. */
export type Page<Row> = { rows: Row[]; next: Date | null };

/**
 * The first `limit` of `rows`, of which there is one more when the list goes on. Rows of one moment are never parted, so
 * that "before `next`" goes on exactly where this page ends.
 */
export function cutPage<Row>(rows: readonly Row[], limit: number, at: (row: Row) => Date): Page<Row> {
  const following = rows[limit];
  if (following === undefined) return { rows: [...rows], next: null };
  const page = rows.slice(0, limit);
  const whole = page.filter((row) => at(row) > at(following));
  const shown = whole.length > 0 ? whole : page;
  const last = shown.at(-1);
  return { rows: shown, next: last ? at(last) : null };
}

/** Where a row stands in a list that runs by time and then by id: however many share a moment, each has its own. */
export type Place = { at: Date; id: string };
/** `next` is the place after which the following page begins. */
export type PlacedPage<Row> = { rows: Row[]; next: Place | null };

/** A place as a text for an address, and back; null when it is none. */
export const placeText = ({ at, id }: Place): string => `${at.getTime()}.${id}`;

export function readPlace(text: string): Place | null {
  const [, milliseconds, id = ""] = /^(\d{1,13})\.([a-z]{3,4}_[0-9A-Za-z]{16,40})$/.exec(text) ?? [];
  return milliseconds === undefined ? null : { at: new Date(Number(milliseconds)), id };
}

/** The same as a parameter of the API. */
export const placeCursor = z.codec(
  z
    .string({ error: "must be given once" })
    .refine((text) => readPlace(text) !== null, "must be the nextCursor of a list"),
  z.custom<Place>(),
  // Refined above: it is a place.
  { decode: (text) => readPlace(text) as Place, encode: placeText },
);

/** The first `limit` of `rows`, of which there is one more when the list goes on. */
export function cutAfter<Row>(rows: readonly Row[], limit: number, placeOf: (row: Row) => Place): PlacedPage<Row> {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { rows: page, next: last && rows.length > limit ? placeOf(last) : null };
}

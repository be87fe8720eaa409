import { z } from "zod";

/** One page of a list, newest first. The next page holds the rows before `next`. */
export type Page<Row> = { rows: Row[]; next: Date | null };

/**
 * Cuts a page of `limit` rows; the list continues if `rows` has one more. Rows with equal times stay on one page, so that
 * "before `next`" continues exactly where the page ends.
 */
export function cutPage<Row>(rows: readonly Row[], limit: number, getTimestamp: (row: Row) => Date): Page<Row> {
  const following = rows[limit];
  if (following === undefined) return { rows: [...rows], next: null };
  const page = rows.slice(0, limit);
  const newerRows = page.filter((row) => getTimestamp(row) > getTimestamp(following));
  const pageRows = newerRows.length > 0 ? newerRows : page;
  const last = pageRows.at(-1);
  return { rows: pageRows, next: last ? getTimestamp(last) : null };
}

/** Rows of a list are counted up to this. */
export const COUNTED_MAX = 1000;

/** The position of a row in a list that is ordered by time and then by id. It is unique even when rows share a time. */
export type Cursor = { time: Date; id: string };
/** The next page begins after `next`. */
export type CursorPage<Row> = { rows: Row[]; next: Cursor | null };

/** A cursor as text for a URL. `decodeCursor` reverses it and returns null for anything else. Callers treat it as opaque. */
export const encodeCursor = ({ time, id }: Cursor): string => `${time.getTime()}.${id}`;

export function decodeCursor(text: string): Cursor | null {
  const [, milliseconds, id = ""] = /^(\d{1,13})\.([a-z]{2,4}_[0-9A-Za-z]{16,40})$/.exec(text) ?? [];
  return milliseconds === undefined ? null : { time: new Date(Number(milliseconds)), id };
}

/** A cursor as a query parameter of the API. */
export const cursorText = z.codec(
  z
    .string({ error: "must be given once" })
    .refine((text) => decodeCursor(text) !== null, "must be the nextCursor of a list"),
  z.custom<Cursor>(),
  // The refinement above guarantees a cursor.
  { decode: (text) => decodeCursor(text) as Cursor, encode: encodeCursor },
);

/** Cuts a page of `limit` rows; the list continues if `rows` has one more. */
export function cutAfter<Row>(rows: readonly Row[], limit: number, cursorOf: (row: Row) => Cursor): CursorPage<Row> {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { rows: page, next: last && rows.length > limit ? cursorOf(last) : null };
}

export const pageSize = (normal: number) =>
  z
    .string({ error: "must be given once" })
    .regex(/^([1-9]\d?|100)$/, "must be a number from 1 to 100")
    .transform(Number)
    .default(normal);

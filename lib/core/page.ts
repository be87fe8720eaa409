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

/** The first `limit` of `rows`, of which there is one more when the list goes on. */
export function cutAfter<Row>(rows: readonly Row[], limit: number, placeOf: (row: Row) => Place): PlacedPage<Row> {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { rows: page, next: last && rows.length > limit ? placeOf(last) : null };
}

import fc from "fast-check";
import { expect, test } from "vitest";
import { type Cursor, type CursorPage, cutAfter, cutPage } from "./page";

const LIMIT = 5;

/** The result of a store: the newest rows before a time, one more than fits on a page. */
const read = (all: readonly Date[], before: Date | null, limit: number) =>
  all.filter((time) => before === null || time < before).slice(0, limit + 1);

test("paging through a list returns every row once and in order", () => {
  // Fewer rows share a time than fit on a page.
  const moments = fc.uniqueArray(fc.integer({ min: 0, max: 10_000 }), { maxLength: 30 });
  fc.assert(
    fc.property(moments, fc.infiniteStream(fc.integer({ min: 1, max: LIMIT })), (times, copies) => {
      const all = times
        .sort((a, b) => b - a)
        .flatMap((ms) => Array.from({ length: copies.next().value ?? 1 }, () => new Date(ms)));
      const seen: Date[] = [];
      let before: Date | null = null;
      do {
        const page: { rows: Date[]; next: Date | null } = cutPage(read(all, before, LIMIT), LIMIT, (time) => time);
        expect(page.rows.length).toBeLessThanOrEqual(LIMIT);
        seen.push(...page.rows);
        before = page.next;
      } while (before !== null);
      expect(seen).toEqual(all);
    }),
  );
});

test("a timestamp with more rows than a page is cut, so that the list still ends", () => {
  const all = Array.from({ length: 8 }, () => new Date(0));
  const page = cutPage(read(all, null, LIMIT), LIMIT, (time) => time);
  expect(page).toEqual({ rows: all.slice(0, LIMIT), next: new Date(0) });
  expect(cutPage(read(all, page.next, LIMIT), LIMIT, (time) => time)).toEqual({ rows: [], next: null });
});

test("cursors with time and id page without a gap, however many rows share a timestamp", () => {
  const rows = fc.uniqueArray(fc.record({ time: fc.integer({ min: 0, max: 2 }), id: fc.string({ maxLength: 3 }) }), {
    selector: ({ time, id }) => `${time} ${id}`,
    maxLength: 40,
  });
  fc.assert(
    fc.property(rows, fc.integer({ min: 1, max: 7 }), (found, limit) => {
      const all = found
        .map(({ time, id }): Cursor => ({ time: new Date(time), id }))
        .sort((a, b) => (isAfter(b, a) ? -1 : 1));
      const seen: Cursor[] = [];
      let after: Cursor | null = null;
      do {
        const from: Cursor | null = after;
        const rest: Cursor[] = all.filter((row) => from === null || isAfter(row, from));
        const page: CursorPage<Cursor> = cutAfter(rest.slice(0, limit + 1), limit, (row) => row);
        seen.push(...page.rows);
        after = page.next;
      } while (after !== null);
      expect(seen).toEqual(all);
    }),
  );
});

/** Whether `a` comes after `b` in a list from newest to oldest. */
const isAfter = (a: Cursor, b: Cursor) => a.time < b.time || (a.time.getTime() === b.time.getTime() && a.id < b.id);

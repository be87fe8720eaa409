import { expect, test } from "vitest";
import { pagerOf, readPaging } from "./paging";

const hrefOf = (params: object) => JSON.stringify(params);
const paramsOf = (link: string | undefined) => JSON.parse(link ?? "null");

/** Walks forward over `cursors` from the first page, with `shown` rows a page. */
function walk(cursors: readonly string[], shown = 20) {
  let params: Record<string, string> = {};
  for (const next of cursors) {
    const paging = readPaging(params, params.cursor === undefined);
    params = paramsOf(pagerOf(paging, { cursor: params.cursor, next, shown }, hrefOf).older);
  }
  return { paging: readPaging(params, params.cursor === undefined), cursor: params.cursor };
}

test("the way back is the way that was taken", () => {
  const third = walk(["a.1", "b.2"]);
  const pager = pagerOf(third.paging, { cursor: third.cursor, next: null, shown: 3 }, hrefOf);
  expect(pager).toMatchObject({ range: { from: 41, to: 43 }, total: 43, older: undefined });
  expect(paramsOf(pager.previous)).toEqual({ cursor: "a.1", at: "20" });
  expect(paramsOf(pager.newest)).toEqual({});
  const second = walk(["a.1"]);
  const before = pagerOf(second.paging, { cursor: second.cursor, next: "b.2", shown: 20 }, hrefOf);
  expect(before).toMatchObject({ newest: undefined, total: undefined, range: { from: 21, to: 40 } });
  expect(paramsOf(before.previous)).toEqual({});
});

test("the way back is bounded", () => {
  const { paging } = walk(Array.from({ length: 60 }, (_, index) => `c.${index}`));
  expect(paging.passed).toHaveLength(40);
  expect(paging.rowsBefore).toBe(1_200);
});

test("a page size is one of those that are offered, and is kept", () => {
  expect(readPaging({ rows: "1000" }, true).size).toBe(20);
  const pager = pagerOf(readPaging({ rows: "50" }, true), { cursor: undefined, next: "a.1", shown: 50 }, hrefOf);
  expect(paramsOf(pager.older)).toEqual({ cursor: "a.1", at: "50", rows: "50" });
  expect(pager.sizes?.find(({ isCurrent }) => isCurrent)?.size).toBe(50);
});

test("what we did not write counts as absent", () => {
  const paging = readPaging({ at: "-1", passed: "x~20.<b>~40.ok" }, false);
  expect(paging).toEqual({ size: 20, rowsBefore: null, passed: [{ before: 40, cursor: "ok" }] });
  expect(pagerOf(paging, { cursor: "z", next: null, shown: 5 }, hrefOf)).toMatchObject({
    range: undefined,
    total: undefined,
  });
});

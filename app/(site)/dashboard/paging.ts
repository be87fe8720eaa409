import type { PagerProps } from "@/components/dashboard/pager";

export const PAGE_SIZES = [20, 50, 100] as const;
const [USUAL_SIZE] = PAGE_SIZES;

/** A page of a list by its cursor, and the number of rows before it. */
type Step = { before: number; cursor: string };

/** Where a list stands. Lists read forward only, so the URL holds the pages that were passed. */
export type Paging = {
  size: number;
  /** The number of rows before this page; null if the URL does not say it. */
  rowsBefore: number | null;
  /** The earlier pages except the first, oldest first. */
  passed: readonly Step[];
};

/** Longer trails would make URLs that servers refuse. Beyond it, the way back ends with the first page. */
const PASSED_MAX = 40;

type Params = { rows?: Text; at?: Text; passed?: Text };
type Text = string | string[] | undefined;

/** `isFirst`: the URL has no valid cursor. */
export function readPaging({ rows, at, passed }: Params, isFirst: boolean): Paging {
  const size = PAGE_SIZES.find((allowed) => String(allowed) === rows) ?? USUAL_SIZE;
  if (isFirst) return { size, rowsBefore: 0, passed: [] };
  const steps = [passed].flat().join("").split("~").flatMap(readStep).slice(-PASSED_MAX);
  return { size, rowsBefore: typeof at === "string" && /^\d{1,7}$/.test(at) ? Number(at) : null, passed: steps };
}

function readStep(text: string): Step[] {
  const [, before, cursor] = /^(\d{1,7})\.([\w.-]{1,120})$/.exec(text) ?? [];
  return before === undefined || cursor === undefined ? [] : [{ before: Number(before), cursor }];
}

const passedText = (steps: readonly Step[]): string | undefined =>
  steps.length === 0 ? undefined : steps.map(({ before, cursor }) => `${before}.${cursor}`).join("~");

/** The query parameters of a page of a list, besides its filters. `cursor` has a name of its own in each list. */
export type PageParams = Record<"cursor" | "at" | "passed" | "rows", string | undefined>;

type ListPage = {
  /** The cursor of this page; undefined on the first page. */
  cursor: string | undefined;
  /** The cursor of the next page. */
  next: string | null | undefined;
  /** The number of rows on this page. */
  shown: number;
  /** The number of rows of the list, counted up to `totalMax`. */
  total?: number | undefined;
  totalMax?: number | undefined;
};

export function pagerOf(
  { size, rowsBefore, passed }: Paging,
  { cursor, next, shown, total, totalMax }: ListPage,
  hrefOf: (params: PageParams) => string,
): PagerProps {
  const rows = size === USUAL_SIZE ? undefined : String(size);
  const start = { cursor: undefined, at: undefined, passed: undefined };
  const first = hrefOf({ ...start, rows });
  const last = passed.at(-1);
  const back = last
    ? hrefOf({ cursor: last.cursor, at: String(last.before), passed: passedText(passed.slice(0, -1)), rows })
    : first;
  const isLong = cursor !== undefined || next != null || size !== USUAL_SIZE;
  return {
    newest: last && first,
    previous: cursor === undefined ? undefined : back,
    older:
      next == null
        ? undefined
        : hrefOf({
            cursor: next,
            at: rowsBefore === null ? undefined : String(rowsBefore + shown),
            passed: passedText(
              [...passed, ...(cursor === undefined ? [] : [{ before: rowsBefore ?? 0, cursor }])].slice(-PASSED_MAX),
            ),
            rows,
          }),
    range: rowsBefore === null || shown === 0 ? undefined : { from: rowsBefore + 1, to: rowsBefore + shown },
    total: total ?? (next == null && rowsBefore !== null ? rowsBefore + shown : undefined),
    totalMax,
    sizes: isLong
      ? PAGE_SIZES.map((option) => ({
          size: option,
          href: hrefOf({ ...start, rows: option === USUAL_SIZE ? undefined : String(option) }),
          isCurrent: option === size,
        }))
      : [],
  };
}

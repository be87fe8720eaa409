/** A row of a list has the attribute `data-row` with its id. */
const ROW = "data-row";
/** The style of this attribute is in globals.css; its animation is as long. */
const NEW = "data-new";
const SHOWN_MS = 2_500;

/** The rows that the page shows, and where it is. */
export type Rows = { at: string; ids: ReadonlySet<string> };

export function rowsNow(): Rows {
  const rows = [...document.querySelectorAll(`[${ROW}]`)];
  return { at: location.href, ids: new Set(rows.map((row) => row.getAttribute(ROW) ?? "")) };
}

/** Marks the rows that were not there `previousRows`, for a moment. */
export function markNewRows(previousRows: Rows): void {
  if (location.href !== previousRows.at) return;
  for (const row of document.querySelectorAll(`[${ROW}]`)) {
    if (previousRows.ids.has(row.getAttribute(ROW) ?? "")) continue;
    row.setAttribute(NEW, "");
    setTimeout(() => row.removeAttribute(NEW), SHOWN_MS);
  }
}

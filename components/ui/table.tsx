import type { ReactNode } from "react";
import { cx } from "./cx";

export type Column<Row> = {
  key: string;
  header: ReactNode;
  cell: (row: Row) => ReactNode;
  /** Numbers and actions are aligned at the end. */
  align?: "start" | "end" | undefined;
  /** The narrowest screen that shows this column; by default every screen does. */
  from?: "sm" | "md" | "lg" | undefined;
  /** True if the column's cells name the rows. Default: the first column's do. */
  isRowHeader?: boolean | undefined;
  /** Set if the rows are sorted by this column. */
  sort?: "ascending" | "descending" | undefined;
};
export type TableProps<Row> = {
  /** Describes the rows; read aloud, not shown. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  className?: string | undefined;
};

/** Put the link to the row's page into the column with the row headers. */
export function Table<Row>({ caption, columns, rows, rowKey, className }: TableProps<Row>) {
  const headers = columns.find(({ isRowHeader }) => isRowHeader) ?? columns[0];
  return (
    // Focusable, because a region that scrolls must be reachable without a mouse.
    <section
      aria-label={caption}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs the keyboard
      tabIndex={0}
      className={cx("overflow-x-auto rounded-card border bg-card", className)}
    >
      <table className="w-full border-collapse text-control">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr className="border-b">
            {columns.map((column) => (
              <th
                key={column.key}
                scope="col"
                {...(column.sort && { "aria-sort": column.sort })}
                className={cx(
                  "px-2.5 py-2.5 first:pl-4 last:pr-4 sm:px-4 text-tiny font-medium whitespace-nowrap text-ink-2",
                  place(column),
                )}
              >
                {column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr
              key={rowKey(row)}
              data-row={rowKey(row)}
              className="border-b transition-colors last:border-b-0 hover:bg-sunk/60 has-aria-[current=true]:bg-sunk"
            >
              {columns.map((column) => {
                const Cell = column === headers ? "th" : "td";
                return (
                  <Cell
                    key={column.key}
                    {...(column === headers && { scope: "row" as const })}
                    className={cx(
                      "px-2.5 py-3.5 lg:py-2.5 first:pl-4 last:pr-4 sm:px-4 align-middle font-normal",
                      place(column),
                    )}
                  >
                    {column.cell(row)}
                  </Cell>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const FROM = { sm: "max-sm:hidden", md: "max-md:hidden", lg: "max-lg:hidden" } as const;

const place = (column: { align?: "start" | "end" | undefined; from?: keyof typeof FROM | undefined }) =>
  cx(column.align === "end" ? "text-right num" : "text-left", column.from && FROM[column.from]);

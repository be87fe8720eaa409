import { saleFilter } from "@/lib/links/sales/contract";
import { madeFilter } from "@/lib/payments/made/contract";

/** The lists whose filters can be saved, each with the schema of its filters. */
const SCHEMAS = { payments_made: madeFilter, payments_received: saleFilter } as const;

export const VIEWED_LISTS = ["payments_made", "payments_received"] as const satisfies readonly (keyof typeof SCHEMAS)[];
export type ViewedList = (typeof VIEWED_LISTS)[number];

/** By name, as text in a URL. */
export type Filters = Record<string, string>;

/** For each list. */
export const VIEWS_MAX = 20;

/** What is wrong with the filters of a list: the first fault of each, by name. Empty if nothing is. */
export function filterFaults(list: ViewedList, filters: Filters): { name: string; why: string }[] {
  const issues = SCHEMAS[list].strict().safeParse(filters).error?.issues ?? [];
  const byName = new Map<string, string>();
  for (const { path, message } of issues) {
    const name = path.join(".");
    if (!byName.has(name)) byName.set(name, message);
  }
  return [...byName].map(([name, why]) => ({ name, why }));
}

/** Whether both show the same. */
export const isSameFilter = (a: Filters, b: Filters): boolean =>
  Object.keys(a).length === Object.keys(b).length && Object.entries(a).every(([name, value]) => b[name] === value);

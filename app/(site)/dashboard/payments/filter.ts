import type { z } from "zod";
import { type AskedSales, saleFilter } from "@/lib/links/sales-contract";

export type FilterName = keyof AskedSales;
// Object.keys forgets what the keys are.
const NAMES = Object.keys(saleFilter.shape) as FilterName[];

export type AskedFilter = {
  /** What counts. */
  asked: AskedSales;
  /** The same as it stands in the address bar. */
  given: Partial<Record<FilterName, string>>;
  /** What was given and means nothing, with the reason: it counts as absent. */
  ignored: { name: FilterName; said: string; why: string }[];
};

/** The filters of an address bar. Fields that a form left empty are absent. */
export function readFilter(params: Record<string, string | string[] | undefined>): AskedFilter {
  const given: AskedFilter["given"] = {};
  const ignored: AskedFilter["ignored"] = [];
  for (const name of NAMES) {
    const said = [params[name]].flat().join(" ").trim();
    if (said === "") continue;
    const read: z.ZodSafeParseResult<unknown> = saleFilter.shape[name].safeParse(said);
    if (read.success) given[name] = said;
    else ignored.push({ name, said, why: read.error.issues[0]?.message ?? "is not understood" });
  }
  return { asked: saleFilter.parse(given), given, ignored };
}

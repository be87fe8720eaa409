import { z } from "zod";
import { decodeCursor } from "@/lib/core/page";

/** What an address bar may hold: anything that we did not write there ourselves counts as absent. */
export type SearchParams = Promise<Record<string, string | string[] | undefined>>;

/** Where a page of a list begins, as `href` wrote it. */
export const beginning = z
  .string()
  .regex(/^\d{1,13}$/)
  .transform((milliseconds) => new Date(Number(milliseconds)))
  .optional()
  .catch(undefined);

/** After which row a page begins, as `encodeCursor` wrote it. */
export const cursor = z
  .string()
  .transform((text) => decodeCursor(text) ?? undefined)
  .optional()
  .catch(undefined);

export const oneOf = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.enum(values).optional().catch(undefined);

/** `path` with what of `query` is there. */
export function href(path: string, query: Record<string, string | Date | null | undefined>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value != null) search.set(name, value instanceof Date ? String(value.getTime()) : value);
  }
  return search.size > 0 ? `${path}?${search}` : path;
}

import { z } from "zod";
import { decodeCursor } from "@/lib/core/page";

/** Query parameters are untrusted: any value that we did not write counts as absent. */
export type SearchParams = Promise<Record<string, string | string[] | undefined>>;

/** The start of a page of a list, as `href` writes it: milliseconds since 1970. */
export const beginning = z
  .string()
  .regex(/^\d{1,13}$/)
  .transform((milliseconds) => new Date(Number(milliseconds)))
  .optional()
  .catch(undefined);

/** The cursor of a list, as `encodeCursor` writes it. */
export const cursor = z
  .string()
  .transform((text) => decodeCursor(text) ?? undefined)
  .optional()
  .catch(undefined);

export const oneOf = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.enum(values).optional().catch(undefined);

/** `path` with the defined members of `query`. */
export function href(path: string, query: Record<string, string | Date | null | undefined>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value != null) search.set(name, value instanceof Date ? String(value.getTime()) : value);
  }
  return search.size > 0 ? `${path}?${search}` : path;
}

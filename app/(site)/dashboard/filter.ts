import type { z } from "zod";

export type ReadFilter<Schema extends z.ZodObject> = {
  values: z.output<Schema>;
  /** The valid filters as text, as in the URL. */
  given: Partial<Record<FilterName<Schema>, string>>;
  /** Rejected values with the reason. The list is not filtered by them. */
  ignored: { name: FilterName<Schema>; said: string; why: string }[];
};
type FilterName<Schema extends z.ZodObject> = Extract<keyof Schema["shape"], string>;

/** The filters in a URL, all optional. Empty fields of a form count as absent. */
export function readFilter<Schema extends z.ZodObject>(
  schema: Schema,
  params: Record<string, string | string[] | undefined>,
): ReadFilter<Schema> {
  const rawValues: ReadFilter<Schema>["given"] = {};
  const ignored: ReadFilter<Schema>["ignored"] = [];
  // Object.entries returns string keys.
  for (const [name, field] of Object.entries(schema.shape) as [FilterName<Schema>, z.ZodType][]) {
    const text = [params[name]].flat().join(" ").trim();
    if (text === "") continue;
    const parsed = field.safeParse(text);
    if (parsed.success) rawValues[name] = text;
    else ignored.push({ name, said: text, why: parsed.error.issues[0]?.message ?? "is not understood" });
  }
  return { values: schema.parse(rawValues), given: rawValues, ignored };
}

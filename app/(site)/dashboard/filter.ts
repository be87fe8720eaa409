import type { z } from "zod";

export type AskedFilter<Schema extends z.ZodObject> = {
  /** What counts. */
  asked: z.output<Schema>;
  /** The same as it stands in the address bar. */
  given: Partial<Record<FilterName<Schema>, string>>;
  /** What was given and means nothing, with the reason: it counts as absent. */
  ignored: { name: FilterName<Schema>; said: string; why: string }[];
};
type FilterName<Schema extends z.ZodObject> = Extract<keyof Schema["shape"], string>;

/** The filters of an address bar, all of which may be absent. Fields that a form left empty are. */
export function readFilter<Schema extends z.ZodObject>(
  schema: Schema,
  params: Record<string, string | string[] | undefined>,
): AskedFilter<Schema> {
  const given: AskedFilter<Schema>["given"] = {};
  const ignored: AskedFilter<Schema>["ignored"] = [];
  // Object.entries forgets what the keys are.
  for (const [name, field] of Object.entries(schema.shape) as [FilterName<Schema>, z.ZodType][]) {
    const said = [params[name]].flat().join(" ").trim();
    if (said === "") continue;
    const read = field.safeParse(said);
    if (read.success) given[name] = said;
    else ignored.push({ name, said, why: read.error.issues[0]?.message ?? "is not understood" });
  }
  return { asked: schema.parse(given), given, ignored };
}

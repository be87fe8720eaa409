import type { z } from "zod";
import { edgeErrors } from "@/lib/http/errors";

/** An argument's name without its style: mandate_id and mandateId are the same argument. */
const plain = (name: string): string => name.replaceAll("_", "").toLowerCase();

/** The arguments under the names of the schema. A name in the other style is accepted unless both are given. */
function named(schema: z.ZodObject, args: Record<string, unknown>): Record<string, unknown> {
  const declared = new Map(Object.keys(schema.shape).map((name) => [plain(name), name]));
  const pairs = Object.entries(args).map(([given, value]) => {
    const name = given in schema.shape ? given : declared.get(plain(given));
    return [name === undefined || (name !== given && name in args) ? given : name, value] as const;
  });
  return Object.fromEntries(pairs);
}

/** Parses the arguments of a tool. Throws invalid_request, with every field that has to be corrected. */
export function parseArguments<S extends z.ZodObject>(schema: S, args: unknown): z.output<S> {
  const isObject = typeof args === "object" && args !== null && !Array.isArray(args);
  const result = schema.safeParse(isObject ? named(schema, { ...args }) : (args ?? {}));
  if (result.success) return result.data;
  const fields = result.error.issues.map(({ path, message }) => ({ field: path.join("."), message }));
  const [first] = fields;
  const message = [first?.field, first?.message].filter(Boolean).join(": ");
  throw edgeErrors.invalid_request({ message, field: first?.field, fields });
}

/** The schema as `tools/list` shows it. It accepts everything: the tool parses, so that its error is a tool error. */
export const advertised = (schema: z.ZodObject): z.ZodObject => {
  const standard = { ...schema["~standard"], validate: (value: unknown) => ({ value }) };
  return new Proxy(schema, { get: (target, name) => (name === "~standard" ? standard : Reflect.get(target, name)) });
};

import type { z } from "zod";

/** Metadata of a query parameter that a schema accepts without a value, because the service has an error code for that. */
export const requiredParameter = { "x-required": true } as const;

const forms = new WeakMap<object, z.ZodType>();

/** For a schema that parses by hand: `form`, which accepts the same JSON, stands for it in the API's document. */
export function withJsonForm<S extends z.ZodType>(schema: S, form: z.ZodType): S {
  forms.set(schema, form);
  return schema;
}

export const jsonFormOf = (schema: object): z.ZodType | undefined => forms.get(schema);

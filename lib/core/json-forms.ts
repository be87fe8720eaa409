import { z } from "zod";

/** Metadata of a required query parameter whose schema accepts its absence, because the service has its own error code for that. */
export const requiredParameter = { "x-required": true } as const;

const forms = new WeakMap<object, z.ZodType>();

/** Registers `form` as the OpenAPI schema of a schema that parses by hand. Both accept the same JSON. */
export function withJsonForm<S extends z.ZodType>(schema: S, form: z.ZodType): S {
  forms.set(schema, form);
  return schema;
}

export const jsonFormOf = (schema: object): z.ZodType | undefined => forms.get(schema);

/** Parses with the schema of `forms` that `choose` returns. Unlike with a union, an issue names the field. */
export const chosenSchema = <S extends readonly [z.ZodType, ...z.ZodType[]]>(
  forms: S,
  choose: (body: unknown) => S[number],
) =>
  withJsonForm(
    z.unknown().transform((body, ctx): z.output<S[number]> => {
      const parsed = choose(body).safeParse(body);
      if (parsed.success) return parsed.data as z.output<S[number]>;
      for (const { path, message } of parsed.error.issues) ctx.addIssue({ code: "custom", path, message });
      return z.NEVER;
    }),
    z.union(forms),
  );

import { z } from "zod";

/** Metadata of a query parameter that a schema accepts without a value, because the service has an error code for that. */
export const requiredParameter = { "x-required": true } as const;

const forms = new WeakMap<object, z.ZodType>();

/** For a schema that parses by hand: `form`, which accepts the same JSON, stands for it in the API's document. */
export function withJsonForm<S extends z.ZodType>(schema: S, form: z.ZodType): S {
  forms.set(schema, form);
  return schema;
}

export const jsonFormOf = (schema: object): z.ZodType | undefined => forms.get(schema);

/** Parses with the schema that `choose` returns, so that an issue names the field: a union would not. `forms`: all of them. */
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

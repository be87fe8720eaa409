import { z } from "zod";
import { jsonFormOf } from "./json-forms";

/** The part of JSON Schema 2020-12 that the service reads. */
export type Schema = {
  [keyword: string]: unknown;
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
};

const COMPONENTS = "#/components/schemas/";

/** Named schemas of the document. Add one with `nameSchemas`. */
const names = z.registry<{ id: string }>();

export function nameSchemas(schemas: Readonly<Record<string, z.ZodType>>): void {
  for (const [id, schema] of Object.entries(schemas)) if (!names.has(schema)) names.add(schema, { id });
}

/** The named schemas that were referenced. */
export type Components = Map<string, Schema>;

/**
 * The JSON that is sent: the input side of codecs, for responses too, because responses are encoded. Referenced named schemas are
 * added to `components`.
 */
export function wireSchema(schema: z.ZodType, components: Components): Schema {
  const {
    $schema: _,
    $defs = {},
    ...root
  } = z.toJSONSchema(schema, {
    io: "input",
    metadata: names,
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema }) => complete(zodSchema, jsonSchema, components),
  });
  for (const [name, definition] of Object.entries($defs)) components.set(name, tidy(definition as Schema));
  return tidy(root as Schema);
}

/** Adds what zod cannot derive: the schema's metadata, and the JSON form of values that are parsed by hand. */
function complete(zodSchema: z.core.$ZodTypes, jsonSchema: z.core.JSONSchema.BaseSchema, components: Components): void {
  const form = jsonFormOf(zodSchema);
  if (form) {
    for (const keyword of Object.keys(jsonSchema)) delete jsonSchema[keyword];
    Object.assign(jsonSchema, wireSchema(form, components));
  }
  const { id: _, ...metadata } = z.globalRegistry.get(zodSchema) ?? {};
  Object.assign(jsonSchema, metadata);
  const { type } = zodSchema._zod.def;
  if (type === "undefined" || type === "never") jsonSchema.not = {};
  // `format` replaces the long pattern that zod derives.
  if (jsonSchema.format === "date-time" || jsonSchema.format === "date") delete jsonSchema.pattern;
}

/** Points references to the components and removes the safe-integer bounds that zod adds. */
function tidy(schema: Schema): Schema {
  const rewriteNode = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(rewriteNode);
    if (typeof value !== "object" || value === null) return value;
    const { $ref, id: _, ...keywords } = value as Schema;
    const entries = Object.entries(keywords).filter(([, inner]) => Math.abs(Number(inner)) !== Number.MAX_SAFE_INTEGER);
    const copy = Object.fromEntries(entries.map(([name, inner]) => [name, rewriteNode(inner)]));
    if (typeof $ref === "string") return { ...copy, $ref: $ref.replace("#/$defs/", COMPONENTS) };
    // Keeps a member that is named `id`.
    return "id" in value && typeof value.id === "object" ? { ...copy, id: rewriteNode(value.id) } : copy;
  };
  return rewriteNode(schema) as Schema;
}

export const refTo = (name: string): Schema => ({ $ref: `${COMPONENTS}${name}` });

import { z } from "zod";
import { jsonFormOf } from "@/lib/core/json-forms";

/** A JSON Schema (2020-12), as far as this folder reads it. */
export type Schema = {
  [keyword: string]: unknown;
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
};

const COMPONENTS = "#/components/schemas/";

/** Schemas that the document names. Add one with `named`. */
const names = z.registry<{ id: string }>();

export function nameSchemas(schemas: Readonly<Record<string, z.ZodType>>): void {
  for (const [id, schema] of Object.entries(schemas)) if (!names.has(schema)) names.add(schema, { id });
}

/** Collects the named schemas that were referred to. */
export type Components = Map<string, Schema>;

/**
 * The JSON that is sent: the input side of a codec, in requests and responses alike, because responses are encoded.
 * Refers to named schemas, which it adds to `components`.
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

/** Adds what zod cannot derive: metadata of the schema itself, and the form of what is parsed by hand. */
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
  // `format` says the same as the long pattern that zod derives.
  if (jsonSchema.format === "date-time" || jsonSchema.format === "date") delete jsonSchema.pattern;
}

/** Moves references to the components, and removes the bounds that zod adds to every integer. */
function tidy(schema: Schema): Schema {
  const rewriteNode = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(rewriteNode);
    if (typeof value !== "object" || value === null) return value;
    const { $ref, id: _, ...keywords } = value as Schema;
    const entries = Object.entries(keywords).filter(([, inner]) => Math.abs(Number(inner)) !== Number.MAX_SAFE_INTEGER);
    const copy = Object.fromEntries(entries.map(([name, inner]) => [name, rewriteNode(inner)]));
    if (typeof $ref === "string") return { ...copy, $ref: $ref.replace("#/$defs/", COMPONENTS) };
    // A member may be named `id`.
    return "id" in value && typeof value.id === "object" ? { ...copy, id: rewriteNode(value.id) } : copy;
  };
  return rewriteNode(schema) as Schema;
}

export const refTo = (name: string): Schema => ({ $ref: `${COMPONENTS}${name}` });

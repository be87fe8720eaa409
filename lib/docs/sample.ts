import type { Schema } from "./schema-text";

const DEPTH_MAX = 8;

/** A template with the required members of a schema, for bodies whose contract has no example. */
export function sampleOf(schema: Schema, named: Readonly<Record<string, Schema>>, depth = 1): unknown {
  if (depth > DEPTH_MAX) return null;
  const inner = (part: Schema) => sampleOf(part, named, depth + 1);
  if (schema.$ref !== undefined) return inner(named[schema.$ref.split("/").at(-1) ?? ""] ?? {});
  const fixed = [schema.const, schema.default, schema.enum?.[0]].find((value) => value !== undefined);
  if (fixed !== undefined) return fixed;
  const branch = (schema.anyOf ?? schema.oneOf)?.[0];
  if (schema.properties ?? schema.allOf) {
    const parts = [...(schema.allOf ?? []), ...(branch ? [branch] : [])].map(inner);
    const entries = (schema.required ?? []).map((name) => [name, inner(schema.properties?.[name] ?? {})]);
    return Object.assign(Object.fromEntries(entries), ...parts);
  }
  if (branch) return inner(branch);
  const type = typeof schema.type === "string" ? schema.type : schema.type?.[0];
  if (type === "array") return schema.items && (schema.minItems ?? 0) > 0 ? [inner(schema.items)] : [];
  if (type === "integer" || type === "number") return Math.max(schema.minimum ?? 0, 0);
  if (type === "boolean") return false;
  return type === "object" ? {} : "";
}

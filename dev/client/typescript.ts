/** The JSON Schema keywords that the contracts produce. */
export type Schema = {
  $ref?: string;
  $defs?: Record<string, Schema>;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  not?: Schema;
  type?: string | string[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  description?: string;
};

const PRIMITIVES: Record<string, string> = {
  string: "string",
  integer: "number",
  number: "number",
  boolean: "boolean",
  null: "null",
};

const union = (types: readonly string[]): string => [...new Set(types)].join(" | ");

/** A schema as a TypeScript type. Throws for an unknown keyword. */
export function typeOf(schema: Schema): string {
  const { $ref, type, enum: choices, anyOf = schema.oneOf, allOf, items, additionalProperties: rest } = schema;
  if ($ref !== undefined) return $ref.split("/").at(-1) ?? "unknown";
  if ("const" in schema) return JSON.stringify(schema.const);
  if (choices) return union(choices.map((choice) => JSON.stringify(choice)));
  if (anyOf) return `(${union(anyOf.map(typeOf))})`;
  if (allOf) return `(${allOf.map(typeOf).join(" & ")})`;
  if (schema.not) return "never";
  if (type === "array") return `Array<${items ? typeOf(items) : "unknown"}>`;
  if (type === "object") {
    if (schema.properties && Object.keys(schema.properties).length > 0)
      return objectOf(schema.properties, new Set(schema.required));
    return `Record<string, ${typeof rest === "object" ? typeOf(rest) : "unknown"}>`;
  }
  if (type === undefined) return "unknown";
  const primitives = [type].flat().map((name) => PRIMITIVES[name]);
  if (primitives.includes(undefined)) throw new Error(`no TypeScript for ${JSON.stringify(schema)}`);
  return primitives.join(" | ");
}

function objectOf(properties: Record<string, Schema>, required: ReadonlySet<string>): string {
  const members = Object.entries(properties).flatMap(([name, schema]) => {
    // Skips members that must not be sent.
    if (schema.not || (Object.keys(schema).length === 0 && !required.has(name))) return [];
    const doc = schema.description ? `/** ${schema.description.replaceAll("*/", "* /")} */\n` : "";
    const key = /^[a-zA-Z_]\w*$/.test(name) ? name : JSON.stringify(name);
    const isRequired = required.has(name);
    return [`${doc}${key}${isRequired ? "" : "?"}: ${typeOf(schema)}${isRequired ? "" : " | undefined"};`];
  });
  return `{ ${members.join("\n")} }`;
}

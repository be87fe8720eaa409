/** The part of JSON Schema 2020-12 that the reference shows. */
export type Schema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly description?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
};

const DEPTH_MAX = 3;
const PATTERN_MAX = 48;
const ENUM_MAX = 12;

const SCHEMAS = "/docs/reference/schemas";

const nameOf = (ref: string): string => ref.split("/").at(-1) ?? ref;

/** A code span in a table cell. */
const code = (value: unknown): string => {
  const text = (typeof value === "string" ? value : JSON.stringify(value)).replaceAll("|", "\\|");
  return text.includes("`") ? text : `\`${text}\``;
};

const oneOf = (schemas: readonly Schema[]): string => [...new Set(schemas.map(typeText))].join(" or ");

/** The type of a schema in words, as Markdown. */
export function typeText(schema: Schema): string {
  if (schema.$ref !== undefined) return `[${nameOf(schema.$ref)}](${SCHEMAS}#${nameOf(schema.$ref).toLowerCase()})`;
  if (schema.const !== undefined) return code(schema.const);
  if (schema.enum) {
    const enumText = schema.enum.slice(0, ENUM_MAX).map(code).join(", ");
    return schema.enum.length > ENUM_MAX ? `${enumText}, …` : enumText;
  }
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches) return oneOf(branches);
  if (schema.allOf) return oneOf(schema.allOf);
  if (schema.items) return `list of ${typeText(schema.items)}`;
  if (Array.isArray(schema.type)) return schema.type.join(" or ");
  return typeof schema.type === "string" ? schema.type : "any value";
}

/** The limits of a schema in words. */
function limitsText(s: Schema): string {
  const limits = [
    s.format && s.format !== "safe-integer" && `format ${s.format}`,
    range(s.minLength, s.maxLength, "characters"),
    range(s.minItems, s.maxItems, "items"),
    isNumber(s) && range(s.minimum, s.maximum, ""),
    s.pattern !== undefined && s.pattern.length <= PATTERN_MAX && `matches ${code(s.pattern)}`,
    s.default !== undefined && `default ${code(s.default)}`,
  ];
  return limits.filter(Boolean).join("; ");
}

const isNumber = ({ type }: Schema): boolean => type === "integer" || type === "number";

const isSafe = (bound: number | undefined): bound is number =>
  bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER;

function range(from: number | undefined, to: number | undefined, unit: string): string {
  const suffix = unit === "" ? "" : ` ${unit}`;
  if (isSafe(from) && isSafe(to)) return from === to ? `${from}${suffix}` : `${from} to ${to}${suffix}`;
  if (isSafe(from) && from > 0) return `at least ${from}${suffix}`;
  return isSafe(to) ? `at most ${to}${suffix}` : "";
}

export type Row = { readonly name: string; readonly isRequired: boolean; readonly schema: Schema };

/** The members of an object by dotted name. Members of named schemas are listed in the schema's own section. */
export function rowsOf(schema: Schema, prefix = "", depth = 1): readonly Row[] {
  if (schema.allOf) return schema.allOf.flatMap((part) => rowsOf(part, prefix, depth));
  const inList = schema.items;
  if (inList) return rowsOf(inList, `${prefix.replace(/\.$/, "")}[].`, depth);
  return Object.entries(schema.properties ?? {}).flatMap(([member, inner]) => {
    const name = `${prefix}${member}`;
    const row: Row = { name, isRequired: schema.required?.includes(member) ?? false, schema: inner };
    const nested = depth < DEPTH_MAX ? rowsOf(objectIn(inner), `${name}.`, depth + 1) : [];
    return [row, ...nested];
  });
}

/** The object branch of "object or null". */
function objectIn(schema: Schema): Schema {
  const branches = schema.anyOf ?? schema.oneOf;
  const objects = branches?.filter(({ properties, items }) => properties ?? items) ?? [];
  return objects.length === 1 ? (objects[0] ?? schema) : schema;
}

const cell = (text: string): string => text.replace(/\s+/g, " ").replace(/(?<!\\)\|/g, "\\|");

/** A Markdown table of fields, or "" without any. `isInput` adds a "required" column. */
export function fieldsTable(rows: readonly Row[], isInput: boolean): string {
  if (rows.length === 0) return "";
  const head = isInput
    ? "| field | type | required | description |\n|---|---|---|---|\n"
    : "| field | type | description |\n|---|---|---|\n";
  const lines = rows.map(({ name, isRequired, schema }) => {
    const details = [schema.description, limitsText(schema)].filter(Boolean).join("; ");
    const required = isInput ? ` ${isRequired ? "yes" : "no"} |` : "";
    return `| \`${name}\` | ${cell(typeText(schema))} |${required} ${cell(details)} |`;
  });
  return `${head}${lines.join("\n")}\n`;
}

export function schemaSection(name: string, schema: Schema): string {
  const table = fieldsTable(rowsOf(schema), false);
  const paragraphs = [schema.description, table === "" ? `Type: ${typeText(schema)}` : "", limitsText(schema)];
  return [`## ${name}`, ...paragraphs.filter(Boolean), table].join("\n\n");
}

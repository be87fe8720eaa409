import { createHash } from "node:crypto";
import { z } from "zod";

type Schema = {
  type?: string;
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  items?: Schema;
  anyOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
  maximum?: number;
};
type Json = unknown;
type Accepts = (value: Json) => boolean;

/** Incompressible words, because PostgreSQL stores compressible text in fewer bytes. */
export function fill(length: number, seed: number): string {
  let text = "";
  for (let block = 0; text.length < length; block++) {
    text += `${createHash("sha256").update(`${seed} ${block}`).digest("hex").slice(0, 60)} `;
  }
  return text.slice(0, length).trimEnd().padEnd(length, "x");
}

/** Ids, which must stay unchanged to refer to something. */
const IS_ID = /^(?:[a-z]+_\w{20,}|[0-9a-f-]{36})$/;
/** Members for which only values from a response are valid. */
const LEFT_OUT = new Set(["cursor"]);

/** Used where a schema has no maximum; the body limit usually applies first. */
const LENGTH_MAX = 300_000;
const ITEMS_MAX = 1_000;
const DEPTH_MAX = 4;

/**
 * The largest accepted value that grows from `example`: all optional members, and the longest texts and lists that fit into
 * `bytesMax` as JSON. Refinements that JSON Schema cannot express are found by trial.
 */
export function largest({ schema, isValid }: Shape, example: Json, bytesMax: number, seed: number): Json {
  const accepts: Accepts = (value) => {
    const json = JSON.stringify(value);
    return json !== undefined && Buffer.byteLength(json) <= bytesMax && isValid(value);
  };
  return accepts(example) ? grow(schema, example, accepts, seed, DEPTH_MAX) : example;
}

export type Shape = { schema: Schema; isValid: Accepts };

export const shapeOf = (schema: z.ZodType): Shape => ({
  schema: z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as Schema,
  isValid: (value) => schema.safeParse(value).success,
});

/** `accepts` judges the complete value, with this part replaced. */
function grow(schema: Schema, value: Json, accepts: Accepts, seed: number, depth: number): Json {
  if (typeof value === "string") return growText(schema, value, accepts, seed);
  if (depth === 0) return value;
  if (Array.isArray(value)) return growList(branch(schema, "array"), value, accepts, seed, depth);
  if (typeof value === "object" && value !== null)
    return growMembers(branch(schema, "object"), value as Record<string, Json>, accepts, seed, depth);
  return value;
}

const branch = (schema: Schema, type: string): Schema =>
  schema.anyOf?.find((each) => each.type === type) ?? (schema.type === type ? schema : {});

function growText(schema: Schema, value: string, accepts: Accepts, seed: number): string {
  const { enum: names, const: only, maxLength = LENGTH_MAX } = branch(schema, "string");
  if (names || only !== undefined || IS_ID.test(value)) return value;
  for (let length = maxLength; length > value.length; length = Math.floor(length / 2)) {
    for (const text of [fill(length, seed), value + fill(length - value.length, seed).replaceAll(" ", "x")])
      if (accepts(text)) return text;
  }
  return value;
}

function growList(schema: Schema, list: Json[], accepts: Accepts, seed: number, depth: number): Json[] {
  const [first] = list;
  if (first === undefined) return list;
  const grown = grow(schema.items ?? {}, first, (item) => accepts([item, ...list.slice(1)]), seed, depth - 1);
  for (const item of [grown, first]) {
    for (let count = schema.maxItems ?? ITEMS_MAX; count > 1; count = Math.floor(count / 2)) {
      for (const items of [distinct(item, count), Array.from({ length: count }, () => item)])
        if (accepts(items)) return items;
    }
  }
  return accepts([grown]) ? [grown] : list;
}

/** Copies whose texts, including hexadecimal ones, all differ. */
const distinct = (item: Json, count: number): Json[] =>
  Array.from({ length: count }, (_, index) => {
    const tail = index.toString(16).padStart(4, "0");
    return JSON.parse(JSON.stringify(item), (_key, value) =>
      typeof value === "string" && value.length > 4 ? value.slice(0, -4) + tail : value,
    );
  });

function growMembers(
  schema: Schema,
  members: Record<string, Json>,
  accepts: Accepts,
  seed: number,
  depth: number,
): Record<string, Json> {
  let grown = { ...members };
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    if (LEFT_OUT.has(name)) continue;
    const acceptsHere: Accepts = (value) => accepts({ ...grown, [name]: value });
    const start = name in grown ? grown[name] : samples(member).find(acceptsHere);
    if (start !== undefined) grown = { ...grown, [name]: grow(member, start, acceptsHere, seed, depth - 1) };
  }
  return grown;
}

/** Candidate values for a member that the example lacks. */
function samples({ type, enum: names, anyOf, default: usual, maximum, items, properties }: Schema): Json[] {
  if (usual !== undefined) return [usual];
  if (names) return names;
  if (anyOf) return anyOf.flatMap(samples);
  if (type === "string") return ["aaaa", "1", "https://service.example/a", "a@service.example", `0x${"a".repeat(40)}`];
  if (type === "integer" || type === "number") return [maximum ?? 1, 2, 1];
  if (type === "boolean") return [true];
  if (type === "array") return samples(items ?? {}).map((item) => [item]);
  if (type !== "object") return [];
  const start = Object.fromEntries(
    Object.entries(properties ?? {}).flatMap(([name, member]) => {
      const [value] = samples(member);
      return value === undefined ? [] : [[name, value]];
    }),
  );
  return [start, {}];
}

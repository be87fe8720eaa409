import fc from "fast-check";

/** The part of JSON Schema that the API's document uses. */
export type Schema = {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
};
export type Resolve = (schema: Schema) => Schema;

const nested = (depth: number): unknown => {
  let value: unknown = 1;
  for (let level = 0; level < depth; level++) value = level % 2 ? [value] : { a: value };
  return value;
};

/** Values that break parsers, comparisons, databases and pages. */
export const JUNK: readonly unknown[] = [
  ...[null, true, false, [], {}, [[]], [null], ""],
  ...[0, -1, 1.5, 2 ** 31, 2 ** 53, 1e308, -1e-308, 4_294_967_296],
  ...["0", "-1", "+1", "1.0", "1e6", " 1", "0x10", "00", "٣", "１", "9".repeat(78), "9".repeat(400), "NaN", "Infinity"],
  ...["null", "undefined", "[object Object]", "__proto__", "constructor", "toString", "hasOwnProperty"],
  ...["\u0000", "a\u0000b", "\ud800", "\udfff", "\u202eabc", "\u200b", "\ufeff", "ﬀ", "İ", "🧨", "e\u0301"],
  ...[
    "'; drop table owners; --",
    "%00",
    "%",
    "%2e%2e%2f",
    "../../etc/passwd",
    "#{7*7}",
    "{{7*7}}",
    "<script>1</script>",
  ],
  ...[
    "http://[::1",
    "https://user:password@host/",
    "javascript:alert(1)",
    "file:///etc/passwd",
    "https://a.b/\r\nX: y",
  ],
  ...["2026-02-30T00:00:00Z", "+275760-09-13T00:00:00.001Z", "1970-01-01", "2026-01-01T00:00:00+99:99"],
  ...["0x", `0x${"0".repeat(40)}`, `0x${"f".repeat(64)}`, `0x${"0".repeat(130)}`, "0xZZ", "eip155:0", "eip155:8453 "],
  ...["a".repeat(101), "a".repeat(1001), "ü".repeat(33_000), " ".repeat(5000), "\n".repeat(500)],
  ...[{ length: 1e9 }, { toString: 1 }, nested(100)],
];

const junk = fc.constantFrom(...JUNK);
const STRING_MAX = 200;

/** Texts of a format whose pattern alone would rarely pass. */
const FORMATS: Record<string, fc.Arbitrary<string>> = {
  "date-time": fc
    .date({ min: new Date("1971-01-01"), max: new Date("2100-01-01"), noInvalidDate: true })
    .map((date) => date.toISOString()),
  uri: fc.webUrl(),
  email: fc.emailAddress(),
};

function textOf({ format = "", pattern, minLength = 0, maxLength = STRING_MAX }: Schema): fc.Arbitrary<unknown> {
  const known = FORMATS[format];
  if (known) return known;
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern));
  const max = Math.max(minLength, Math.min(maxLength, STRING_MAX));
  return fc.string({ unit: "grapheme", minLength, maxLength: max });
}

const SAFE = Number.MAX_SAFE_INTEGER;

/** Values that the schema allows, as far as it says. */
export function valid(schema: Schema, resolve: Resolve, depth = 0): fc.Arbitrary<unknown> {
  const ownSchema = resolve(schema);
  const below = (otherSchema: Schema) => valid(otherSchema, resolve, depth + 1);
  if (ownSchema.const !== undefined) return fc.constant(ownSchema.const);
  if (ownSchema.enum) return fc.constantFrom(...ownSchema.enum);
  const choices = ownSchema.anyOf ?? ownSchema.oneOf;
  if (choices) return fc.oneof(...choices.map(below));
  if (ownSchema.allOf)
    return fc.tuple(...ownSchema.allOf.map(below)).map((parts) => Object.assign({}, ...(parts as object[])));
  const type = Array.isArray(ownSchema.type) ? ownSchema.type[0] : ownSchema.type;
  switch (type) {
    case "object": {
      if (depth > 6) return fc.constant({});
      const members = Object.entries(ownSchema.properties ?? {}).map(([name, value]) => [name, below(value)] as const);
      return fc.record(Object.fromEntries(members), { requiredKeys: ownSchema.required ?? [] });
    }
    case "array":
      return depth > 6 ? fc.constant([]) : fc.array(below(ownSchema.items ?? {}), { maxLength: 4 });
    case "string":
      return textOf(ownSchema);
    case "integer":
      return fc.integer({
        min: Math.max(ownSchema.minimum ?? -SAFE, -SAFE),
        max: Math.min(ownSchema.maximum ?? SAFE, SAFE),
      });
    case "number":
      return fc.double({ noNaN: true, noDefaultInfinity: true });
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

/** Values near those that the schema allows: one member replaced, missing or added; or something else altogether. */
export function hostile(schema: Schema, resolve: Resolve): fc.Arbitrary<unknown> {
  const ownSchema = resolve(schema);
  const good = valid(ownSchema, resolve);
  const names = Object.keys(ownSchema.properties ?? {});
  if (names.length === 0) return fc.oneof({ weight: 1, arbitrary: good }, { weight: 2, arbitrary: junk });
  const name = fc.constantFrom(...names);
  const changed = fc.tuple(good, name).chain(([value, at]) =>
    fc.oneof(
      hostile(ownSchema.properties?.[at] ?? {}, resolve).map((bad) => ({ ...(value as object), [at]: bad })),
      fc.constant(Object.fromEntries(Object.entries(value ?? {}).filter(([member]) => member !== at))),
      junk.map((bad) => ({ ...(value as object), [`${at} `]: bad, constructor: bad })),
    ),
  );
  return fc.oneof({ weight: 2, arbitrary: good }, { weight: 7, arbitrary: changed }, { weight: 1, arbitrary: junk });
}

import { z } from "zod";
import { type Endpoint, IDEMPOTENCY_KEY } from "@/lib/core/endpoint";
import { edgeErrors } from "@/lib/http/errors";
import { bodyOf, takesIdempotencyKey } from "@/lib/openapi/failures";
import { type Components, type Schema, wireSchema } from "@/lib/openapi/schemas";
import type { Call } from "./api";

/** The arguments of a tool: the JSON Schema for `tools/list`, and the parser. */
export type Arguments<T> = {
  readonly schema: () => Schema;
  /** Throws invalid_request with every invalid field. */
  readonly parse: (args: unknown) => T;
};

type Values = Record<string, unknown>;
type Fault = { field: string; message: string };

/** The name without its case style: mandate_id and mandateId are the same argument. */
const plain = (name: string): string => name.replaceAll("_", "").toLowerCase();

const isObject = (value: unknown): value is Values =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Renames arguments to the schema's style, unless the call contains both names. */
function withDeclaredNames(names: readonly string[], args: Values): Values {
  const declared = new Map(names.map((name) => [plain(name), name]));
  const pairs = Object.entries(args).map(([argumentName, value]) => {
    const name = names.includes(argumentName) ? argumentName : declared.get(plain(argumentName));
    return [name === undefined || (name !== argumentName && name in args) ? argumentName : name, value] as const;
  });
  return Object.fromEntries(pairs);
}

function refuse(fields: readonly Fault[]): never {
  const [first] = fields;
  const message = [first?.field, first?.message].filter(Boolean).join(": ");
  throw edgeErrors.invalid_request({ message, field: first?.field, fields });
}

/** Arguments of a tool that does not map to a single endpoint. */
export const ownArguments = <S extends z.ZodObject>(input: S): Arguments<z.output<S>> => ({
  schema: () => z.toJSONSchema(input, { io: "input" }) as Schema,
  parse: (args) => {
    const named = isObject(args) ? withDeclaredNames(Object.keys(input.shape), args) : (args ?? {});
    const result = input.safeParse(named);
    if (result.success) return result.data;
    return refuse(result.error.issues.map(({ path, message }) => ({ field: path.join("."), message })));
  },
});

/** Pagination arguments. The limit is lower than the API's, to save the model's context. */
const page = z.object({
  limit: z.int().min(1).max(50).optional().describe("How many at most"),
  cursor: z.string().max(200).optional().describe("nextCursor of the page before"),
});

export const keyText = z
  .string()
  .regex(IDEMPOTENCY_KEY)
  .describe("Your name for this operation. The same key never does it twice");

const key = z.object({ idempotencyKey: keyText.optional() });

/**
 * `required`: members that are optional in the API but required in the tool. `omitted`: members that the tool does not offer. `own`: the
 * tool's own arguments, which are not sent to the endpoint.
 */
export type Narrowing = {
  readonly required?: readonly string[];
  readonly omitted?: readonly string[];
  readonly own?: z.ZodObject;
};

/**
 * Builds a tool's arguments from an endpoint's path parameters, page, body and Idempotency-Key, with the API's names, limits and
 * messages. Unlike the API, it refuses unknown members at any depth: a model would not notice that a member was ignored.
 */
export function endpointArguments(
  e: Endpoint,
  { required = [], omitted = [], own }: Narrowing = {},
): Arguments<Call & { own?: Values }> {
  const parts: Parts = {
    params: e.params,
    body: bodyOf(e),
    page: e.query && page,
    key: takesIdempotencyKey(e) ? key : undefined,
    own,
  };
  // Created on first use: most processes never serve a tool.
  let declared: Declared | undefined;
  const declare = () => (declared ??= declaredBy(parts, required, omitted));
  return {
    schema: () => declare().schema,
    parse: (input) => {
      if (input !== undefined && !isObject(input)) return refuse([{ field: "", message: "must be an object" }]);
      const { schema, members } = declare();
      const args = withDeclaredNames(Object.keys(schema.properties ?? {}), input ?? {});
      const pickPart = (part: keyof Parts): Values =>
        Object.fromEntries(Object.entries(args).filter(([name]) => members[part].has(name)));
      // Path parameters may be passed as numbers.
      const texts = Object.fromEntries(
        Object.entries(pickPart("params")).map(([name, value]) => [
          name,
          typeof value === "number" ? String(value) : value,
        ]),
      );
      const values: Record<keyof Parts, Values> = {
        params: texts,
        body: pickPart("body"),
        page: pickPart("page"),
        key: pickPart("key"),
        own: pickPart("own"),
      };
      const faults = [
        ...required.flatMap((name) => ((args[name] ?? null) === null ? [{ field: name, message: "is needed" }] : [])),
        ...PARTS.flatMap((part) =>
          (parts[part]?.safeParse(values[part]).error?.issues ?? []).map(({ path, message }) => ({
            field: path.join("."),
            message,
          })),
        ),
        ...unknownIn(schema, args, ""),
      ];
      if (faults.length > 0) return refuse(faults);
      const { limit, cursor } = values.page as z.output<typeof page>;
      return {
        params: texts as Record<string, string>,
        json: parts.body && values.body,
        query: { ...(limit !== undefined && { limit: String(limit) }), cursor },
        idempotencyKey: args.idempotencyKey as string | undefined,
        ...(own && { own: values.own }),
      };
    },
  };
}

const PARTS = ["params", "body", "page", "key", "own"] as const;
/** The parts of a call. */
type Parts = Record<(typeof PARTS)[number], z.ZodType | undefined>;
type Declared = { schema: Schema; members: Record<keyof Parts, ReadonlySet<string>> };

function declaredBy(parts: Parts, required: readonly string[], omitted: readonly string[]): Declared {
  const objects = PARTS.map((part) => [part, objectOf(parts[part])] as const);
  const isIncluded = (name: string) => !omitted.includes(name);
  const properties = objects
    .flatMap(([, object]) => Object.entries(object.properties))
    // An update contract declares immutable members with `not`, to refuse them by name.
    .filter(([name, schema]) => isIncluded(name) && schema.not === undefined);
  const schema = closed({
    type: "object",
    properties: Object.fromEntries(properties),
    required: [...objects.flatMap(([, object]) => object.required), ...required],
  });
  const members = objects.map(([part, object]) => [part, new Set(Object.keys(object.properties).filter(isIncluded))]);
  return { schema, members: Object.fromEntries(members) };
}

type ObjectSchema = Schema & { properties: Record<string, Schema>; required: string[] };

/** The JSON Schema of an object, with its references inlined. */
function objectOf(part: z.ZodType | undefined): ObjectSchema {
  const components: Components = new Map();
  const { properties = {}, required = [] } = part ? inPlace(wireSchema(part, components), components) : {};
  return { type: "object", properties, required };
}

function inPlace(schema: Schema, components: Components): Schema {
  const inlineRefs = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inlineRefs);
    if (!isObject(value)) return value;
    const { $ref, ...keywords } = value;
    const copy = Object.fromEntries(Object.entries(keywords).map(([name, inner]) => [name, inlineRefs(inner)]));
    const target = typeof $ref === "string" ? components.get($ref.split("/").at(-1) ?? "") : undefined;
    return target ? { ...(inlineRefs(target) as Schema), ...copy } : copy;
  };
  return inlineRefs(schema) as Schema;
}

const hasKeywords = (schema: unknown): boolean => isObject(schema) && Object.keys(schema).length > 0;

/** Adds `additionalProperties: false` to every object that lists its members, unless it says of what form others are. */
function closed(schema: Schema): Schema {
  const closeObjects = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(closeObjects);
    if (!isObject(value)) return value;
    const copy: Schema = Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, closeObjects(inner)]));
    const isList = isObject(copy.properties) && copy.type === "object" && !hasKeywords(copy.additionalProperties);
    return isList ? { ...copy, additionalProperties: false } : copy;
  };
  return closeObjects(schema) as Schema;
}

/** Faults for members that the schema does not list. */
function unknownIn(schema: Schema, value: unknown, path: string): Fault[] {
  const forms = [schema, ...((schema.anyOf ?? schema.oneOf ?? []) as Schema[])];
  const joinPath = (name: string | number) => (path === "" ? String(name) : `${path}.${name}`);
  if (Array.isArray(value)) {
    const items = forms.find((form) => isObject(form.items))?.items as Schema | undefined;
    return items ? value.flatMap((item, index) => unknownIn(items, item, joinPath(index))) : [];
  }
  const form = forms.find((one) => one.properties !== undefined);
  if (!isObject(value) || !form?.properties) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const member = Object.hasOwn(form.properties ?? {}, name) ? form.properties?.[name] : undefined;
    if (member) return unknownIn(member, inner, joinPath(name));
    return form.additionalProperties === false
      ? [{ field: joinPath(name), message: "is not an argument of this tool" }]
      : [];
  });
}

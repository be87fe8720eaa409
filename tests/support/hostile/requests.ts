import fc from "fast-check";
import { hostile, JUNK, type Resolve, type Schema, valid } from "./values";

type Parameter = { $ref?: string; name?: string; in?: string; required?: boolean; schema?: Schema };
export type Operation = {
  parameters?: Parameter[];
  requestBody?: { content?: Record<string, { schema?: Schema }> };
};
/** `right`: the login that the endpoint requires. */
export type Login = "right" | "none" | "garbage" | "other";
export type HostileRequest = {
  method: string;
  path: string;
  login: Login;
  headers: Record<string, string>;
  body: string | undefined;
};

/** Ids that exist, by the name of the path's parameter. */
export type Ids = Readonly<Record<string, string>>;

/** The path with the ids in the places that name them. */
export const withIds = (path: string, ids: Ids): string =>
  path.replace(/\{([^}]+)\}/g, (place, name: string) => ids[name] ?? place);

const text = (value: unknown): string => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""));
/** A lone surrogate cannot be in a URL. */
const encoded = (value: unknown): string => encodeURIComponent(text(value).toWellFormed().slice(0, 3000));

const LOGIN: fc.Arbitrary<Login> = fc.oneof(
  { weight: 8, arbitrary: fc.constant<Login>("right") },
  { weight: 1, arbitrary: fc.constantFrom<Login>("none", "garbage", "other") },
);

const HEADERS: fc.Arbitrary<Record<string, string>> = fc.oneof(
  { weight: 6, arbitrary: fc.constant({}) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Record<string, string>>(
      { "idempotency-key": "a".repeat(300) },
      { "idempotency-key": "ü" },
      { "content-type": "text/plain" },
      { "content-type": "application/x-www-form-urlencoded" },
      { "content-type": "application/json; charset=utf-16" },
      { "content-encoding": "gzip" },
      { accept: "text/html, */*;q=0.1" },
      { accept: "application/xml" },
      { origin: "https://evil.example" },
      { "x-payment": "not base64" },
      { "x-payment": Buffer.from("{}").toString("base64") },
      { "payment-signature": Buffer.from('{"x402Version":2}').toString("base64") },
      { "x-agent-id": "nobody" },
      { "x-forwarded-for": "1.2.3.4, ::1" },
      { range: "bytes=0-" },
      { "x-http-method-override": "DELETE" },
    ),
  },
);

/** JSON that parses in surprising ways, or not at all. */
const RAW_BODIES = [
  "",
  "{",
  "[]",
  "null",
  '"text"',
  '{"a":1,"a":2}',
  '{"__proto__":{"isAdmin":true}}',
  `${"[".repeat(5000)}${"]".repeat(5000)}`,
  '{"a":1e999}',
  "\ufeff{}",
  '{"a":"\\ud800"}',
  `{"a":"${"x".repeat(70_000)}"}`,
];

/**
 * Requests to an operation of the API's document: nearly valid, or not at all. Paths have `{name}` where an id of `known` belongs
 * (`withIds`).
 */
export function requestsTo(
  method: string,
  template: string,
  operation: Operation,
  resolveIn: <T extends { $ref?: string }>(node: T) => T,
  known: ReadonlySet<string>,
): fc.Arbitrary<HostileRequest> {
  const resolve: Resolve = resolveIn;
  const parameters = (operation.parameters ?? []).map(resolveIn);
  const schemaOf = (name: string) => parameters.find((one) => one.name === name)?.schema ?? { type: "string" };
  const junk = fc.constantFrom(...JUNK);

  const names = [...template.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name ?? "");
  const values = names.map((name) => {
    const other = valid(schemaOf(name), resolve).map(encoded);
    return fc.oneof(
      { weight: 6, arbitrary: known.has(name) ? fc.constant(`{${name}}`) : other },
      { weight: 2, arbitrary: other },
      { weight: 2, arbitrary: junk.map(encoded) },
    );
  });
  const path = fc.tuple(...values).map((chosen) => {
    let index = 0;
    return template.replace(/\{[^}]+\}/g, () => chosen[index++] || "%20");
  });

  const query = fc
    .tuple(
      ...parameters
        .filter((one) => one.in === "query")
        .map(({ name = "", schema = {}, required }) =>
          fc
            .tuple(fc.integer({ min: 0, max: 9 }), hostile(schema, resolve), hostile(schema, resolve))
            .map(([dice, one, two]) => {
              if (dice < 4 && !required) return [];
              return (dice === 9 ? [one, two] : [one]).map((value) => `${encoded(name)}=${encoded(value)}`);
            }),
        ),
      fc.constantFrom([], [], [], [], ["a=b"], ["__proto__=1"], ["limit[]=1"], ["%ff=%ff"]),
    )
    .map((parts) => parts.flat().join("&"));

  const schema = Object.values(operation.requestBody?.content ?? {})[0]?.schema;
  const json = schema ? hostile(schema, resolve).map((value) => JSON.stringify(value)) : fc.constant(undefined);
  const body =
    method === "GET"
      ? fc.constant(undefined)
      : fc.oneof({ weight: 9, arbitrary: json }, { weight: 1, arbitrary: fc.constantFrom(...RAW_BODIES) });

  return fc.record({
    method: fc.constant(method),
    path: fc.tuple(path, query).map(([own, search]) => (search ? `${own}?${search}` : own)),
    login: LOGIN,
    headers: HEADERS,
    body,
  });
}

import { Ajv2020 } from "ajv/dist/2020";
import addFormats from "ajv-formats";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { addressText, bytes32 } from "@/lib/core/address-text";
import { responsesOf } from "@/lib/core/endpoint";
import { agentId, id } from "@/lib/core/id-text";
import { newAgentId, newId } from "@/lib/core/ids";
import { type Components, type Schema, wireSchema } from "@/lib/core/json-schema";
import { amount, limitAmount, positiveAmount, toUsdc } from "@/lib/core/money";
import { shownName, shownText } from "@/lib/core/shown";
import { isoDate } from "@/lib/core/time-text";
import { networkText } from "@/lib/x402/network-text";
import { openApi } from "./document";
import { ENDPOINTS, TAGS } from "./endpoints";
import { codesOf } from "./failures";
import { MEMBERS } from "./members";

const document = openApi("https://wallet.test");

const ajv = new Ajv2020({ strict: false, schemas: { "openapi.json": document } });
addFormats.default(ajv);

const isAccepted = (schema: z.ZodType, json: unknown): boolean => {
  const components: Components = new Map();
  const sent = wireSchema(schema, components);
  const text = JSON.stringify(sent).replaceAll("#/components", "openapi.json#/components");
  return ajv.validate(JSON.parse(text) as Schema, json);
};

test("the OpenAPI document names every tag and operation once", () => {
  const ids = ENDPOINTS.map(({ id: name }) => name);
  expect(new Set(ids).size).toBe(ids.length);
  const tags = new Set(TAGS.map(({ name }) => name));
  expect(ENDPOINTS.filter(({ tag }) => !tags.has(tag)).map(({ id: name }) => name)).toEqual([]);
});

test("each member of a response has a description, and each description is of a member", () => {
  const { paths, components } = JSON.parse(JSON.stringify(document)) as {
    paths: Record<
      string,
      Record<string, { responses: Record<string, { content?: Record<string, { schema?: Schema }> }> }>
    >;
    components: { schemas: Record<string, Schema> };
  };
  const [texts, missing] = [new Set<unknown>(), [] as string[]];
  const visit = (schema: Schema | undefined, owner: string): void => {
    for (const [name, member] of Object.entries(schema?.properties ?? {})) {
      if (member.description === undefined) missing.push(`${owner}.${name}`);
      texts.add(member.description);
      visit(member, name);
    }
    for (const part of [schema?.items, schema?.anyOf, schema?.oneOf, schema?.allOf].flat()) {
      if (typeof part === "object" && part !== null) visit(part as Schema, owner);
    }
  };
  for (const [name, schema] of Object.entries(components.schemas)) visit(schema, name);
  // The codes of errors have pages of their own.
  for (const [path, methods] of Object.entries(paths))
    for (const [method, { responses }] of Object.entries(methods))
      for (const [status, { content = {} }] of Object.entries(responses))
        if (Number(status) < 400 || status === "402")
          for (const { schema } of Object.values(content)) visit(schema, `${method} ${path}`);
  expect(texts.size).toBeGreaterThan(300);
  expect(missing).toEqual([]);
  expect(Object.entries(MEMBERS).filter(([, text]) => !texts.has(text))).toEqual([]);
});

describe("a value in a request", () => {
  const digits = fc.bigInt({ min: 1n, max: 2n ** 96n - 1n }).map(String);
  const hex = (bytes: number) =>
    fc
      .array(fc.constantFrom(..."0123456789abcdefABCDEF"), { minLength: 2 * bytes, maxLength: 2 * bytes })
      .map((all) => `0x${all.join("")}`);
  const people = fc.string({ unit: "grapheme", maxLength: 130 });

  test.each<[string, z.ZodType, fc.Arbitrary<unknown>]>([
    ["an amount", amount, fc.oneof(digits, fc.constant("0"))],
    ["a positive amount", positiveAmount, fc.oneof(digits, fc.constant("0"), people)],
    ["a limit", limitAmount, fc.oneof(digits, people)],
    ["an address", addressText, hex(20)],
    ["32 bytes", bytes32, hex(32)],
    ["an agent's id", agentId, fc.oneof(fc.constant(0).map(newAgentId), people)],
    [
      "a settlement's id",
      id("settlement"),
      fc.oneof(
        fc.constant(0).map(() => newId("settlement")),
        people,
      ),
    ],
    ["a name", shownName(), people],
    ["a text", shownText({ max: 64, hasLines: true, error: "" }), people],
    [
      "a time",
      isoDate,
      fc.date({ noInvalidDate: true, min: new Date(0), max: new Date("9999-01-01") }).map((time) => time.toISOString()),
    ],
    ["a network", networkText, fc.oneof(fc.constantFrom("base", "eip155:84532"), people)],
    [
      "an object",
      z.object({ at: isoDate, id: agentId, to: addressText.nullable() }),
      fc.record({
        at: fc.constant("2026-01-01T00:00:00Z"),
        id: fc.constant(0).map(newAgentId),
        to: fc.oneof(hex(20), fc.constant(null)),
      }),
    ],
  ])("(%s) that the contract accepts is accepted by its JSON Schema", (_, schema, values) => {
    let accepted = 0;
    fc.assert(
      fc.property(values, (json) => {
        if (!schema.safeParse(json).success) return;
        accepted += 1;
        expect(isAccepted(schema, json)).toBe(true);
      }),
    );
    expect(accepted).toBeGreaterThan(0);
  });

  test.each<[string, z.ZodType, unknown]>([
    ["an amount with a sign", amount, "-1"],
    ["an amount as a number", amount, 1],
    ["no positive amount", positiveAmount, "0"],
    ["a short address", addressText, "0x12"],
    ["another id", id("settlement"), newId("payment")],
    ["a long name", shownName(), "a".repeat(101)],
    ["no time", isoDate, "yesterday"],
    ["an unknown network", networkText, "ethereum"],
    ["a missing member", z.object({ amount }), {}],
    ["a member that a strict object does not have", z.strictObject({}), { a: 1 }],
  ])("(%s) that the contract refuses is refused by its JSON Schema", (_, schema, json) => {
    expect(schema.safeParse(json).success).toBe(false);
    expect(isAccepted(schema, json)).toBe(false);
  });

  test("a response's schema describes it as it is encoded", () => {
    const view = z.object({ amount, at: isoDate });
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), (value) =>
        isAccepted(view, z.encode(view, { amount: toUsdc(value), at: new Date(0) })),
      ),
    );
  });
});

describe("the OpenAPI document has the statuses and parameters of the endpoint", () => {
  test.each(ENDPOINTS.map((listed) => [listed.id, listed] as const))("%s", (_, { endpoint: e }) => {
    const operation = (document.paths[e.path] as Record<string, { responses: Record<string, object> }>)[
      e.method.toLowerCase()
    ];
    const statuses = [...Object.keys(responsesOf(e)), ...[...codesOf(e).keys()].map(String)];
    expect(Object.keys(operation?.responses ?? {})).toEqual(expect.arrayContaining(statuses));
    const parameters = [...e.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(parameters.sort()).toEqual(
      Object.keys(e.params ? (wireSchema(e.params, new Map()).properties ?? {}) : {}).sort(),
    );
  });
});

test("a request without a login is refused where the document requires one", () => {
  const open = ENDPOINTS.filter(({ endpoint: e }) => e.auth !== "none" && !codesOf(e).has(401) && e.auth !== "visitor");
  expect(open).toEqual([]);
});

test("the schemas of all responses and bodies can be compiled", () => {
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const [method, { responses }] of Object.entries(operations)) {
      for (const [status, response] of Object.entries(responses)) {
        const [type] = Object.keys((response as { content?: object }).content ?? {});
        if (type === undefined) continue;
        const parts = ["paths", path, method, "responses", status, "content", type, "schema"];
        const pointer = parts.map((part) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1")));
        expect(() => ajv.compile({ $ref: `openapi.json#/${pointer.join("/")}` })).not.toThrow();
      }
    }
  }
}, 120_000);

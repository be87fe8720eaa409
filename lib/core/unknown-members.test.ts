import { describe, expect, test } from "vitest";
import { z } from "zod";
import { closedSchemaOf, faultOf, unknownMembers } from "./unknown-members";

const body = z.object({
  amount: z.string(),
  maxUses: z.int().nullable().optional(),
  redirectUrl: z.string().default(""),
  buyer: z.object({ name: z.string() }).nullish(),
  lines: z.array(z.object({ text: z.string() })).optional(),
  metadata: z.record(z.string(), z.string()).optional(),
  orders: z.record(z.string(), z.object({ count: z.int() })).optional(),
  foreign: z.looseObject({ known: z.object({ id: z.string() }).optional() }).optional(),
  legs: z
    .array(z.union([z.object({ to: z.string(), amount: z.string() }), z.object({ to: z.string(), share: z.int() })]))
    .optional(),
  way: z
    .union([
      z.object({ mode: z.literal("wallet").optional(), signature: z.string() }),
      z.object({ mode: z.literal("vault"), signature: z.string(), amount: z.string() }),
    ])
    .optional(),
  fixed: z.undefined("cannot be changed").optional(),
});

const faultsOf = (value: unknown) =>
  unknownMembers(closedSchemaOf(body), value).map((member) => `${member.path} ${faultOf(member, "a field")}`);

test.each<[string, unknown, string[]]>([
  ["an unknown member", { amount: "1", colour: 1 }, ["colour is not a field"]],
  ["two unknown members", { a: 1, amount: "1", b: 1 }, ["a is not a field", "b is not a field"]],
  ["a member of an object", { buyer: { name: "A", phone: "1" } }, ["buyer.phone is not a field"]],
  [
    "a member in a list",
    { lines: [{ text: "A" }, { texts: "B" }] },
    ["lines.1.texts is not a field (did you mean `text`?)"],
  ],
  ["a member in a record", { orders: { a: { count: 1, size: 1 } } }, ["orders.a.size is not a field"]],
  ["a member below one that takes any", { foreign: { known: { id: "1", x: 1 } } }, ["foreign.known.x is not a field"]],
  ["a member of another form", { legs: [{ to: "a", amount: "1", share: 1 }] }, ["legs.0.share is not a field"]],
  ["a member of a form that is not meant", { way: { mode: "wallet", amount: "1" } }, ["way.amount is not a field"]],
  ["a member of no form", { legs: [{ to: "a", share: 1, memo: 1 }] }, ["legs.0.memo is not a field"]],
])("%s is reported", (_, value, faults) => {
  expect(faultsOf(value)).toEqual(faults);
});

test.each<[string, unknown]>([
  ["listed members", { amount: "1", maxUses: null, buyer: { name: "A" }, legs: [{ to: "a", share: 1 }] }],
  ["members of the form that is meant", { way: { mode: "vault", signature: "a", amount: "1" } }],
  ["names of a record", { metadata: { anything: "1", amout: "1" } }],
  ["members of an object that takes any", { foreign: { anything: { at: ["any", { depth: 1 }] } } }],
  ["an immutable member, which its own schema refuses", { fixed: 1 }],
  ["a value of another type, which the schema refuses", { buyer: "A", lines: { text: "A" }, legs: 1 }],
  ["no object", ["amount"]],
  ["null", null],
])("%s: nothing is reported", (_, value) => {
  expect(faultsOf(value)).toEqual([]);
});

describe("a listed member is suggested", () => {
  const suggestionFor = (name: string, others: object = {}) =>
    unknownMembers(closedSchemaOf(body), { ...others, [name]: 1 })[0]?.findNearest();

  test.each([
    ["amout", "amount"],
    ["ammount", "amount"],
    ["amuont", "amount"],
    ["Amount", "amount"],
    ["max_uses", "maxUses"],
    ["redirect_url", "redirectUrl"],
    ["redirectUri", "redirectUrl"],
  ])("for %s", (name, listed) => {
    expect(suggestionFor(name)).toBe(listed);
  });

  test.each([["colour"], ["a"], ["x".repeat(100_000)], ["fixd"]])("not for a name that is near to none", (name) => {
    expect(suggestionFor(name)).toBeUndefined();
  });

  test("not when it is sent too", () => {
    expect(suggestionFor("ammount", { amount: "1" })).toBeUndefined();
  });
});

test("a long name is cut, and many are read in linear time", () => {
  expect(unknownMembers(closedSchemaOf(body), { ["\u{1f600}".repeat(1000)]: 1 })[0]?.path).toBe(
    "\u{1f600}".repeat(100),
  );
  const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`amoun${index}`, 1]));
  const started = performance.now();
  expect(unknownMembers(closedSchemaOf(body), many)).toHaveLength(100_000);
  expect(performance.now() - started).toBeLessThan(10_000);
});

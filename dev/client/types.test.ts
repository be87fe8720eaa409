import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { arePackagesInstalled } from "../local/extra-packages";
import { CLIENT_TYPES, writeTypes } from "./types";
import { typeOf } from "./typescript";

// The output is formatted like the repository.
const canFormat = arePackagesInstalled("dev/tools");

test.skipIf(!canFormat)(
  "the client's types are generated from the contracts: run `npx tsx dev/client/types.ts` if they differ",
  () => {
    expect(readFileSync(CLIENT_TYPES, "utf8")).toBe(writeTypes());
  },
);

test.each([
  [{ type: "object", properties: { a: { type: "integer" } }, required: ["a"] }, "{ a: number; }"],
  [{ type: "object", properties: { "a-b": { type: "string" } } }, '{ "a-b"?: string | undefined; }'],
  [{ anyOf: [{ type: "string" }, { type: "null" }] }, "(string | null)"],
  [{ type: "array", items: { $ref: "#/$defs/Mandate" } }, "Array<Mandate>"],
  [{ type: "object", additionalProperties: { type: "boolean" } }, "Record<string, boolean>"],
  [{ enum: ["a", "b"] }, '"a" | "b"'],
  [{ const: true }, "true"],
  [{}, "unknown"],
])("the JSON Schema %j becomes the type %s", (schema, type) => expect(typeOf(schema)).toBe(type));

test("a JSON Schema of an unknown type is an error", () =>
  expect(() => typeOf({ type: "date" })).toThrow(/no TypeScript/));

import { Ajv2020 } from "ajv/dist/2020";
import addFormats from "ajv-formats";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { responsesOf } from "@/lib/core/endpoint";
import { type Components, type Schema, wireSchema } from "@/lib/core/json-schema";
import { openApi } from "./document";
import { ENDPOINTS } from "./endpoints";
import { bodyOf } from "./failures";
import { exampleOf } from "./operation";

const BASE = "https://wallet.test";
const document = openApi(BASE);

const ajv = new Ajv2020({ strict: false, allErrors: true, schemas: { "openapi.json": document } });
addFormats.default(ajv);

const faultsOf = (schema: z.ZodType, json: unknown): string => {
  const components: Components = new Map();
  const text = JSON.stringify(wireSchema(schema, components)).replaceAll("#/components", "openapi.json#/components");
  return ajv.validate(JSON.parse(text) as Schema, json) ? "" : ajv.errorsText();
};

describe.each(ENDPOINTS.map((listed) => [listed.id, listed] as const))(
  "the declaration of %s",
  (_, { endpoint: e }) => {
    const example = exampleOf(e, BASE);

    test("describes more than the summary says, in full sentences", () => {
      expect(e.description).toMatch(/\S.{20,}[.`]$/s);
      expect(e.description).not.toBe(e.summary);
    });

    test("has an example request that its contract accepts", () => {
      const body = bodyOf(e);
      if (!body) return expect(example.request).toBeUndefined();
      expect(example.request).toBeDefined();
      expect(body.safeParse(example.request).error?.issues ?? []).toEqual([]);
      expect(faultsOf(body, example.request)).toBe("");
    });

    test("has an example response of each declared kind, in exactly the declared form", () => {
      const declared = responsesOf(e);
      const successes = Object.keys(declared).filter((status) => Number(status) < 300);
      if (successes.length > 0) {
        const first = successes.includes("200") || !successes.includes("201") ? "200" : "201";
        expect(Object.keys(example.responses ?? {})).toContain(successes.length === 1 ? successes[0] : first);
      }
      for (const [status, value] of Object.entries(example.responses ?? {})) {
        const schema = declared[Number(status)] ?? z.never();
        expect(faultsOf(schema, value)).toBe("");
        // A member that the contract does not have would be lost.
        expect(z.encode(schema, schema.parse(value))).toEqual(value);
      }
    });
  },
);

test("all examples use this service's URL", () => {
  expect(JSON.stringify(document)).not.toContain("tessera.example");
});

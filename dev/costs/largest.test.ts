import { expect, test } from "vitest";
import { z } from "zod";
import { fill, largest, shapeOf } from "./largest";

const schema = z.strictObject({
  name: z.string().min(1).max(100),
  kind: z.enum(["a", "b"]),
  note: z.string().max(500).optional(),
  ids: z
    .array(z.string().regex(/^[0-9a-f]{8}$/))
    .max(20)
    .refine((ids) => new Set(ids).size === ids.length),
  free: z.string().optional(),
});

test("a generated value is as large as its schema allows, also with members that the example lacks", () => {
  const grown = largest(shapeOf(schema), { name: "x", kind: "a", ids: ["0000abcd"] }, 2_000, 1) as z.output<
    typeof schema
  >;
  expect(schema.safeParse(grown).success).toBe(true);
  expect([grown.name.length, grown.kind, grown.note?.length, grown.ids.length]).toEqual([100, "a", 500, 20]);
  expect(grown.free?.length).toBeGreaterThan(200);
  expect(JSON.stringify(grown).length).toBeLessThanOrEqual(2_000);
});

test("an example that the schema refuses stays unchanged", () => {
  expect(largest(shapeOf(schema), { name: 1 }, 2_000, 1)).toEqual({ name: 1 });
});

test("generated texts have the requested length, and differ from each other", () => {
  expect(fill(1_234, 1)).toHaveLength(1_234);
  expect(fill(100, 1)).not.toBe(fill(100, 2));
});

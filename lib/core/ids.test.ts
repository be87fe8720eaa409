import { describe, expect, test } from "vitest";
import { agentId, id } from "./id-text";
import { newAgentId, newId, randomText } from "./ids";

describe("an id", () => {
  test("is 24 base62 characters after its prefix, and no two ids are equal", () => {
    const created = Array.from({ length: 2_000 }, () => newId("settlement"));
    for (const text of created) expect(text).toMatch(/^stl_[0-9A-Za-z]{24}$/);
    expect(new Set(created).size).toBe(created.length);
  });

  test("uses every character about equally often", () => {
    const counts = new Map<string, number>();
    for (let index = 0; index < 4_000; index++)
      for (const char of randomText()) counts.set(char, (counts.get(char) ?? 0) + 1);
    const expected = (4_000 * 24) / 62;
    expect(counts.size).toBe(62);
    // Six standard deviations: a generator that favours some letters is far outside, random variation never is.
    for (const seen of counts.values()) expect(Math.abs(seen - expected)).toBeLessThan(6 * Math.sqrt(expected));
  });

  test("can only be read as an id of its own kind", () => {
    const mandate = newId("mandate");
    expect(id("mandate").safeParse(mandate).success).toBe(true);
    for (const kind of ["payment", "settlement", "event", "wallet", "owner", "token"] as const) {
      expect(id(kind).safeParse(mandate).success).toBe(false);
    }
  });

  test.each([
    "",
    "mand_",
    "mand_short",
    `mand_${"a".repeat(41)}`,
    `mand_${"a".repeat(23)}/`,
    `mand_${"a".repeat(23)}\n`,
    `mand_${"a".repeat(24)}\n`,
    `mand_${"é".repeat(24)}`,
    `MAND_${"a".repeat(24)}`,
    ` mand_${"a".repeat(24)}`,
    "__proto__",
    1,
    null,
    {},
    ["mand_aaaaaaaaaaaaaaaaaaaaaaaa"],
  ])("is not a mandate id: %j", (value) => {
    expect(id("mandate").safeParse(value).success).toBe(false);
  });
});

describe("an agent id", () => {
  test("is a lower-case UUID", () => {
    expect(agentId.safeParse(newAgentId()).success).toBe(true);
  });

  test.each([
    "",
    "not-a-uuid",
    "550E8400-E29B-41D4-A716-446655440000",
    "550e8400e29b41d4a716446655440000",
    "{550e8400-e29b-41d4-a716-446655440000}",
    "550e8400-e29b-41d4-a716-446655440000\n",
    "550e8400-e29b-41d4-a716-44665544000g",
    7,
    null,
  ])("is not read from %j", (value) => {
    expect(agentId.safeParse(value).success).toBe(false);
  });
});

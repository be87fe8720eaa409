import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  blockFrom,
  conclude,
  findingsMax,
  type Hit,
  type Rule,
  reviewFrom,
  rulesetVersion,
  severities,
  sharesOf,
  weightOf,
} from "./verdict.ts";

const rule = (code: string, severity: Rule["severity"], weight?: number): Rule => ({
  code,
  severity,
  message: "A fixed sentence.",
  ...(weight !== undefined && { weight }),
});

const anyHits = fc.array(
  fc.record({
    rule: fc
      .tuple(fc.constantFrom("A", "B", "C", "D"), fc.constantFrom(...severities))
      .map(([code, severity]) => rule(code, severity)),
    field: fc.constantFrom("context", "function", "data"),
  }),
  { maxLength: 200 },
);

describe("the conclusion from findings", () => {
  test.each<[name: string, rules: Rule[], verdict: string, riskScore: number]>([
    ["nothing", [], "pass", 0],
    ["two low ones", [rule("A", "low"), rule("B", "low")], "pass", 16],
    ["one medium", [rule("A", "medium")], "review", 25],
    ["one high", [rule("A", "high")], "review", 45],
    ["a high and a medium", [rule("A", "high"), rule("B", "medium")], "block", 70],
    ["a high and a lighter one", [rule("A", "high", 40), rule("B", "medium")], "review", 65],
    ["one code twice", [rule("A", "medium"), rule("A", "high")], "review", 45],
    ["one critical", [rule("A", "critical")], "block", 85],
    ["a critical one of little weight", [rule("A", "critical", 1)], "block", 1],
    ["everything", [rule("A", "critical"), rule("B", "high")], "block", 100],
  ])("of %s", (_name, rules, verdict, riskScore) => {
    expect(conclude(rules.map((r) => ({ rule: r })))).toMatchObject({ verdict, riskScore });
  });

  test("has the verdict that follows from its findings", () => {
    fc.assert(
      fc.property(anyHits, (hits) => {
        const { verdict, riskScore, findings } = conclude(hits);
        const isBlocked = riskScore >= blockFrom || hits.some((hit) => hit.rule.severity === "critical");
        expect(verdict).toBe(isBlocked ? "block" : riskScore >= reviewFrom ? "review" : "pass");
        expect(riskScore).toBeGreaterThanOrEqual(Math.min(100, Math.max(0, ...hits.map((hit) => weightOf(hit.rule)))));
        expect(new Set(findings.map((f) => f.code))).toEqual(new Set(hits.map((hit) => hit.rule.code)));
        const distinct = new Set(hits.map((hit) => `${hit.rule.code} ${hit.rule.severity} ${hit.field}`));
        expect(findings).toHaveLength(Math.min(distinct.size, findingsMax));
      }),
    );
  });

  test("has the score that its findings add up to", () => {
    fc.assert(
      fc.property(anyHits, (hits) => {
        const { riskScore, findings } = conclude(hits);
        const shares = sharesOf(findings);
        expect(
          Math.min(
            100,
            shares.reduce((sum, share) => sum + share, 0),
          ),
        ).toBe(riskScore);
        const counting = findings.filter((_, index) => shares[index] !== 0).map(({ code }) => code);
        expect(new Set(counting).size).toBe(counting.length);
      }),
    );
    const { findings } = conclude([{ rule: rule("A", "medium", 7) }, { rule: rule("A", "medium", 9) }]);
    expect(sharesOf(findings)).toEqual([0, 9]);
  });

  test("names every code, most severe first, even with more findings than are listed", () => {
    const hits: Hit[] = [
      ...Array.from({ length: 300 }, (_, index) => ({
        rule: rule("A", "high"),
        span: { start: index, end: index + 1 },
      })),
      { rule: rule("B", "low") },
    ];
    const { findings } = conclude(hits);
    expect(findings).toHaveLength(findingsMax);
    expect(findings.at(0)?.code).toBe("A");
    expect(findings.at(-1)?.code).toBe("B");
  });

  test("removes duplicates at one position, and keeps different positions", () => {
    const [here, there] = [
      { start: 0, end: 6 },
      { start: 8, end: 14 },
    ];
    const found = [here, there, { ...here }, here].map((span): Hit => ({ rule: rule("A", "low"), span }));
    const { findings, riskScore } = conclude([...found, { rule: rule("A", "high"), span: here }]);
    expect([riskScore, findings.map(({ severity, span }) => [severity, span])]).toEqual([
      45,
      [
        ["high", here],
        ["low", here],
        ["low", there],
      ],
    ]);
  });

  test("does not depend on the order of the input", () => {
    const [finding] = conclude([{ rule: rule("A", "low"), field: "data" }]).findings;
    expect(finding).toEqual({ severity: "low", code: "A", message: "A fixed sentence.", field: "data" });
  });
});

test("a ruleset's version changes with any of its rules, and not with the order of their members", () => {
  const version = rulesetVersion("1.0.0", { a: { x: 1, y: 2 } });
  expect(version).toMatch(/^1\.0\.0\+[0-9a-f]{12}$/);
  expect(rulesetVersion("1.0.0", { a: { y: 2, x: 1 } })).toBe(version);
  expect(rulesetVersion("1.0.0", { a: { x: 1, y: 3 } })).not.toBe(version);
});

import fc from "fast-check";
import { expect } from "vitest";
import { type Conclusion, findingsMax, type Rule, verdictOf } from "../src/verdict.ts";
import { x402Rules } from "../src/x402/rules.ts";

/** Codes whose findings can add nothing to the score. */
const INFORMING: ReadonlySet<string> = new Set(
  Object.values(x402Rules).flatMap(({ code, weight }) => (weight === 0 ? [code] : [])),
);

/** UTF-16 units, with lone surrogates, or a mix of fragments that the scanners look for. */
export const anyText = fc.oneof(
  fc.array(fc.nat(0xffff), { maxLength: 40 }).map((units) => String.fromCharCode(...units)),
  fc
    .array(
      fc.constantFrom(
        ..."ignore all previous instructions |not tell |system: |sk-|\u200b|é|0x|095ea7b3|https://|@|ey|eyJhbGciOi|private key |base|-1|%2e|\n".split(
          "|",
        ),
        ...["\ud83d", "\ude00", "\u{e0041}", "\0", "f".repeat(64), "0".repeat(64)],
      ),
      { maxLength: 12 },
    )
    .map((parts) => parts.join("")),
);
const anyValue = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    anyText,
    fc.integer(),
    fc.double(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(
      fc.oneof(fc.constantFrom("accepts", "payTo", "resource", "signature", "data", "to"), anyText),
      tie("value"),
      {
        maxKeys: 5,
      },
    ),
  ),
})).value;

/** Any value, or an object with some of these members. */
export const bodyOf = (...names: string[]) =>
  fc.oneof(anyValue, fc.record(Object.fromEntries(names.map((name) => [name, anyValue])), { requiredKeys: [] }));

/**
 * Asserts for any body that the scan does not throw, is repeatable, has only messages of its rules and short places, and has a verdict that follows
 * from score and findings.
 */
export function assertSound<Body>(
  bodies: fc.Arbitrary<Body>,
  scan: (body: Body) => Conclusion | null,
  rules: Readonly<Record<string, Rule>>,
): void {
  const messages = new Set(Object.values(rules).map(({ message }) => message));
  const runs = fc.property(bodies, (body) => {
    const first = scan(body);
    expect(scan(structuredClone(body))).toEqual(first);
    if (first === null) return;
    const { verdict, riskScore, findings } = first;
    expect(Number.isInteger(riskScore) && riskScore >= 0 && riskScore <= 100).toBe(true);
    const isCritical = findings.some(({ severity }) => severity === "critical");
    expect(verdict).toBe(verdictOf(riskScore, isCritical));
    expect(riskScore === 0 ? findings.every(({ code }) => INFORMING.has(code)) : findings.length > 0).toBe(true);
    expect(findings.length).toBeLessThanOrEqual(findingsMax);
    expect(findings.every(({ message, field }) => messages.has(message) && (field ?? "").length < 200)).toBe(true);
    expect(JSON.parse(JSON.stringify(first))).toStrictEqual(first);
  });
  fc.assert(runs, { numRuns: 800 });
}

import fc from "fast-check";
import { expect } from "vitest";
import { type Conclusion, findingsMax, verdictOf } from "../src/verdict.ts";
import { x402Rules } from "../src/x402/rules.ts";

/** Codes whose findings add nothing to the score. */
const INFORMING: ReadonlySet<string> = new Set([x402Rules.purposeUnstated.code]);

/** UTF-16 units, with lone surrogates, or a mix of fragments that the scanners look for. */
export const anyText = fc.oneof(
  fc.array(fc.nat(0xffff), { maxLength: 40 }).map((units) => String.fromCharCode(...units)),
  fc
    .array(
      fc.constantFrom(
        ..."ignore all previous instructions |\u200b|0x|095ea7b3|https://|@|ey|eyJhbGciOi|private key |base|-1|%2e".split(
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
 * Asserts for any body that the scan does not throw, is repeatable, and has a verdict that follows from score and
 * findings.
 */
export function assertSound(bodies: fc.Arbitrary<unknown>, scan: (body: unknown) => Conclusion | null): void {
  fc.assert(
    fc.property(bodies, (body) => {
      const first = scan(body);
      expect(scan(structuredClone(body))).toEqual(first);
      if (first === null) return;
      const { verdict, riskScore, findings } = first;
      expect(Number.isInteger(riskScore) && riskScore >= 0 && riskScore <= 100).toBe(true);
      expect(verdict).toBe(
        verdictOf(
          riskScore,
          findings.some(({ severity }) => severity === "critical"),
        ),
      );
      expect(findings.every(({ code }) => INFORMING.has(code))).toBe(riskScore === 0);
      expect(findings.length).toBeLessThanOrEqual(findingsMax);
      expect(JSON.parse(JSON.stringify(first))).toStrictEqual(first);
    }),
    { numRuns: 500 },
  );
}

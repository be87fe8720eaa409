import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { promptRequest, transactionRequest, x402Request } from "../requests";
import { scanPrompt } from "./prompt";
import { scanTransaction } from "./transaction";
import { type Conclusion, findingsMax, verdictOf } from "./verdict";
import { scanX402 } from "./x402";

/** Any sequence of UTF-16 units, lone surrogates among them, and pieces that the scans look for. */
const anyText = fc.oneof(
  fc.array(fc.nat(0xffff), { maxLength: 40 }).map((units) => String.fromCharCode(...units)),
  fc
    .array(
      fc.constantFrom(
        "ignore all previous instructions ",
        "\ud83d",
        "\ude00",
        "\u200b",
        "0x",
        "095ea7b3",
        "f".repeat(64),
        "0".repeat(64),
        "https://",
        "@",
        "ey",
        "eyJhbGciOi",
        "private key ",
        "base",
        "-1",
        "%2e",
        "\u{e0041}",
        "\0",
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

const bodyOf = (...names: string[]) =>
  fc.oneof(anyValue, fc.record(Object.fromEntries(names.map((name) => [name, anyValue])), { requiredKeys: [] }));

describe.each<{ name: string; bodies: fc.Arbitrary<unknown>; scan: (body: unknown) => Conclusion | null }>([
  {
    name: "transaction",
    bodies: bodyOf("chainId", "chain_id", "to", "data", "valueWei", "value", "function", "amount", "context"),
    scan: scanTransaction,
  },
  { name: "x402", bodies: bodyOf("paymentRequired", "expected"), scan: scanX402 },
  {
    name: "prompt",
    bodies: fc.record({ text: anyText, source: anyText }, { requiredKeys: ["text"] }),
    // Made of texts alone.
    scan: (body) => scanPrompt(body as { text: string }),
  },
  {
    name: "requested transaction",
    bodies: bodyOf("to", "data", "context"),
    scan: (body) => judged(transactionRequest.safeParse(body), scanTransaction),
  },
  {
    name: "requested x402",
    bodies: bodyOf("paymentRequired", "expected"),
    scan: (body) => judged(x402Request.safeParse(body), scanX402),
  },
  {
    name: "requested prompt",
    bodies: bodyOf("text", "prompt", "source"),
    scan: (body) => judged(promptRequest.safeParse(body), scanPrompt),
  },
])("the $name scan of anything", ({ bodies, scan }) => {
  test("throws nothing, says the same again, and has a verdict that follows from score and findings", () => {
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
        expect(findings.length === 0).toBe(riskScore === 0);
        expect(findings.length).toBeLessThanOrEqual(findingsMax);
        expect(JSON.parse(JSON.stringify(first))).toStrictEqual(first);
      }),
      { numRuns: 500 },
    );
  });
});

function judged<Input>(
  read: { success: true; data: Input } | { success: false },
  scan: (input: Input) => Conclusion,
): Conclusion | null {
  return read.success ? scan(read.data) : null;
}

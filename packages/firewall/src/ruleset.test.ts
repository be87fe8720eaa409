import fc from "fast-check";
import { expect, test } from "vitest";
import { scanPrompt } from "./prompt/scan.ts";
import { rulesetDigests } from "./rules.ts";
import { RULESET_VERSION, rulesetTables, VERSION } from "./ruleset.ts";
import { scanTransaction } from "./transaction/scan.ts";
import { rulesetVersion } from "./verdict.ts";
import { scanX402 } from "./x402/scan.ts";

test("covers all scans: update these lines deliberately when the rules change", () => {
  expect(RULESET_VERSION).toBe("3.0.0+6e87bd80461f");
  expect(rulesetDigests).toEqual({
    transaction: "35dc254647cb",
    x402: "fb3f02e96a99",
    prompt: "3fc7dca0be92",
    shared: "bc88451ca9b9",
  });
  const scans = [scanTransaction({}), scanX402({}), scanPrompt({ text: "" })];
  expect(scans.map((scan) => scan.rulesetVersion)).toEqual(Array(3).fill(RULESET_VERSION));
});

test("the ruleset's version follows semver.org, without leading zeros", () => {
  expect(VERSION).toMatch(/^(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)$/);
  expect(rulesetVersion(VERSION, rulesetTables)).toBe(RULESET_VERSION);
});

test.each(Object.keys(rulesetTables) as (keyof typeof rulesetTables)[])(
  "the ruleset's digest changes when %s change",
  (name) => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { minLength: 12, maxLength: 12 }), (picks) => {
        const changed = { ...rulesetTables, [name]: changedAt(rulesetTables[name], picks) };
        expect(rulesetVersion(VERSION, changed)).not.toBe(RULESET_VERSION);
      }),
      { numRuns: 25 },
    );
  },
);

test("does not change with the wording of a message", () => {
  const { promptRules } = rulesetTables;
  const secret = { ...promptRules.secret, message: "Another sentence." };
  expect(rulesetVersion(VERSION, { ...rulesetTables, promptRules: { ...promptRules, secret } })).toBe(RULESET_VERSION);
});

/** A copy with one changed leaf; `picks` selects the member at each level. */
function changedAt(value: unknown, [pick = 0, ...picks]: number[]): unknown {
  if (value instanceof RegExp) return new RegExp(`${value.source}x`, value.flags);
  if (value instanceof Set) return new Set([...value, "x"]);
  if (typeof value === "number") return value + 1;
  if (typeof value === "boolean") return !value;
  if (typeof value !== "object" || value === null) return `${value}x`;
  const members = Object.entries(value).filter(([name]) => name !== "message");
  const [name, member] = members[pick % members.length] ?? ["0", undefined];
  const changed = { ...value, [name]: changedAt(member, picks) };
  return Array.isArray(value) ? Object.assign([...value], changed) : changed;
}

import { expect, test } from "vitest";
import { RULESET_VERSION } from "../src/ruleset.ts";
import { savedCross } from "./cross-figures.ts";
import { savedFigures } from "./figures.ts";

/** Fails after a change of the rules until `npm run firewall:cross -- --save` has run. */
test("the stored figures of left-out sources belong to the present ruleset", () => {
  expect(savedCross().rulesetVersion).toBe(RULESET_VERSION);
});

/** Fails after a change of the rules until `npm run bench:firewall -- --verdicts --save` has run. Times may be older. */
test("the stored figures of verdicts belong to the present ruleset", () => {
  expect(savedFigures().rulesetVersion).toBe(RULESET_VERSION);
});

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { rulesetTables } from "@/lib/firewall/rules/ruleset";
import { firewallDocument } from "./firewall-docs";
import { savedFigures } from "./firewall-figures";

test("docs/firewall.md says what the rules say: npm run firewall:docs writes it anew", () => {
  expect(readFileSync("docs/firewall.md", "utf8")).toBe(firewallDocument(savedFigures()));
});

test("it has a line for every rule", () => {
  const { transactionRules, x402Rules, promptRules } = rulesetTables;
  const lines = firewallDocument(savedFigures()).split("\n");
  for (const rules of [transactionRules, x402Rules, promptRules]) {
    for (const { code, message } of Object.values(rules)) {
      if (code !== "")
        expect(
          lines.filter((line) => line.startsWith(`| \`${code}\` |`) && line.endsWith(`${message} |`)),
        ).toHaveLength(1);
    }
  }
});

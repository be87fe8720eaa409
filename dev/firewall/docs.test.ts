import { readFileSync } from "node:fs";
import { rulesetTables } from "@tessera/firewall/rules";
import { expect, test } from "vitest";
import { figuresIn, measurementOf, savedFigures, withFigures } from "@/packages/firewall/bench/figures";
import { timeTable, timing } from "@/packages/firewall/bench/report";
import { firewallDocument } from "./docs";

test("docs/firewall.md agrees with the rules: npm run firewall:docs regenerates it", () => {
  expect(readFileSync("docs/firewall.md", "utf8")).toBe(firewallDocument(savedFigures()));
});

test.each(["folds", "heldBack", "labelled", "times", "peers"] as const)(
  "docs/firewall.md keeps the figures of %s",
  (name) => {
    const saved = savedFigures();
    expect(saved[name].tables.length).toBeGreaterThan(0);
    expect(saved[name].on).toMatch(/^\d{4}-\d\d-\d\d$/);
    const measurement = {
      on: "2020-01-01",
      rulesetVersion: "1.0.0",
      tables: [{ title: "All", lines: ["texts | met", "a | "] }],
    };
    expect(withFigures(firewallDocument(saved), name, measurement)).toBe(
      firewallDocument({ ...saved, [name]: measurement }),
    );
  },
);

test("docs/firewall.md has a line for every rule", () => {
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

test("how well it judges unseen sources comes first", () => {
  const titles = firewallDocument(savedFigures()).match(/^## .*$/gm) ?? [];
  expect(titles[0]).toBe("## How well the prompt scan judges");
});

test("docs/firewall.md lists times with their goals, and whether they are met", () => {
  const times = timeTable("Prompt scan, time", [
    timing("a text", { median: 0.04321, p99: 0.9 }, { atMost: 0.8 }),
    timing("another", { median: 1, p99: 2 }, { atMost: 2 }),
    timing("a third", { median: 1, p99: 2 }),
  ]);
  const measurement = measurementOf(new Date(0), "1.0.0", [times]);
  const saved = { ...savedFigures(), times: measurement };
  const page = firewallDocument(saved);
  expect(withFigures(firewallDocument(savedFigures()), "times", measurement)).toBe(page);
  expect(figuresIn(page)).toEqual(saved);
  const lines = page.split("\n");
  expect(lines).toContain("| a text | 0.043 | 0.900 | p99 ≤ 0.8 ms | not met |");
  expect(lines).toContain("| another | 1.000 | 2.000 | p99 ≤ 2 ms | met |");
  expect(lines).toContain("| a third | 1.000 | 2.000 |  |  |");
});

test("it states what the model's finding weighs, the length limits, and that amounts are strings", () => {
  const document = firewallDocument(savedFigures());
  expect(document).toContain("from 25 to 57 for review and from 75 for block");
  expect(document).toContain("32 KB of JSON on the wire and 24,000 characters");
  expect(document).toContain("about 16,000 Greek");
  expect(document).toContain("strings of decimal digits in wei");
});

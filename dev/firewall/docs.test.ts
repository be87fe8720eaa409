import { readFileSync } from "node:fs";
import { RULESET_VERSION } from "@tessera/firewall";
import { rulesetTables } from "@tessera/firewall/rules";
import { weightOf } from "@tessera/firewall/verdict";
import { expect, test } from "vitest";
import { savedCross } from "@/packages/firewall/bench/cross-figures";
import { savedFigures, toSave } from "@/packages/firewall/bench/figures";
import { timing } from "@/packages/firewall/bench/report";
import { firewallDocument } from "./docs";

test("docs/firewall.md agrees with the rules: run `npm run firewall:docs` if it differs", () => {
  expect(readFileSync("docs/firewall.md", "utf8")).toBe(firewallDocument(savedFigures(), savedCross()));
});

test("docs/firewall.md has a line for every rule", () => {
  const { transactionRules, x402Rules, promptRules } = rulesetTables;
  const lines = firewallDocument(savedFigures(), savedCross()).split("\n");
  for (const rules of [transactionRules, x402Rules, promptRules]) {
    for (const { code, message } of Object.values(rules)) {
      if (code !== "")
        expect(
          lines.filter((line) => line.startsWith(`| \`${code}\` |`) && line.endsWith(`${message} |`)),
        ).toHaveLength(1);
    }
  }
});

test("docs/firewall.md begins with the figures of sources that were left out of training", () => {
  const titles = firewallDocument(savedFigures(), savedCross()).match(/^## .*$/gm) ?? [];
  expect(titles[0]).toBe("## Measured on sources that were left out");
  expect(savedCross().rulesetVersion).toBe(RULESET_VERSION);
});

test("docs/firewall.md lists times with their goals, and whether they are met", () => {
  const times = [
    {
      title: "Prompt scan, time",
      timings: [
        timing("a text", { median: 0.04321, p99: 0.9 }, { median: { atMost: 0.05 }, p99: { atMost: 0.8 } }),
        timing("another", { median: 1, p99: 2 }, { median: { atMost: 1.5 } }),
        timing("a third", { median: 1, p99: 2 }, {}),
      ],
      notes: [],
    },
  ];
  const saved = toSave({ agreement: [], times, peers: [] }, new Date(0));
  const lines = firewallDocument(saved, savedCross()).split("\n");
  expect(lines).toContain("| a text | 0.043 | 0.9 | median ≤ 0.05 ms, p99 ≤ 0.8 ms | not met |");
  expect(lines).toContain("| another | 1 | 2 | median ≤ 1.5 ms | met |");
  expect(lines).toContain("| a third | 1 | 2 |  |  |");
  expect(firewallDocument({ ...saved, speeds: [] }, savedCross())).not.toContain("### Speed");
});

test("docs/firewall.md states the weight of quotations, the length limits, and that amounts are strings", () => {
  const document = firewallDocument(savedFigures(), savedCross());
  const { quoted, quotedToo } = rulesetTables.promptRules;
  expect(document).toContain(`its gravest code weighs ${weightOf(quoted)} and every other one ${weightOf(quotedToo)},`);
  expect(document).toContain("32 KB of JSON on the wire and 24,000 characters");
  expect(document).toContain("about 16,000 Greek");
  expect(document).toContain("strings of decimal digits in wei");
});

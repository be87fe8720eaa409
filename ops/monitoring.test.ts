import { readFileSync } from "node:fs";
import { collectDefaultMetrics, Registry } from "prom-client";
import { expect, test } from "vitest";
import { z } from "zod";
import { ALARMS, metrics } from "@/lib/platform/metrics";

const DASHBOARD = "ops/monitoring/dashboard.json";
const ALERTS = "ops/monitoring/alerts.yml";

const dashboard = z.object({
  panels: z.array(z.object({ targets: z.array(z.object({ expr: z.string() })).optional() })),
});
const expressions = (): Record<string, string[]> => ({
  [DASHBOARD]: dashboard
    .parse(JSON.parse(readFileSync(DASHBOARD, "utf8")))
    .panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
  [ALERTS]: [...readFileSync(ALERTS, "utf8").matchAll(/^ +expr: (.+)$/gm)].map(([, expr = ""]) => expr),
});

/** Names of metrics in PromQL: words that are not labels, functions or in quotes. */
const namesIn = (expr: string) =>
  expr.replace(/"[^"]*"/g, "").match(/\b(?:tessera|process|nodejs)_[a-z0-9_]+\b/g) ?? [];

/** Names of the series that Prometheus stores for each metric. */
function knownMetrics(): Set<string> {
  const ofProcess = new Registry();
  collectDefaultMetrics({ register: ofProcess });
  const all = [...metrics().registry.getMetricsAsArray(), ...ofProcess.getMetricsAsArray()];
  return new Set(
    all.flatMap(({ name, type }) =>
      String(type) === "histogram" ? ["_bucket", "_sum", "_count"].map((suffix) => name + suffix) : [name],
    ),
  );
}

test.each([DASHBOARD, ALERTS])("every metric in %s exists in the code", (file) => {
  const exprs = expressions()[file] ?? [];
  expect(exprs.length).toBeGreaterThan(15);
  for (const expr of exprs) expect([expr, namesIn(expr)]).not.toEqual([expr, []]);
  const names = exprs.flatMap(namesIn);
  expect(names.filter((name) => !knownMetrics().has(name))).toEqual([]);
});

/** Labels that an expression groups or selects by. Prometheus adds the first two, histograms the third. */
const labelsIn = (expr: string) => [
  ...[...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = ""]) => list.split(/\s*,\s*/)),
  ...[...expr.matchAll(/\{([^}]*)\}/g)].flatMap(([, list = ""]) => list.match(/\w+(?=\s*[=!])/g) ?? []),
];
const ADDED = ["instance", "job", "le"];

test.each([DASHBOARD, ALERTS])("every label in %s belongs to a metric in its expression", (file) => {
  const all = metrics().registry.getMetricsAsArray();
  const labelsOf = (series: string) => {
    const metric = all.find(({ name }) => series === name || series.startsWith(`${name}_`));
    // The library's types leave it out.
    return (metric as { labelNames?: string[] } | undefined)?.labelNames ?? [];
  };
  for (const expr of expressions()[file] ?? []) {
    const known = [...ADDED, ...namesIn(expr).flatMap(labelsOf)];
    expect([expr, labelsIn(expr).filter((label) => !known.includes(label))]).toEqual([expr, []]);
  }
});

test("every metric of the service is on the dashboard", () => {
  const shown = new Set(expressions()[DASHBOARD]?.flatMap(namesIn));
  const isShown = (name: string) => [name, `${name}_bucket`, `${name}_count`].some((series) => shown.has(series));
  expect(
    metrics()
      .registry.getMetricsAsArray()
      .map(({ name }) => name)
      .filter((name) => !isShown(name)),
  ).toEqual([]);
});

test("docs/operations.md calls the same log messages alarms as the code", () => {
  const sentence =
    /Alert on ([^.]*(?:`[^`]*`[^.`]*)*)\. Lines/.exec(readFileSync("docs/operations.md", "utf8"))?.[1] ?? "";
  const named = [...sentence.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);
  expect(named.toSorted()).toEqual([...ALARMS].toSorted());
});

test("every alarm in the log has an alert rule", () => {
  const alerts = readFileSync(ALERTS, "utf8");
  // A paused relayer has a gauge.
  expect(ALARMS.filter((event) => event !== "relayer.paused" && !alerts.includes(event))).toEqual([]);
});

/** Settings with which PostgreSQL logs the plan of each statement, for sessions that start afterwards. */
export const EXPLAIN: Record<string, string> = {
  session_preload_libraries: "auto_explain",
  "auto_explain.log_min_duration": "0",
  "auto_explain.log_analyze": "on",
  "auto_explain.log_timing": "off",
  "auto_explain.log_format": "json",
};

type Node = {
  "Node Type": string;
  "Relation Name"?: string;
  "Actual Rows"?: number;
  "Actual Loops"?: number;
  "Rows Removed by Filter"?: number;
  "Rows Removed by Index Recheck"?: number;
  "Rows Removed by Join Filter"?: number;
  Plans?: Node[];
};
export type Plan = { text: string; ms: number; root: Node };
export type Reading = { text: string; relation: string; how: string; rows: number };

/** All plans in a log. Continuation lines of an entry begin with a tab. */
export function plansIn(log: string): Plan[] {
  return log.split(/\n(?!\t)/).flatMap((entry) => planIn(entry) ?? []);
}

const START = "ms  plan:";

function planIn(entry: string): Plan | null {
  const position = entry.indexOf(START);
  if (position < 0) return null;
  const [, ms] = /duration: ([\d.]+) $/.exec(entry.slice(0, position)) ?? [];
  const plan = JSON.parse(entry.slice(position + START.length).replace(/\n\t/g, "\n")) as {
    "Query Text": string;
    Plan: Node;
  };
  return { text: plan["Query Text"].replace(/\s+/g, " ").trim(), ms: Number(ms), root: plan.Plan };
}

/** The rows that each statement read of each table, most first. */
export function readingsOf(plans: readonly Plan[]): Reading[] {
  return plans
    .flatMap(({ text, root }) => scansIn(root).map((scan) => ({ text, ...scan })))
    .toSorted((a, b) => b.rows - a.rows);
}

function scansIn(node: Node): Omit<Reading, "text">[] {
  const below = (node.Plans ?? []).flatMap(scansIn);
  const relation = node["Relation Name"];
  if (relation === undefined || !node["Node Type"].includes("Scan")) return below;
  const each =
    (node["Actual Rows"] ?? 0) + (node["Rows Removed by Filter"] ?? 0) + (node["Rows Removed by Index Recheck"] ?? 0);
  return [{ relation, how: node["Node Type"], rows: Math.round(each * (node["Actual Loops"] ?? 1)) }, ...below];
}

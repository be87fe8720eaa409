import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { type Endpoint, isNotJson, responsesOf } from "@/lib/core/endpoint";
import { type FailureTable, STATUS } from "@/lib/core/errors";
import { edgeErrors } from "@/lib/http/errors";

export const API_DOCS = "docs/api.md";
const BEGIN = "<!-- Written by `npx tsx dev/docs/api.ts` from the contracts. -->\n";
const END = "<!-- End of what is written. -->";

const CASES = { wallet: "toLowerCase", resource: "toUpperCase", identity: "toString" } as const;

/** Error codes by status, as clients receive them: 404 `a`; 409 `b`, `c`. */
function errorsOf(errors: FailureTable, surface: Endpoint["surface"]): string {
  const byStatus = new Map<number, string[]>();
  for (const [code, [kind]] of Object.entries(errors)) {
    const status = STATUS[kind];
    byStatus.set(status, [...(byStatus.get(status) ?? []), `\`${code[CASES[surface]]()}\``]);
  }
  const groups = [...byStatus].sort(([a], [b]) => a - b);
  return groups.map(([status, codes]) => `${status} ${codes.sort().join(", ")}`).join("; ");
}

function responsesText(e: Endpoint): string {
  if (isNotJson(e.response)) return `200 ${e.response.contentType.split(";")[0]}`;
  return Object.keys(responsesOf(e)).join(", ");
}

/** `text` (docs/api.md) with the statuses and errors of `endpoints` inserted. */
export function withResponses(text: string, endpoints: readonly Endpoint[]): string {
  const [before, rest] = text.split(BEGIN);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined) throw new Error(`${API_DOCS} has no place for the table`);
  const byPath = [...endpoints].sort((a, b) => (`${a.path} ${a.method}` < `${b.path} ${b.method}` ? -1 : 1));
  const rows = [...new Set(byPath.map(rowOf))];
  const shared = `Every endpoint: ${errorsOf(edgeErrors.table, "wallet")}.`;
  return `${before}${BEGIN}\n${shared}\n\n| endpoint | responses | errors |\n|---|---|---|\n${rows.join("")}\n${END}${after}`;
}

const rowOf = (e: Endpoint): string =>
  `| ${e.method} \`${e.path}\` | ${responsesText(e)} | ${errorsOf(e.errors, e.surface)} |\n`;

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === "object" && value !== null && "method" in value && "path" in value && "surface" in value;

async function readContracts(): Promise<Endpoint[]> {
  const files = readdirSync("lib", { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith("contract.ts"),
  );
  const modules = await Promise.all(
    files.map((file): Promise<Record<string, unknown>> => import(pathToFileURL(resolve("lib", file)).href)),
  );
  return modules.flatMap((module) => Object.values(module).filter(isEndpoint));
}

if (import.meta.filename === process.argv[1]) {
  writeFileSync(API_DOCS, withResponses(readFileSync(API_DOCS, "utf8"), await readContracts()));
}

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { TOOLS } from "@/lib/mcp/server";

const GUIDE = readFileSync("docs/mcp.md", "utf8");
const snippets = [...GUIDE.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text = ""]) => text);

test("every JSON snippet of docs/mcp.md is valid and names the endpoint", () => {
  expect(snippets).toHaveLength(3);
  for (const text of snippets) expect(JSON.stringify(JSON.parse(text))).toContain("https://wallet.example/mcp");
});

test("docs/mcp.md lists exactly the tools", () => {
  const section = GUIDE.slice(GUIDE.indexOf("## Tools"), GUIDE.indexOf("Each tool has"));
  const rows = section.split("\n").filter((line) => line.startsWith("| `"));
  const listed = rows.flatMap((row) => [...(row.split("|")[1] ?? "").matchAll(/`(\w+)`/g)].map(([, name]) => name));
  expect(listed.sort()).toEqual(TOOLS.map(({ name }) => name).sort());
});

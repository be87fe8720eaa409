import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { TOOLS } from "@/lib/mcp/handle";

const GUIDE = readFileSync("docs/mcp.md", "utf8");

test("docs/mcp.md lists exactly the existing tools", () => {
  const section = GUIDE.slice(GUIDE.indexOf("## Tools"), GUIDE.indexOf("Each tool has"));
  const rows = section.split("\n").filter((line) => line.startsWith("| `"));
  const listed = rows.flatMap((row) => [...(row.split("|")[1] ?? "").matchAll(/`(\w+)`/g)].map(([, name]) => name));
  expect(listed.sort()).toEqual(TOOLS.map(({ name }) => name).sort());
});

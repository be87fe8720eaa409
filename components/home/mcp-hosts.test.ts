import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { mcpHosts } from "./mcp-hosts";

test("the configuration for each MCP host has this service's URL, and is JSON where the host reads a file", () => {
  const hosts = mcpHosts("https://wallet.example");
  expect(hosts.map(({ host }) => host)).toEqual(["Claude Code", "Claude Desktop", "Cursor", "VS Code"]);
  for (const { host, text } of hosts) {
    expect(text).toContain("https://wallet.example/mcp");
    if (host !== "Claude Code") expect(() => JSON.parse(text)).not.toThrow();
  }
});

test("docs/mcp.md has the same configurations", () => {
  const [guide = ""] = /^## Connect[\s\S]*?(?=^## )/m.exec(readFileSync("docs/mcp.md", "utf8")) ?? [];
  const [shell, ...files] = mcpHosts("https://tessera.example").map(({ text }) => text);
  const written = [...guide.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text = ""]) => JSON.parse(text));
  expect(guide).toContain(`\`\`\`\n${shell}\n\`\`\``);
  expect(written).toEqual(files.map((text) => JSON.parse(text)));
});

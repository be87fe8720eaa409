import { expect, test } from "vitest";
import { mcpHosts } from "./mcp-hosts";

test("each host gets this service's address, and JSON where it reads a file", () => {
  const hosts = mcpHosts("https://wallet.example");
  expect(hosts.map(({ host }) => host)).toEqual(["Claude Code", "Claude Desktop", "Cursor", "VS Code"]);
  for (const { host, text } of hosts) {
    expect(text).toContain("https://wallet.example/mcp");
    if (host !== "Claude Code") expect(() => JSON.parse(text)).not.toThrow();
  }
});

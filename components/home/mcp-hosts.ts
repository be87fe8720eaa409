export type McpHost = { host: string; where: string; text: string };

const json = (value: object): string => JSON.stringify(value, null, 2);

/** The configuration of the MCP server for four agent hosts. None contains the token itself where the host can look it up. */
export function mcpHosts(baseUrl: string): readonly McpHost[] {
  const url = `${baseUrl}/mcp`;
  return [
    {
      host: "Claude Code",
      where: "In a shell:",
      text: `claude mcp add --transport http tessera ${url} --header "Authorization: Bearer $TESSERA_TOKEN"`,
    },
    {
      host: "Claude Desktop",
      where: "In claude_desktop_config.json. It starts local servers only, so mcp-remote connects it:",
      text: json({
        mcpServers: {
          tessera: {
            command: "npx",
            args: ["-y", "mcp-remote", url, "--header", `Authorization:${"$"}{TESSERA_AUTHORIZATION}`],
            env: { TESSERA_AUTHORIZATION: "Bearer <token>" },
          },
        },
      }),
    },
    {
      host: "Cursor",
      where: "In ~/.cursor/mcp.json; the token is read from the environment:",
      text: json({
        mcpServers: { tessera: { url, headers: { Authorization: `Bearer ${"$"}{env:TESSERA_TOKEN}` } } },
      }),
    },
    {
      host: "VS Code",
      where: "In .vscode/mcp.json; the token is requested once:",
      text: json({
        inputs: [{ type: "promptString", id: "tessera-token", description: "Tessera token", password: true }],
        servers: {
          tessera: { type: "http", url, headers: { Authorization: `Bearer ${"$"}{input:tessera-token}` } },
        },
      }),
    },
  ];
}

import { callMcp, callMcpSignedIn } from "@/lib/mcp/contract";

/** The version of this service's entry: the registry publishes each version once. */
const VERSION = "1.0.0";

/**
 * The service's entry for the MCP registry (server.json of 2025-12-11), which `mcp-publisher publish` sends. Its name is the domain,
 * reversed: the registry has the publisher prove that they own it.
 */
export function serverJson(baseUrl: string) {
  const domain = new URL(baseUrl).hostname.split(".").reverse().join(".");
  return {
    $schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
    name: `${domain}/tessera`,
    title: "Tessera agent wallet",
    description: "A wallet for agents: pay x402 and MCP sellers in USDC within budgets that the user signs",
    version: VERSION,
    websiteUrl: `${baseUrl}/docs/mcp`,
    remotes: [
      { type: "streamable-http", url: `${baseUrl}${callMcpSignedIn.path}` },
      {
        type: "streamable-http",
        url: `${baseUrl}${callMcp.path}`,
        headers: [
          {
            name: "Authorization",
            description: "The agent's permanent token",
            value: "Bearer {token}",
            isRequired: true,
            isSecret: true,
            variables: { token: { description: "tok_…", isRequired: true, isSecret: true } },
          },
        ],
      },
    ],
  };
}

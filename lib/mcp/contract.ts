import { z } from "zod";
import { endpoint } from "@/lib/core/endpoint";

/** Room for the body of a transaction scan, escaped twice. */
export const FRAME_BYTES_MAX = 262_144;

export const callMcp = endpoint({
  method: "POST",
  path: "/mcp",
  summary: "Model Context Protocol (streamable HTTP, stateless): the tools of docs/mcp.md",
  description:
    "One JSON-RPC message in, one JSON response out. Send a login JWT or the agent's permanent token as `Authorization: Bearer`. Without it, a client can list the tools, register an agent and buy scans by x402.",
  auth: "none",
  surface: "wallet",
  limitPerAddress: "mcp_per_address",
  response: { contentType: "application/json" },
  errors: {},
});

/** RFC 9728. Tokens come from POST /register, so that no authorization server is named. */
export const protectedResource = endpoint({
  method: "GET",
  path: "/.well-known/oauth-protected-resource",
  summary: "Metadata of the MCP endpoint for OAuth clients (RFC 9728)",
  auth: "none",
  surface: "identity",
  response: z.object({
    resource: z.url(),
    resource_name: z.string(),
    bearer_methods_supported: z.array(z.literal("header")),
    resource_documentation: z.url(),
  }),
  errors: {},
});

export const metadataUrl = (baseUrl: string) => `${baseUrl}${protectedResource.path}/mcp`;

export const toProtectedResource = (baseUrl: string): z.output<typeof protectedResource.response> => ({
  resource: `${baseUrl}/mcp`,
  resource_name: "Tessera agent wallet",
  bearer_methods_supported: ["header"],
  resource_documentation: `${baseUrl}/docs/mcp`,
});

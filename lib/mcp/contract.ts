import { z } from "zod";
import { endpoint } from "@/lib/core/endpoint";
import { edgeErrors } from "@/lib/http/errors";
import { identityErrors } from "@/lib/identity/errors";
import * as sample from "@/lib/samples";

const { invalid_request, invalid_json, body_too_large, unsupported_media_type, origin_not_allowed } = edgeErrors.table;
const { missing_bearer, invalid_or_expired_jwt, wrong_token_type, agent_not_found } = identityErrors.table;

/** Large enough for a transaction scan whose body is escaped twice. */
export const FRAME_BYTES_MAX = 262_144;

export const callMcp = endpoint({
  method: "POST",
  path: "/mcp",
  summary: "Model Context Protocol (streamable HTTP, stateless): the tools of docs/mcp.md",
  description:
    "One JSON-RPC message in, one JSON response out. Send a login JWT or the agent's permanent token as `Authorization: Bearer`. Without it, a client can list the tools, register an agent and buy scans by x402.",
  stores: "nothing",
  auth: "none",
  surface: "wallet",
  response: { contentType: "application/json" },
  errors: {
    invalid_request,
    invalid_json,
    body_too_large,
    unsupported_media_type,
    origin_not_allowed,
    missing_bearer,
    invalid_or_expired_jwt,
    wrong_token_type,
    agent_not_found,
  },
});

/** RFC 9728. It names no authorization server, because tokens come from POST /register. */
export const protectedResource = endpoint({
  method: "GET",
  path: "/.well-known/oauth-protected-resource",
  summary: "Metadata of the MCP endpoint for OAuth clients (RFC 9728)",
  description:
    "Clients of MCP read it after a 401. There is no authorization server: the token is the one of `POST /register`.",
  auth: "none",
  surface: "identity",
  response: z.object({
    resource: z.url(),
    resource_name: z.string(),
    bearer_methods_supported: z.array(z.literal("header")),
    resource_documentation: z.url(),
  }),
  errors: {},
  example: {
    responses: {
      200: {
        resource: `${sample.ORIGIN}/mcp`,
        resource_name: "Tessera agent wallet",
        bearer_methods_supported: ["header"],
        resource_documentation: `${sample.ORIGIN}/docs/mcp`,
      },
    },
  },
});

/** `WWW-Authenticate` of a 401 (RFC 6750 section 3, RFC 9728 section 5.1). */
export const challenge = (baseUrl: string) =>
  `Bearer error="invalid_token", resource_metadata="${baseUrl}${protectedResource.path}/mcp"`;

export const toProtectedResource = (baseUrl: string): z.output<typeof protectedResource.response> => ({
  resource: `${baseUrl}/mcp`,
  resource_name: "Tessera agent wallet",
  bearer_methods_supported: ["header"],
  resource_documentation: `${baseUrl}/docs/mcp`,
});

import { z } from "zod";
import { endpoint } from "@/lib/core/endpoint";
import type { AppError } from "@/lib/core/errors";
import { edgeErrors } from "@/lib/http/errors";
import { identityErrors } from "@/lib/identity/errors";
import { params } from "@/lib/links/contract";
import { linkErrors } from "@/lib/links/errors";
import { SCOPE } from "@/lib/oauth/rules";
import * as sample from "@/lib/samples";

const { invalid_request, invalid_json, body_too_large, unsupported_media_type, origin_not_allowed } = edgeErrors.table;
const { missing_bearer } = identityErrors.table;

/** Large enough for a transaction scan whose body is escaped twice. */
export const FRAME_BYTES_MAX = 262_144;

const PATH = "/mcp";
const SIGNED_IN_PATH = "/mcp/oauth";

export const callMcp = endpoint({
  method: "POST",
  path: PATH,
  summary: "Model Context Protocol (streamable HTTP, stateless): the tools of docs/mcp.md",
  description:
    "One JSON-RPC message in, one JSON response out; in protocol version 2025-03-26 also a batch of up to 20. Send a login JWT or the agent's permanent token as `Authorization: Bearer`. Without it, a client can list the tools, register an agent and buy scans by x402.",
  stores: "nothing",
  auth: "host",
  surface: "wallet",
  forBrowsers: true,
  challenge: (baseUrl, error) => challenge(baseUrl, PATH, error),
  response: { contentType: "application/json" },
  errors: {
    invalid_request,
    invalid_json,
    body_too_large,
    unsupported_media_type,
    origin_not_allowed,
  },
});

export const callMcpSignedIn = endpoint({
  ...callMcp,
  path: SIGNED_IN_PATH,
  summary: "The same for hosts that connect by OAuth only: a request without a token is answered 401",
  description:
    "Claude, ChatGPT and others begin to sign in only after a 401 that names the metadata (RFC 9728). `/mcp` takes the same tokens, but lets a client without one list the tools.",
  challenge: (baseUrl, error) => challenge(baseUrl, SIGNED_IN_PATH, error),
  errors: { ...callMcp.errors, missing_bearer },
});

export const callSoldTools = endpoint({
  method: "POST",
  path: "/mcp/{linkId}",
  summary:
    "Model Context Protocol (streamable HTTP, stateless): the tools of a seller's MCP server, each call for its price",
  description:
    'Of a link whose `upstream` is an MCP server. One JSON-RPC message in, one JSON response out, without signing in. `tools/list` has the tools that are sold, as the server lists them, with the price of a call in each description. `tools/call` is sold as x402 over MCP: a call without a payment returns the price as a tool error (`structuredContent`, and `_meta["x402/error"]`), and a call with the proof in `_meta["x402/payment"]`, as an object or as base64, the tool\'s result with `_meta["x402/payment-response"]`. Each call is a `POST /paid/{linkId}/{tool}` with the arguments as its body, and has its rules: a call that failed after the payment is repeated with the same arguments and the same proof. `Authorization: Bearer pass_…` uses a pass of the link. There are no resources, prompts, sampling, elicitation and batches.',
  stores: "nothing",
  work: 20,
  auth: "none",
  surface: "resource",
  forBrowsers: true,
  params,
  response: { contentType: "application/json" },
  errors: {
    LINK_NOT_FOUND: linkErrors.table.LINK_NOT_FOUND,
    invalid_request,
    invalid_json,
    body_too_large,
    unsupported_media_type,
    origin_not_allowed,
  },
});

/** RFC 9728. Agents have tokens of `POST /register`; apps get theirs from the authorization server. */
export const protectedResource = endpoint({
  method: "GET",
  path: "/.well-known/oauth-protected-resource",
  summary: "Metadata of the MCP endpoint for OAuth clients (RFC 9728)",
  description:
    "Clients of MCP read it after a 401. Agents can also send the token of `POST /register`, without the authorization server.",
  auth: "none",
  surface: "identity",
  forBrowsers: true,
  response: z.object({
    resource: z.url(),
    resource_name: z.string(),
    authorization_servers: z.array(z.url()),
    scopes_supported: z.array(z.string()),
    bearer_methods_supported: z.array(z.literal("header")),
    resource_documentation: z.url(),
  }),
  errors: {},
  example: { responses: { 200: toProtectedResource(sample.ORIGIN) } },
});

/** The endpoint that a client uses. Some clients refuse metadata that names another one (RFC 9728, section 3.3). */
type Resource = typeof callMcp | typeof callMcpSignedIn;

/** `WWW-Authenticate` of a 401 (RFC 6750 section 3, RFC 9728 section 5.1). A request without a token gets no `error`. */
function challenge(baseUrl: string, path: string, { code, message }: AppError): string {
  const metadata = `resource_metadata="${baseUrl}${protectedResource.path}${path}"`;
  if (code === "missing_bearer") return `Bearer ${metadata}`;
  return `Bearer error="invalid_token", error_description="${message.replace(/[^\x20-\x7e]|["\\]/g, "")}", ${metadata}`;
}

export function toProtectedResource(baseUrl: string, { path }: Pick<Resource, "path"> = callMcp) {
  return {
    resource: `${baseUrl}${path}`,
    resource_name: "Tessera agent wallet",
    authorization_servers: [baseUrl],
    scopes_supported: [SCOPE],
    bearer_methods_supported: ["header" as const],
    resource_documentation: `${baseUrl}/docs/mcp`,
  };
}

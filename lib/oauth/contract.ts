import { z } from "zod";
import { agentErrors } from "@/lib/agents/errors";
import { confirmErrors, withSignature } from "@/lib/confirmations/contract";
import { endpoint } from "@/lib/core/endpoint";
import { agentId, anyIdText } from "@/lib/core/id-text";
import type { ConnectionId } from "@/lib/core/ids";
import { shownName } from "@/lib/core/shown";
import { unixSeconds } from "@/lib/core/time";
import { isoDate } from "@/lib/core/time-text";
import { edgeErrors } from "@/lib/http/errors";
import * as sample from "@/lib/samples";
import { oauthErrors } from "./errors";
import { ACCESS_SECONDS, issuedTokens, type MetadataProblem, protocolError, SCOPE } from "./rules";
import type { App, OpenConnection } from "./service";

/** The page on which an owner connects an app. */
export const AUTHORIZATION_PATH = "/oauth/authorize";

/** Of a form or of metadata. */
export const FORM_BYTES_MAX = 16_384;

const { body_too_large, invalid_request, rate_limited } = edgeErrors.table;

const serverMetadata = z.object({
  issuer: z.url(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  registration_endpoint: z.url(),
  revocation_endpoint: z.url(),
  scopes_supported: z.array(z.string()),
  response_types_supported: z.array(z.literal("code")),
  response_modes_supported: z.array(z.literal("query")),
  grant_types_supported: z.array(z.enum(["authorization_code", "refresh_token"])),
  token_endpoint_auth_methods_supported: z.array(z.literal("none")),
  revocation_endpoint_auth_methods_supported: z.array(z.literal("none")),
  code_challenge_methods_supported: z.array(z.literal("S256")),
  authorization_response_iss_parameter_supported: z.literal(true),
  client_id_metadata_document_supported: z.literal(true),
  service_documentation: z.url(),
});

export const authorizationServer = endpoint({
  method: "GET",
  path: "/.well-known/oauth-authorization-server",
  summary: "Metadata of the authorization server for /mcp (RFC 8414)",
  description:
    "For hosts that connect to tools by OAuth. Apps are public clients: they use PKCE with S256 and have no secret.",
  auth: "none",
  surface: "identity",
  forBrowsers: true,
  response: serverMetadata,
  errors: {},
  example: { responses: { 200: toServerMetadata(sample.ORIGIN) } },
});

export function toServerMetadata(baseUrl: string): z.output<typeof serverMetadata> {
  return {
    issuer: baseUrl,
    authorization_endpoint: `${baseUrl}${AUTHORIZATION_PATH}`,
    token_endpoint: `${baseUrl}/oauth/token`,
    registration_endpoint: `${baseUrl}/oauth/register`,
    revocation_endpoint: `${baseUrl}/oauth/revoke`,
    scopes_supported: [SCOPE],
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    token_endpoint_auth_methods_supported: ["none"],
    revocation_endpoint_auth_methods_supported: ["none"],
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    service_documentation: `${baseUrl}/docs/mcp`,
  };
}

const PROBLEMS: Record<MetadataProblem, string> = {
  invalid_redirect_uri:
    "redirect_uris must have 1 to 10 URIs: https, http on localhost, or a program's own scheme, without a fragment and without credentials",
  invalid_client_metadata: "The metadata must be a JSON object; client_name is a text of at most 2,000 characters",
};

export const toMetadataError = (problem: MetadataProblem) => ({ error: problem, error_description: PROBLEMS[problem] });

export const toAppResponse = ({ id, name, redirectUris, createdAt }: App) => ({
  client_id: id,
  client_id_issued_at: unixSeconds(createdAt),
  client_name: name,
  redirect_uris: [...redirectUris],
  grant_types: ["authorization_code", "refresh_token"],
  response_types: ["code"],
  token_endpoint_auth_method: "none" as const,
});

const REDIRECT_URI = "https://app.example/callback";

export const registerApp = endpoint({
  method: "POST",
  path: "/oauth/register",
  summary: "Register an app that connects by OAuth (RFC 7591). Agents register with POST /register",
  description:
    "Members other than `client_name` and `redirect_uris` are ignored, and every app becomes a public client. An app that no owner connects is deleted after 30 days.",
  auth: "none",
  surface: "identity",
  forBrowsers: true,
  body: z.looseObject({}),
  ignoresUnknown: "apps send all their metadata (RFC 7591, section 2)",
  bodyBytesMax: FORM_BYTES_MAX,
  limitPerAddress: "app_per_address",
  response: {
    201: z.object({
      client_id: z.string(),
      client_id_issued_at: z.int(),
      client_name: z.string(),
      redirect_uris: z.array(z.string()),
      grant_types: z.array(z.string()),
      response_types: z.array(z.string()),
      token_endpoint_auth_method: z.literal("none"),
    }),
    400: protocolError,
  },
  errors: { rate_limited },
  example: {
    request: { client_name: "Example app", redirect_uris: [REDIRECT_URI] },
    responses: {
      201: {
        client_id: sample.APP,
        client_id_issued_at: 1_793_610_000,
        client_name: "Example app",
        redirect_uris: [REDIRECT_URI],
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
        token_endpoint_auth_method: "none",
      },
    },
  },
});

export const exchangeToken = endpoint({
  method: "POST",
  path: "/oauth/token",
  summary: "Exchange an authorization code, or a refresh token, for an access token to /mcp",
  description:
    "The body is a form (RFC 6749, sections 4.1.3 and 6; RFC 7636). A refresh token is replaced with every answer. A second use of a code, or of a refresh token more than 30 seconds after the first, ends the connection. The access token works at /mcp only.",
  stores: "nothing",
  auth: "none",
  allowance: "login",
  surface: "identity",
  forBrowsers: true,
  response: {
    200: issuedTokens,
    400: protocolError,
    401: protocolError,
  },
  errors: { body_too_large, rate_limited },
  example: {
    responses: {
      200: {
        access_token: "oat_4kTgVbNmZ2qWeRsXcD7fHyUj",
        token_type: "Bearer",
        expires_in: ACCESS_SECONDS,
        refresh_token: "ort_9sLkJhGfDpOiUyTrE3wQaZxC",
        scope: SCOPE,
      },
    },
  },
});

export const revokeToken = endpoint({
  method: "POST",
  path: "/oauth/revoke",
  summary: "End an app's connection by one of its tokens (RFC 7009)",
  description: "The body is a form with `token`. An unknown token is answered in the same way.",
  stores: "nothing",
  auth: "none",
  allowance: "login",
  surface: "identity",
  forBrowsers: true,
  response: { 200: z.object({}), 400: protocolError },
  errors: { body_too_large, rate_limited },
  example: { responses: { 200: {} } },
});

const ok = z.literal("ok");

/** Accepts any text in the form of an id, so that an unknown id gets 404 instead of 400. */
const connectionId = z
  .custom<ConnectionId>((value) => typeof value === "string" && /^[\w.:-]{1,100}$/.test(value), "must be a con_… id")
  .meta(anyIdText);

const connectionItem = z.object({
  connectionId,
  agentId,
  agentName: z.string(),
  /** What the app called itself. Nobody checked it. */
  appName: z.string(),
  /** The host, or the kind of program, that the browser was sent back to. */
  returnsTo: z.string(),
  createdAt: isoDate,
  /** Accurate to a minute; null until the app has called a tool. */
  lastUsedAt: isoDate.nullable(),
});

export type ConnectionItem = z.output<typeof connectionItem>;

export const toConnectionItem = ({ connection, agentName }: OpenConnection): ConnectionItem => ({
  connectionId: connection.id,
  agentId: connection.agentId,
  agentName,
  appName: connection.appName,
  returnsTo: connection.returnsTo,
  createdAt: connection.createdAt,
  lastUsedAt: connection.usedAt,
});

export const listConnections = endpoint({
  method: "GET",
  path: "/api/connections",
  summary: "The apps that may act as one of the signed-in owner's agents, newest first",
  description: "Ended connections are not in it.",
  auth: "owner",
  surface: "wallet",
  response: z.object({ status: ok, connections: z.array(connectionItem) }),
  errors: {},
  example: {
    responses: {
      200: {
        ...sample.OK,
        connections: [
          {
            connectionId: sample.CONNECTION,
            agentId: sample.AGENT,
            agentName: "Research agent",
            appName: "Example app",
            returnsTo: "app.example",
            createdAt: sample.CREATED,
            lastUsedAt: null,
          },
        ],
      },
    },
  },
});

const { app_not_known, app_request_refused, too_many_connections, connection_not_found } = oauthErrors.table;
const { agent_not_found, nothing_signed_yet } = agentErrors.table;

export const connectApp = endpoint({
  method: "POST",
  path: "/api/connections",
  work: 40,
  summary: "Let an app act as one of the signed-in owner's agents. For an agent that exists, with a signature",
  description:
    "`request` is the query of the app's authorization request. Send `agentId`, or `agentName` to create an agent for the app. After 403 `signature_required` sign its `typedData` with the owner's wallet and send the same body with `signature`.",
  auth: "owner",
  surface: "wallet",
  body: z.object(
    {
      request: z.record(z.string(), z.unknown()),
      agentId: agentId.optional(),
      agentName: shownName().optional(),
      ...withSignature.shape,
    },
    { error: "must be an object" },
  ),
  response: z.object({
    status: ok,
    /** Where the browser goes next: back to the app, with a code that works for a minute. */
    redirectTo: z.string(),
  }),
  errors: {
    invalid_request,
    app_not_known,
    app_request_refused,
    too_many_connections,
    agent_not_found,
    nothing_signed_yet,
    ...confirmErrors,
  },
  example: {
    request: {
      request: {
        response_type: "code",
        client_id: sample.APP,
        redirect_uri: REDIRECT_URI,
        code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
        code_challenge_method: "S256",
      },
      agentName: "Example app",
    },
    responses: {
      200: { ...sample.OK, redirectTo: `${REDIRECT_URI}?code=oac_6hNbVcXzLkJhGfDsAqW2eRtY&iss=${sample.ORIGIN}` },
    },
  },
});

export const endConnection = endpoint({
  method: "DELETE",
  path: "/api/connections/{connectionId}",
  summary: "Disconnect an app. Its tokens stop working at once",
  description: "The agent and its mandates stay.",
  auth: "owner",
  surface: "wallet",
  params: z.object({ connectionId }),
  response: z.object({ status: ok, connectionId }),
  errors: { connection_not_found },
  example: { responses: { 200: { ...sample.OK, connectionId: sample.CONNECTION } } },
});

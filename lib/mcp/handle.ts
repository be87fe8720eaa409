import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { AppError } from "@/lib/core/errors";
import { parseJson } from "@/lib/core/json";
import { jsonOf, readText } from "@/lib/http/body";
import { bearerToken } from "@/lib/http/credentials";
import { edgeErrors } from "@/lib/http/errors";
import * as identity from "@/lib/identity/service";
import type { Agent, Anonymous, Ctx } from "@/lib/platform/context";
import { takeTurn } from "@/lib/platform/limiter";
import { createApi, type Handlers } from "./api";
import { FRAME_BYTES_MAX, metadataUrl } from "./contract";
import { serverFor } from "./server";
import type { Session } from "./tool";

/**
 * Answers one request to /mcp. Stateless: each request has its own server, and every response is one JSON body. Throws
 * edge errors for requests that are no single JSON-RPC message.
 */
export async function handle(ctx: Ctx<Anonymous>, req: Request, handlers: Handlers): Promise<Response> {
  // A page of another site could otherwise reach a service on the reader's own network (DNS rebinding).
  const origin = req.headers.get("origin");
  if (origin !== null && origin !== new URL(ctx.config.baseUrl).origin) throw edgeErrors.origin_not_allowed();
  const message = jsonOf(await readText(req, FRAME_BYTES_MAX), parseJson);
  if (Array.isArray(message)) throw edgeErrors.invalid_request({ message: "Send one JSON-RPC message, not a batch" });
  const login = await logIn(ctx, req);
  if (login === "refused") return unauthorized(ctx.config.baseUrl);
  const { agent, jwt } = login;
  if (agent) {
    const retryAfterSeconds = await takeTurn(ctx, "mcp_per_agent", agent.agentId);
    if (retryAfterSeconds !== null) throw edgeErrors.rate_limited({ retryAfterSeconds });
  }
  const api = createApi(handlers, { baseUrl: ctx.config.baseUrl, origin: req, jwt: async () => jwt });
  return answer(req, message, { system: ctx, requestId: ctx.requestId, agent, api });
}

type Login = { agent: Agent; jwt: string } | { agent: null; jwt: null };

/** Nobody without an Authorization header. `refused`: its token is not valid. */
async function logIn(ctx: Ctx, req: Request): Promise<Login | "refused"> {
  if (!req.headers.has("authorization")) return { agent: null, jwt: null };
  try {
    return await identity.logIn(ctx, bearerToken(req));
  } catch (thrown) {
    if (AppError.is(thrown) && thrown.status < 500) return "refused";
    throw thrown;
  }
}

/** RFC 6750 section 3, RFC 9728 section 5.1. */
function unauthorized(baseUrl: string): Response {
  const message =
    "The token is not valid. Send a login JWT or the agent's permanent token: Authorization: Bearer <token>";
  const body = { jsonrpc: "2.0", id: null, error: { code: -32_001, message, data: { code: "invalid_token" } } };
  const challenge = `Bearer error="invalid_token", resource_metadata="${metadataUrl(baseUrl)}"`;
  return Response.json(body, { status: 401, headers: { "WWW-Authenticate": challenge } });
}

async function answer(req: Request, parsedBody: unknown, session: Session): Promise<Response> {
  const onerror = (err: Error) => session.system.log.info({ requestId: session.requestId, err }, "mcp.refused");
  if (!(await isLegacyRequest(req, parsedBody))) {
    // A tool sends nothing before its result, so that the response is one JSON body.
    const modern = createMcpHandler(() => serverFor(session), {
      ...{ legacy: "reject", maxSubscriptions: 0, onerror },
    });
    return modern.fetch(req, { parsedBody });
  }
  // Not the SDK's own fallback, which answers with a stream that outlives the request.
  const server = serverFor(session);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  transport.onerror = onerror;
  try {
    await server.connect(transport);
    return await transport.handleRequest(req, { parsedBody });
  } finally {
    await server.close();
  }
}

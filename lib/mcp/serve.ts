import {
  createMcpHandler,
  isLegacyRequest,
  type McpServer,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { parseUrl } from "@tessera/x402/url";
import { z } from "zod";
import { isThisDevice } from "@/lib/core/ip";
import { JsonError, parseJson } from "@/lib/core/json";
import { jsonOf, readText } from "@/lib/http/body";
import { edgeErrors } from "@/lib/http/errors";
import type { Actor, Ctx } from "@/lib/platform/context";
import { respondToBatch } from "./batch";
import { FRAME_BYTES_MAX } from "./contract";

export const SERVER_VERSION = "1.0.0";

type Serving = {
  /** Handles a member of a batch; null where there are none. */
  self: ((one: Request) => Promise<Response>) | null;
  /** The MCP server of this request. May throw the errors of the endpoint. */
  openServer: () => Promise<McpServer | Server>;
};

/**
 * Handles one request to an MCP endpoint. Stateless: each request has its own server and is answered with one JSON body. Throws edge errors
 * if the body is not JSON-RPC.
 */
export async function serveMcp(ctx: Ctx<Actor>, req: Request, { self, openServer }: Serving): Promise<Response> {
  const origin = req.headers.get("origin");
  if (origin !== null && !isOriginAllowed(origin, ctx.config.baseUrl)) throw edgeErrors.origin_not_allowed();
  const message = jsonOf(await readText(req, FRAME_BYTES_MAX), parseJson);
  if (Array.isArray(message)) {
    if (!self) throw edgeErrors.invalid_request({ message: "Send one JSON-RPC message, not a batch" });
    return respondToBatch(req, message, self);
  }
  if (!rpcMessage.safeParse(message).success)
    throw edgeErrors.invalid_request({ message: "Send a JSON-RPC 2.0 message" });
  const onerror = (err: Error) => ctx.log.info({ requestId: ctx.requestId, err }, "mcp.refused");
  return respond(withAccept(req), withReadableArguments(message), await openServer(), onerror);
}

/**
 * Whether a page of this origin may call /mcp. By its name and certificate a service on the internet cannot be reached as another site
 * (DNS rebinding), and it reads no cookie here. One without TLS answers only its own pages and those of programs on the reader's machine.
 * Why: docs/decisions.md, 190.
 */
function isOriginAllowed(origin: string, baseUrl: string): boolean {
  const service = new URL(baseUrl);
  if (service.protocol === "https:" || origin === service.origin) return true;
  const url = parseUrl(origin);
  return url !== null && isThisDevice(url);
}

/**
 * The protocol wants two types in Accept, and its SDK refuses a request that lacks one. Gemini CLI, the Java SDK, Open WebUI and curl
 * send less. Every answer is JSON, whatever a client prefers.
 */
function withAccept(req: Request): Request {
  const headers = new Headers(req.headers);
  headers.set("accept", "application/json, text/event-stream");
  // The body was read already.
  return new Request(req.url, { method: req.method, headers });
}

const toolCall = z.looseObject({
  method: z.literal("tools/call"),
  params: z.looseObject({ arguments: z.union([z.null(), z.string()]) }),
});

/** Some models send a tool's arguments as null, or as JSON text. A text that is no JSON stays, and the tool refuses it. */
function withReadableArguments(message: unknown): unknown {
  const result = toolCall.safeParse(message);
  if (!result.success) return message;
  const { params, ...rest } = result.data;
  return { ...rest, params: { ...params, arguments: readArguments(params.arguments) } };
}

function readArguments(value: string | null): unknown {
  if (value === null || value.trim() === "") return {};
  try {
    return parseJson(value) ?? {};
  } catch (error) {
    if (error instanceof JsonError) return value;
    throw error;
  }
}

const rpcMessage = z.union([
  z.looseObject({ jsonrpc: z.literal("2.0"), method: z.string() }),
  // A client's response to a server request.
  z.looseObject({ jsonrpc: z.literal("2.0"), id: z.union([z.string(), z.number()]), result: z.unknown() }),
]);

async function respond(
  req: Request,
  parsedBody: unknown,
  server: McpServer | Server,
  onerror: (err: Error) => void,
): Promise<Response> {
  if (!(await isLegacyRequest(req, parsedBody))) {
    // Tools send nothing before their result, so one JSON body is enough.
    const modern = createMcpHandler(() => server, { legacy: "reject", maxSubscriptions: 0, onerror });
    return modern.fetch(req, { parsedBody });
  }
  // Not the SDK's own fallback, which responds with a stream that outlives the request.
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  transport.onerror = onerror;
  try {
    await server.connect(transport);
    return await transport.handleRequest(req, { parsedBody });
  } finally {
    await server.close();
  }
}

import type {
  CallToolResult,
  InputRequiredResult,
  McpServer,
  ServerContext,
  StandardSchemaWithJSON,
} from "@modelcontextprotocol/server";
import { CLIENT_CAPABILITIES_META_KEY, inputRequired } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Endpoint } from "@/lib/core/endpoint";
import { refuseLogin } from "@/lib/identity/errors";
import type { Agent, Ctx, System } from "@/lib/platform/context";
import type { Send } from "@/lib/platform/outbound";
import type { Api, Call } from "./api";
import { type Arguments, endpointArguments, type Narrowing, ownArguments } from "./arguments";
import { toFailure, toResult } from "./results";

/** One request to /mcp. `agent` is null without credentials. */
export type Session = {
  system: System;
  requestId: string;
  agent: Agent | null;
  api: Api;
  /** The client's address, for rate limits. */
  caller: string;
  /** Handles payments to URLs of this service. */
  sendHere: Send;
  /** Aborts when the client disconnects: how a stateless server learns that a call was cancelled. */
  signal: AbortSignal;
};

export type ToolCall = {
  /** A member of the request's `_meta`. */
  meta: (name: string) => unknown;
  /** The `state` passed to `askPerson`, after the person opened the URL. Untrusted: the client can change it. */
  state: string | null;
  /** Whether the client can open URLs for the person (URL elicitation, protocol 2026-07-28). */
  opensUrls: boolean;
};

/** A complete tool result. A class, so that it cannot be confused with an object of any shape. */
export class Custom {
  constructor(readonly result: CallToolResult | InputRequiredResult) {}
}

export type Tool = {
  name: string;
  input: Arguments<unknown>;
  /** The endpoint, for a tool that only calls one. */
  endpoint: Endpoint | null;
  register: (server: McpServer, session: Session) => void;
};

type Shown = {
  title: string;
  /** A function if it depends on configuration, such as prices. */
  description: string | ((system: System) => string);
  /** The tool changes nothing. */
  readOnly?: boolean;
  /** The tool connects to other servers. */
  openWorld?: boolean;
};

type Run<S, T> = (session: S, input: T, call: ToolCall) => Promise<object>;

/** A tool with any arguments. */
export function createTool<T>(name: string, metadata: Shown, input: Arguments<T>, run: Run<Session, T>): Tool {
  const { title, description, readOnly = false, openWorld = false } = metadata;
  const annotations = { readOnlyHint: readOnly, destructiveHint: false, openWorldHint: openWorld };
  const inputSchema = anyArguments(input);
  const register: Tool["register"] = (server, session) => {
    const text = typeof description === "string" ? description : description(session.system);
    server.registerTool(name, { title, description: text, inputSchema, annotations }, async (args, ctx) => {
      try {
        const value = await run(session, input.parse(args), callOf(ctx));
        return value instanceof Custom ? value.result : toResult(value);
      } catch (cause) {
        const { result, error } = toFailure(cause);
        const line = { requestId: session.requestId, tool: name, code: error.code };
        if (error.kind === "internal")
          session.system.log.error({ ...line, err: error.cause ?? error }, "mcp.tool_failed");
        return result;
      }
    });
  };
  return { name, input, endpoint: null, register };
}

/** The schema for the MCP server. It accepts everything, because the tool parses its arguments and returns a tool error. */
const anyArguments = ({ schema }: Arguments<unknown>): StandardSchemaWithJSON<unknown, unknown> => ({
  "~standard": {
    version: 1,
    vendor: "tessera",
    validate: (value) => ({ value }),
    jsonSchema: { input: schema, output: schema },
  },
});

type Definition<S extends z.ZodObject> = Shown & { input: S };

/** A tool that needs no credentials. */
export const openTool = <S extends z.ZodObject>(
  name: string,
  { input, ...metadata }: Definition<S>,
  run: Run<Session, z.output<S>>,
): Tool => createTool(name, metadata, ownArguments(input), run);

export type AgentSession = Session & { ctx: Ctx<Agent> };

/** Throws missing_bearer without an agent. */
export function agentSession(session: Session): AgentSession {
  const { system, requestId, caller, agent } = session;
  if (!agent) throw refuseLogin("missing_bearer");
  return { ...session, ctx: { ...system, requestId, caller, actor: agent } };
}

const forAgents =
  <T>(run: Run<AgentSession, T>): Run<Session, T> =>
  async (session, input, call) =>
    run(agentSession(session), input, call);

/** A tool for registered agents. */
export const tool = <S extends z.ZodObject>(
  name: string,
  { input, ...metadata }: Definition<S>,
  run: Run<AgentSession, z.output<S>>,
): Tool => createTool(name, metadata, ownArguments(input), forAgents(run));

type Body = Record<string, unknown>;

type EndpointTool = Narrowing & {
  title: string;
  description: string;
  /** Reduces the response to what a model needs. Default: the whole response. */
  toValue?: (body: Body) => object;
  /** Sends a person to a URL to decide. `state`: the id that `readBy` uses to read the result afterwards. */
  person?: {
    request: (body: Body, input: Call) => { url: string; message: string; state: string } | null;
    readBy?: { endpoint: Endpoint; param: string };
  };
};

/** A tool that calls one endpoint, with the endpoint's arguments. */
export function endpointTool(name: string, endpoint: Endpoint, definition: EndpointTool): Tool {
  const { title, description, toValue = (body) => body, person, ...narrowing } = definition;
  const run: Run<Session, Call> = async ({ api }, input, call) => {
    if (person?.readBy && call.state !== null) {
      const { endpoint: reading, param } = person.readBy;
      return toValue((await api.call(reading, { params: { [param]: call.state } })).body);
    }
    const { body } = await api.call(endpoint, input);
    const value = toValue(body);
    // The person is asked only once; after that, the URL is returned as text.
    const request = call.state === null ? person?.request(body, input) : null;
    return request ? askPerson(call, value, request) : value;
  };
  const metadata = { title, description, readOnly: endpoint.method === "GET" };
  const isForAgents = endpoint.auth === "agent";
  const input = endpointArguments(endpoint, narrowing);
  return { ...createTool(name, metadata, input, isForAgents ? forAgents(run) : run), endpoint };
}

const capabilities = z.object({ elicitation: z.object({ url: z.object({}) }) });

function callOf({ mcpReq }: ServerContext): ToolCall {
  const state: unknown = mcpReq.requestState();
  const envelope: Record<string, unknown> = { ...mcpReq.envelope };
  return {
    meta: (name) => mcpReq._meta?.[name],
    state: typeof state === "string" && state.length <= 200 ? state : null,
    opensUrls: capabilities.safeParse(envelope[CLIENT_CAPABILITIES_META_KEY]).success,
  };
}

/**
 * Asks the client to open a URL; the client then calls the tool again with `state`. If it cannot open URLs, returns `value`, which
 * contains the URL.
 */
export const askPerson = (
  { opensUrls }: ToolCall,
  value: object,
  { url, message, state }: { url: string; message: string; state: string },
): object | Custom =>
  opensUrls
    ? new Custom(
        inputRequired({
          inputRequests: { open: inputRequired.elicitUrl({ url, message }) },
          requestState: state,
        }),
      )
    : value;

const ATOMIC = 'must be a string of atomic USDC, without a decimal point: "1000000" is 1.00 USDC';

/** HTTP methods that can be paid for. */
export const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

/** Atomic USDC as a tool argument. */
export const amountText = z
  .string({ error: ATOMIC })
  .regex(/^[1-9]\d{0,28}$/, ATOMIC)
  .describe("Atomic USDC: 1000000 is 1.00 USDC");
export const idText = (description: string) => z.string().min(1).max(100).describe(description);

import type { CallToolResult, InputRequiredResult, McpServer, ServerContext } from "@modelcontextprotocol/server";
import { CLIENT_CAPABILITIES_META_KEY, inputRequired } from "@modelcontextprotocol/server";
import { z } from "zod";
import { refuseLogin } from "@/lib/identity/errors";
import type { Agent, Ctx, System } from "@/lib/platform/context";
import type { Send } from "@/lib/platform/outbound";
import type { Api } from "./api";
import { advertised, parseArguments } from "./arguments";
import { toFailure, toResult } from "./results";

/** One request to /mcp. `agent`: null without credentials. */
export type Session = {
  system: System;
  requestId: string;
  agent: Agent | null;
  api: Api;
  /** The client's address, as requests are counted. */
  caller: string;
  /** Answers URLs of this service that agents pay. */
  sendHere: Send;
};

/** One call of a tool. */
export type ToolCall = {
  /** Value of a member of the request's `_meta`. */
  meta: (name: string) => unknown;
  /** After the person opened a URL: the state that was given to `askPerson`. The client can change it. */
  state: string | null;
  /** Whether the client opens URLs for the person (URL elicitation of protocol 2026-07-28). */
  opensUrls: boolean;
};

/** A result that is not only an object. */
export type Custom = { custom: CallToolResult | InputRequiredResult };
const isCustom = (value: object): value is Custom => "custom" in value;

export type Tool = { name: string; register: (server: McpServer, session: Session) => void };

type Definition<S extends z.ZodObject> = {
  title: string;
  /** With the system for what the operator configures, such as prices. */
  description: string | ((system: System) => string);
  input: S;
  /** It changes nothing. */
  readOnly?: boolean;
  /** It talks to servers other than this one. */
  openWorld?: boolean;
};

/** A tool that anybody may call. */
export const openTool = <S extends z.ZodObject>(
  name: string,
  { title, description, input, readOnly = false, openWorld = false }: Definition<S>,
  run: (session: Session, input: z.output<S>, call: ToolCall) => Promise<object>,
): Tool => ({
  name,
  register: (server, session) => {
    const annotations = { readOnlyHint: readOnly, destructiveHint: false, openWorldHint: openWorld };
    const shown = typeof description === "string" ? description : description(session.system);
    const config = { title, description: shown, inputSchema: advertised(input), annotations };
    server.registerTool(name, config, async (args, ctx) => {
      try {
        const value = await run(session, parseArguments(input, args), callOf(ctx));
        return isCustom(value) ? value.custom : toResult(value);
      } catch (thrown) {
        const { result, error } = toFailure(thrown);
        const line = { requestId: session.requestId, tool: name, code: error.code };
        if (error.kind === "internal") session.system.log.error({ ...line, err: error.cause ?? error }, "mcp.tool");
        return result;
      }
    });
  },
});

export type AgentSession = Session & { ctx: Ctx<Agent> };

/** A tool for registered agents. */
export const tool = <S extends z.ZodObject>(
  name: string,
  definition: Definition<S>,
  run: (session: AgentSession, input: z.output<S>, call: ToolCall) => Promise<object>,
): Tool =>
  openTool(name, definition, async (session, input, call) => {
    const { system, requestId, caller, agent } = session;
    if (!agent) throw refuseLogin("missing_bearer");
    return run({ ...session, ctx: { ...system, requestId, caller, actor: agent } }, input, call);
  });

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
 * Has the person open a URL, where the client supports it; the tool is then called again with `state`. Otherwise returns
 * `value`, which contains the URL.
 */
export const askPerson = (
  { opensUrls }: ToolCall,
  value: object,
  { url, message, state }: { url: string; message: string; state: string },
): object | Custom =>
  opensUrls
    ? {
        custom: inputRequired({
          inputRequests: { open: inputRequired.elicitUrl({ url, message }) },
          requestState: state,
        }),
      }
    : value;

const ATOMIC = 'must be a string of atomic USDC, without a decimal point: "1000000" is 1.00 USDC';

/** Methods of requests that can be paid. */
export const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

/** Atomic USDC as tools take it. */
export const amountText = z
  .string({ error: ATOMIC })
  .regex(/^[1-9]\d{0,28}$/, ATOMIC)
  .describe("Atomic USDC: 1000000 is 1.00 USDC");
export const idText = (what: string) => z.string().min(1).max(100).describe(what);
export const keyText = z
  .string()
  .regex(/^[\x21-\x7e]{1,200}$/)
  .describe("Your name for this operation. The same key never does it twice");
export const pageFields = {
  limit: z.int().min(1).max(50).optional().describe("Default 20"),
  cursor: z.string().max(200).optional().describe("nextCursor of the page before"),
};

/** The query of an endpoint for `pageFields`. */
export const pageQuery = ({ limit, cursor }: { limit?: number | undefined; cursor?: string | undefined }) => ({
  ...(limit !== undefined && { limit: String(limit) }),
  cursor,
});

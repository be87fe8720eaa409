import type { Fields } from "@/lib/core/record";
import type { Send } from "@/lib/platform/outbound";
import { type Failed, failed, failedByHead } from "../ended";
import type { Upstream } from "../rules";
import { createReplyReader } from "./replies";

/** The newest version with sessions that every server of today speaks. A server that has only others says which. */
const PROTOCOL_VERSION = "2025-06-18";
/** What a server may name as its version and its session: they become headers. */
const VERSION = /^[\w.-]{1,40}$/;
const SESSION_ID = /^[\x21-\x7e]{1,1000}$/;

export type ServerAt = Pick<Upstream, "url" | "secondsMax">;
type Answer = { type: "result"; result: Fields; headers: Readonly<Record<string, string>> };

/** An open session. `ask` sends one request. `close` tells the server that it is over, and does not wait. */
export type Session = {
  type: "open";
  ask: (method: string, params: object, headers?: Readonly<Record<string, string>>) => Promise<Answer | Failed>;
  close: () => void;
};

/**
 * Begins a session with an MCP server over Streamable HTTP. Nothing in it waits longer than the server's `secondsMax` in all. Each call has
 * a session of its own: what a server remembers of one buyer must not reach another one. A JSON-RPC error is a failure, and so is each
 * response that is none of the protocol.
 */
export async function openSession(
  send: Send,
  { url, secondsMax }: ServerAt,
  headers: Readonly<Record<string, string>>,
  signal?: AbortSignal,
): Promise<Session | Failed> {
  const endsAt = performance.now() + secondsMax * 1_000;
  let lastId = 0;
  let ofSession: Record<string, string> = {};

  function post(
    message: object,
    { headers: more, ...options }: Partial<Pick<Parameters<Send>[1], "headers" | "signal" | "watch">> = {},
  ): ReturnType<Send> {
    return send(new URL(url), {
      method: "POST",
      headers: {
        ...headers,
        ...more,
        ...ofSession,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "accept-encoding": "identity",
      },
      body: JSON.stringify({ jsonrpc: "2.0", ...message }),
      msMax: Math.max(1, Math.ceil(endsAt - performance.now())),
      signal,
      ...options,
    });
  }

  const ask: Session["ask"] = async (method, params, more = {}) => {
    lastId += 1;
    // Some servers keep the stream of a response open after it.
    const found = new AbortController();
    const reader = createReplyReader(lastId, () => found.abort());
    const reply = await post(
      { id: lastId, method, params },
      { headers: more, signal: signal ? AbortSignal.any([signal, found.signal]) : found.signal, watch: reader.watch },
    );
    if (!reply.isAnswered) return failed(reply.why === "timeout" ? "timeout" : "unreachable");
    const refused = failedByHead(reply.status, reply.headers);
    if (refused) return refused;
    const response = reader.end(reply.bytes);
    if (response?.type === "result") return { ...response, headers: reply.headers };
    if (response === null && reply.end === "too_large") return failed("too_large", reply.status);
    if (response === null && reply.end === "broken")
      return failed(reply.isLate ? "timeout" : "incomplete", reply.status);
    return failed("error", reply.status);
  };

  function close(): void {
    if (ofSession["mcp-session-id"] === undefined) return;
    // Best effort: a server forgets its sessions by itself, too.
    void send(new URL(url), { method: "DELETE", headers: { ...headers, ...ofSession } });
  }

  const clientInfo = { name: "tessera", version: "1.0.0" };
  const begun = await ask("initialize", { protocolVersion: PROTOCOL_VERSION, capabilities: {}, clientInfo });
  if (begun.type === "failed") return begun;
  const { protocolVersion } = begun.result;
  const sessionId = begun.headers["mcp-session-id"];
  if (typeof protocolVersion !== "string" || !VERSION.test(protocolVersion)) return failed("error", 200);
  if (sessionId !== undefined && !SESSION_ID.test(sessionId)) return failed("error", 200);
  ofSession = {
    "mcp-protocol-version": protocolVersion,
    ...(sessionId !== undefined && { "mcp-session-id": sessionId }),
  };
  const told = await post({ method: "notifications/initialized" });
  const refused = told.isAnswered ? failedByHead(told.status, told.headers) : null;
  if (refused) {
    close();
    return refused;
  }
  return { type: "open", ask, close };
}

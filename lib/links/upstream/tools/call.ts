import { type CallToolResult, isCallToolResult } from "@modelcontextprotocol/server";
import type { Send } from "@/lib/platform/outbound";
import { requiredIn } from "@/lib/x402/required";
import { type Ended, failed } from "../ended";
import { hasSecret, type PaidRequest } from "../rules";
import { argumentsIn, toolAt } from "./rules";
import { openSession, type ServerAt } from "./session";

/**
 * Calls a tool of an MCP server, in a session of its own. The answer is the tool's result as JSON, also one with `isError`: the tool said so.
 * `hidden`: the seller's secrets, which an answer must not have. Throws invalid_json.
 */
export async function callTool(
  send: Send,
  server: ServerAt,
  request: Pick<PaidRequest, "path" | "body">,
  headers: Readonly<Record<string, string>>,
  { hidden, signal }: { hidden: readonly Buffer[]; signal: AbortSignal | undefined },
): Promise<Ended> {
  const params = { name: toolAt(request.path), arguments: argumentsIn(request) };
  const session = await openSession(send, server, headers, signal);
  if (session.type === "failed") return session;
  const answer = await session.ask("tools/call", params);
  session.close();
  if (answer.type === "failed") return answer;
  if (!isCallToolResult(answer.result)) return failed("error", 200);
  if (statesPrice(answer.result)) return failed("refused_us", 200);
  const bytes = Buffer.from(JSON.stringify(answer.result));
  if (hasSecret(bytes, hidden)) return failed("secret", 200);
  return { type: "answered", answer: { status: 200, headers: { "content-type": "application/json" }, bytes } };
}

/** Whether the server wants a payment of its own (x402 transports-v2/mcp.md): the buyer has paid here, and must not pay there. */
function statesPrice({ isError, structuredContent, content: [first], _meta }: CallToolResult): boolean {
  if (isError !== true) return false;
  const stated = [_meta?.["x402/error"], structuredContent].map((value) => JSON.stringify(value ?? null));
  const texts = first?.type === "text" ? [...stated, first.text] : stated;
  return texts.some((text) => requiredIn({ headers: {}, bytes: Buffer.from(text) }) !== null);
}

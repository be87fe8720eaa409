import { type CallToolResult, isCallToolResult } from "@modelcontextprotocol/server";
import { findToolPrice } from "@tessera/x402/tool-price";
import type { Send } from "@/lib/platform/outbound";
import { COST_META } from "../../passes/limits";
import { type Ended, failed } from "../ended";
import { hasSecret, type PaidRequest, toCost } from "../rules";
import { toolAt } from "./names";
import { argumentsIn } from "./rules";
import { openSession, type ServerAt } from "./session";

/**
 * Calls a tool of an MCP server, in a session of its own. The answer is the tool's result as JSON, also one with `isError`: the tool said so.
 * A price is none: the buyer has paid here, and must not pay there. `hidden`: the seller's secrets, which an answer must not have. Throws
 * invalid_json.
 */
export async function callTool(
  send: Send,
  server: ServerAt,
  request: Pick<PaidRequest, "path" | "body">,
  { "idempotency-key": key, ...headers }: Readonly<Record<string, string>>,
  { hidden, signal }: { hidden: readonly Buffer[]; signal: AbortSignal | undefined },
): Promise<Ended> {
  const params = { name: toolAt(request.path), arguments: argumentsIn(request) };
  const session = await openSession(send, server, headers, signal);
  if (session.type === "failed") return session;
  // The key names the call alone: a server that knows it must not take the call for the first request of the session.
  const answer = await session.ask("tools/call", params, key === undefined ? {} : { "idempotency-key": key });
  session.close();
  if (answer.type === "failed") return answer;
  if (!isCallToolResult(answer.result)) return failed("error", 200);
  if (findToolPrice(answer.result)) return failed("refused_us", 200);
  const bytes = Buffer.from(JSON.stringify(withoutPayment(answer.result)));
  if (hasSecret(bytes, hidden)) return failed("secret", 200);
  const cost = toCost(answer.result._meta?.[COST_META]);
  return { type: "answered", answer: { status: 200, headers: { "content-type": "application/json" }, bytes }, cost };
}

/** Without what the server says of payments in `_meta`: a buyer's client would take it for what this service says. */
function withoutPayment({ _meta, ...result }: CallToolResult): CallToolResult {
  if (_meta === undefined) return result;
  const others = Object.entries(_meta).filter(([name]) => !name.startsWith("x402/"));
  return { ...result, _meta: Object.fromEntries(others) };
}

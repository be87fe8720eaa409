import { isCallToolResult, isSpecType } from "@modelcontextprotocol/server";
import { findToolPrice } from "@tessera/x402/tool-price";
import { type Fields, isRecord } from "@/lib/core/record";
import type { Send } from "@/lib/platform/outbound";
import { COST_META } from "../../passes/limits";
import { type Ended, failed } from "../ended";
import { hasSecret, type PaidRequest, toCost } from "../rules";
import { toolAt } from "./names";
import { argumentsIn, isCheckable } from "./rules";
import { openSession, type ServerAt } from "./session";

/**
 * Calls a tool of an MCP server, in a session of its own. The answer is the tool's result as JSON, also one with `isError`: the tool said so.
 * A price is none: the buyer has paid here, and must not pay there. Other members of the result stay here: a newer client would open URLs of
 * `inputRequests`, and call again. `hidden`: the seller's secrets, which an answer must not have. Throws invalid_json.
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
  const { content, structuredContent, isError, _meta } = answer.result;
  const result = { content, structuredContent, isError, _meta: isRecord(_meta) ? toBuyersMeta(_meta) : undefined };
  if (!isContent(content) || !isCallToolResult(result)) return failed("error", 200);
  // As the server said it: its price may be in what the buyer does not get.
  if (findToolPrice(answer.result)) return failed("refused_us", 200);
  const bytes = Buffer.from(JSON.stringify(result));
  if (hasSecret(bytes, hidden)) return failed("secret", 200);
  const cost = isRecord(_meta) ? toCost(_meta[COST_META]) : null;
  return { type: "answered", answer: { status: 200, headers: { "content-type": "application/json" }, bytes }, cost };
}

const BLOCK_VALUES_MAX = 1_000;

/** Stops at the first block that is wrong: the check of a result would go on with the others, of which there may be a million. */
const isContent = (content: unknown): boolean =>
  Array.isArray(content) &&
  content.every((block) => isCheckable(block, BLOCK_VALUES_MAX) && isSpecType.ContentBlock(block));

/** What a buyer's client would take for what this service says: of payments, of passes and of its connection. */
const OURS = /^(?:x402|tessera|io\.modelcontextprotocol)\//;

const toBuyersMeta = (meta: Fields): Fields =>
  Object.fromEntries(Object.entries(meta).filter(([name]) => !OURS.test(name)));

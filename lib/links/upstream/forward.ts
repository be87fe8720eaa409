import type { Usdc } from "@/lib/core/money";
import type { Send, Watch } from "@/lib/platform/outbound";
import { type AnswerBody, createBody } from "./body";
import { type Costed, type Ended, failed, failedByHead, type Head } from "./ended";
import { costIn, failureOf, hasSecret, type PaidRequest, returnedHeaders, secretsIn, type Upstream } from "./rules";
import { callTool } from "./tools/call";

export type { Ended, UpstreamAnswer } from "./ended";

/** `streaming`: the answer has begun. A failure after that breaks `body` off. */
export type Forwarded = Ended | ({ type: "streaming"; head: Head; body: AnswerBody; end: Promise<Ended> } & Costed);

/**
 * Sends a paid request to the upstream, once. `secrets`: the seller's headers; they win over the buyer's. `own`: headers of this service.
 * An upstream is read to its end also when the buyer has left, so that the answer can be kept. `signal` ends the request. Redirects are
 * not followed: they would carry the secrets elsewhere. To an MCP server, the request is a call of a tool. Throws invalid_json for it.
 */
export async function forward(
  send: Send,
  upstream: Upstream,
  request: PaidRequest,
  { secrets, own }: Record<"secrets" | "own", Readonly<Record<string, string>>>,
  signal?: AbortSignal,
): Promise<Forwarded> {
  if (upstream.kind === "mcp")
    return callTool(send, upstream, request, { ...secrets, ...own }, { hidden: secretsIn(secrets), signal });
  const { method, path, search, headers: buyers, body } = request;
  const hidden = secretsIn(secrets);
  return new Promise((resolve, reject) => {
    const stream = createStream(hidden, (opened) => resolve({ type: "streaming", ...opened, end }));
    const end = send(new URL(`${upstream.url}${path}${search}`), {
      method,
      headers: { ...buyers, ...secrets, ...own, "accept-encoding": "identity" },
      body: body.length > 0 || method === "POST" || method === "PUT" || method === "PATCH" ? body : undefined,
      msMax: upstream.secondsMax * 1_000,
      signal,
      watch: stream,
    }).then((reply) => {
      const ended = endOf(reply, hidden);
      stream.end(ended);
      return ended;
    });
    // Does nothing once the answer streams.
    end.then(resolve, reject);
  });
}

function endOf(reply: Awaited<ReturnType<Send>>, hidden: readonly Buffer[]): Ended {
  if (!reply.isAnswered) return failed(reply.why === "timeout" ? "timeout" : "unreachable");
  const { status, bytes, end } = reply;
  const refused = failedByHead(status, reply.headers);
  if (refused) return refused;
  if (end === "broken") return failed(reply.isLate ? "timeout" : "incomplete", status);
  if (end === "too_large") return failed("too_large", status);
  const headers = returnedHeaders(reply.headers);
  if (hasSecret(bytes, hidden) || hasSecretHeader(headers, hidden)) return failed("secret", status);
  return { type: "answered", answer: { status, headers, bytes }, cost: costIn(reply.headers) };
}

const hasSecretHeader = (headers: Readonly<Record<string, string>>, hidden: readonly Buffer[]): boolean =>
  hasSecret(Buffer.from(Object.values(headers).join("\n")), hidden);

/** An answer of unknown length is passed on while it arrives if it takes longer than this. Before, a failure costs the buyer no answer. */
const WHOLE_WITHIN_MS = 1_000;

/** Turns the arriving answer into a stream: server-sent events at once, another one of unknown length after a second. */
function createStream(
  hidden: readonly Buffer[],
  open: (opened: { head: Head; body: AnswerBody } & Costed) => void,
): Watch & { end: (ended: Ended) => void } {
  let body: AnswerBody | null = null;
  let timer: NodeJS.Timeout | undefined;
  let arrived: Buffer = Buffer.alloc(0);

  function begin(head: Head, cost: Usdc | null): void {
    body = createBody(hidden);
    body.arrive(arrived);
    open({ head, body, cost });
  }

  return {
    head: (status, allHeaders) => {
      const headers = returnedHeaders(allHeaders);
      if (failureOf(status, allHeaders) || hasSecretHeader(headers, hidden)) return;
      // They have no body to stream.
      if (status === 204 || status === 205) return;
      const isEvents = /^text\/event-stream\b/i.test(headers["content-type"] ?? "");
      const cost = costIn(allHeaders);
      if (isEvents) begin({ status, headers }, cost);
      else if (allHeaders["content-length"] === undefined)
        timer = setTimeout(() => begin({ status, headers }, cost), WHOLE_WITHIN_MS);
    },
    chunk: (bytes) => {
      arrived = bytes;
      body?.arrive(bytes);
    },
    end: (ended) => {
      clearTimeout(timer);
      if (ended.type === "failed") body?.fail();
      else body?.end();
    },
  };
}

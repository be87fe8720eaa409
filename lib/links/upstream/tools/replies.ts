import { z } from "zod";
import { JsonError, parseForeignJson } from "@/lib/core/json";
import type { Watch } from "@/lib/platform/outbound";

const response = z.object({
  id: z.number(),
  result: z.looseObject({}).optional(),
  error: z.looseObject({}).optional(),
});
/** `error`: the server refuses the request as JSON-RPC does. */
export type RpcResponse = { type: "result"; result: Record<string, unknown> } | { type: "error" };

/**
 * Finds the response to request `id` in a body that arrives: of JSON at its end, in server-sent events as soon as it is there, when `onFound`
 * is called. Other messages of the server are skipped. Each byte is read once, however small the parts are.
 */
export function createReplyReader(id: number, onFound: () => void) {
  let isEvents = false;
  let lineStart = 0;
  let scannedBytes = 0;
  let data: string[] = [];
  let found: RpcResponse | null = null;

  function endLine(line: string): void {
    if (line.startsWith("data:")) data.push(line.slice(5).replace(/^ /, ""));
    if (line !== "" || data.length === 0) return;
    found = responseIn(data.join("\n"), id);
    data = [];
  }

  const watch: Watch = {
    head: (_status, headers) => {
      isEvents = /^text\/event-stream\b/i.test(headers["content-type"] ?? "");
    },
    chunk: (arrived) => {
      while (isEvents && !found) {
        const end = arrived.indexOf(0x0a, scannedBytes);
        scannedBytes = end < 0 ? arrived.length : end + 1;
        if (end < 0) return;
        endLine(arrived.toString("utf8", lineStart, end).replace(/\r$/, ""));
        lineStart = scannedBytes;
        if (found) onFound();
      }
    },
  };
  return {
    watch,
    /** The response in all that arrived; null without one. */
    end: (bytes: Buffer): RpcResponse | null => (isEvents ? found : responseIn(bytes.toString("utf8"), id)),
  };
}

function responseIn(text: string, id: number): RpcResponse | null {
  const value = parse(text);
  for (const message of Array.isArray(value) ? value : [value]) {
    const { data } = response.safeParse(message);
    if (data?.id !== id) continue;
    if (data.error) return { type: "error" };
    if (data.result) return { type: "result", result: data.result };
  }
  return null;
}

/** Undefined if the text is no JSON. */
function parse(text: string): unknown {
  try {
    return parseForeignJson(text);
  } catch (error) {
    if (error instanceof JsonError) return undefined;
    throw error;
  }
}

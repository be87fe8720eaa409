import { JsonError, parseForeignJson } from "@/lib/core/json";
import { type Fields, isRecord } from "@/lib/core/record";
import type { Watch } from "@/lib/platform/outbound";

/** `error`: the server refuses the request as JSON-RPC does. */
export type RpcResponse = { type: "result"; result: Fields } | { type: "error" };

/** An event that is no JSON costs ten microseconds, and 5 MB have a million. */
export const EVENTS_MAX = 10_000;

/**
 * Finds the response to request `id` in a body that arrives: of JSON at its end, in server-sent events as soon as it is there. Then, or after
 * `EVENTS_MAX`, it calls `onOver`. Other messages of the server are skipped. Each byte is read once, however small the parts are.
 */
export function createReplyReader(id: number, onOver: () => void) {
  let isEvents = false;
  let lineStart = 0;
  let scannedBytes = 0;
  let data: string[] = [];
  let eventsLeft = EVENTS_MAX;
  let found: RpcResponse | null = null;

  function endLine(line: string): void {
    if (line.startsWith("data:")) data.push(line.slice(5).replace(/^ /, ""));
    if (line !== "" || data.length === 0) return;
    eventsLeft -= 1;
    found = responseIn(data.join("\n"), id);
    data = [];
  }

  const watch: Watch = {
    head: (_status, headers) => {
      isEvents = /^text\/event-stream\b/i.test(headers["content-type"] ?? "");
    },
    chunk: (arrived) => {
      while (isEvents && !found && eventsLeft > 0) {
        const end = arrived.indexOf(0x0a, scannedBytes);
        scannedBytes = end < 0 ? arrived.length : end + 1;
        if (end < 0) return;
        endLine(arrived.toString("utf8", lineStart, end).replace(/\r$/, ""));
        lineStart = scannedBytes;
        if (found || eventsLeft === 0) onOver();
      }
    },
  };
  return {
    watch,
    /** The response in all that arrived; null without one. */
    end: (bytes: Buffer): RpcResponse | null => (isEvents ? found : responseIn(bytes.toString("utf8"), id)),
  };
}

/** Without a schema: a server can send a million messages that are none, and a schema spends microseconds and a kilobyte on each. */
function responseIn(text: string, id: number): RpcResponse | null {
  const value = parse(text);
  for (const message of Array.isArray(value) ? value : [value]) {
    if (!isRecord(message) || message.id !== id) continue;
    if (isRecord(message.error)) return { type: "error" };
    if (isRecord(message.result)) return { type: "result", result: message.result };
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

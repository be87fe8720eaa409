import { type GuardOptions, guardJson, guardText } from "./guard.ts";

/** The parts of a tool's result in the Model Context Protocol that are read. */
type Result = { content?: unknown; structuredContent?: unknown };

/** A tool's result with every text in it guarded: texts, embedded resources and structured content. */
export function guardToolResult<R extends Result>(result: R, source: string, options: GuardOptions = {}): R {
  const { content, structuredContent } = result;
  return {
    ...result,
    ...(Array.isArray(content) && { content: content.map((part) => guardedPart(part, source, options)) }),
    ...(structuredContent !== undefined && { structuredContent: guardJson(structuredContent, source, options) }),
  };
}

/**
 * The handler of a tool of an MCP server, with its results guarded: `server.registerTool(name, config,
 * guardTool(name, handler))`. For a client, guard what `callTool` returns with `guardToolResult`.
 */
export function guardTool<Args extends unknown[], R extends Result>(
  name: string,
  handler: (...args: Args) => R | Promise<R>,
  options: GuardOptions = {},
): (...args: Args) => Promise<R> {
  return async (...args) => guardToolResult(await handler(...args), name, options);
}

/** Images and sound are passed on unread. */
function guardedPart(part: unknown, source: string, options: GuardOptions): unknown {
  if (typeof part !== "object" || part === null) return part;
  if ("text" in part && typeof part.text === "string") return { ...part, text: guardText(part.text, source, options) };
  if ("resource" in part) return { ...part, resource: guardedPart(part.resource, source, options) };
  return part;
}

import { type Change, type GuardOptions, guardWhole, mapJson } from "./guard.ts";

/** The parts of a tool's result in the Model Context Protocol that are read. */
type Result = { content?: unknown; structuredContent?: unknown };

/**
 * A tool's result with every text in it guarded: texts, names and descriptions of resources, embedded resources and structured
 * content. The texts of the content are also read together, as a model reads them.
 */
export function guardToolResult<R extends Result>(result: R, source: string, options: GuardOptions = {}): R {
  const { content, structuredContent } = result;
  return {
    ...result,
    ...(Array.isArray(content) && { content: guardWhole(content, mapContent, source, options) }),
    ...(structuredContent !== undefined && {
      structuredContent: guardWhole<unknown>(structuredContent, mapJson, source, options),
    }),
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

const mapContent = (content: readonly unknown[], change: Change): unknown[] =>
  content.map((part) => mapPart(part, change));

/** Members that say what a part is, and its bytes. Images and sound are passed on unread. */
const unread: ReadonlySet<string> = new Set(["type", "mimeType", "data", "blob", "annotations", "_meta"]);

function mapPart(part: unknown, change: Change): unknown {
  if (typeof part !== "object" || part === null) return part;
  const members = Object.entries(part).map(([name, member]: [string, unknown]) => {
    if (unread.has(name)) return [name, member];
    if (name === "resource") return [name, mapPart(member, change)];
    return [name, typeof member === "string" ? change(member, "text", undefined, name) : member];
  });
  return Object.fromEntries(members);
}

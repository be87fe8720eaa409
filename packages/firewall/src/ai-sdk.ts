import { type Change, type GuardOptions, guardWhole, mapJson } from "./guard.ts";

/** The parts of a prompt of the AI SDK that this middleware reads. */
type Output = { type: string; value?: unknown };
type Part = { type: string; toolName?: string; output?: Output };
type Message = { role: string; content: unknown };
type Params = { prompt: readonly Message[] };

/**
 * A middleware for `wrapLanguageModel` of the AI SDK: what tools returned is scanned before the model reads it, and
 * replaced by a notice when the verdict says so. The results in one message are also read together. Nothing else of the
 * prompt is changed.
 */
export function firewallMiddleware(options: GuardOptions = {}) {
  return {
    specificationVersion: "v4" as const,
    transformParams: async <P extends Params>({ params }: { params: P }): Promise<P> => ({
      ...params,
      prompt: params.prompt.map((message) =>
        message.role === "tool" && Array.isArray(message.content)
          ? { ...message, content: guardWhole<Part[]>(message.content, mapParts, sourceOf(message.content), options) }
          : message,
      ),
    }),
  };
}

/** The names of the tools whose results a message has. */
function sourceOf(parts: readonly Part[]): string {
  const names = parts.flatMap(({ type, toolName }) => (type === "tool-result" ? [toolName ?? "tool"] : []));
  return [...new Set(names)].join(", ");
}

const mapParts = (parts: Part[], change: Change): Part[] => parts.map((part) => mapPart(part, change));

function mapPart(part: Part, change: Change): Part {
  const { output } = part;
  if (part.type !== "tool-result" || output === undefined) return part;
  const { value } = output;
  if (value === undefined) return part;
  const changeHere: Change = (text, kind, _from, member) => change(text, kind, part.toolName ?? "tool", member);
  const isContent = Array.isArray(value) && output.type === "content";
  const changed = isContent ? value.map((one: unknown) => mapContent(one, changeHere)) : mapJson(value, changeHere);
  return { ...part, output: { ...output, value: changed } };
}

/** Files, images and sound are passed on unread. */
function mapContent(content: unknown, change: Change): unknown {
  if (typeof content !== "object" || content === null || !("text" in content) || typeof content.text !== "string")
    return content;
  return { ...content, text: change(content.text, "text") };
}

import { type GuardOptions, guardJson, guardText } from "./guard.ts";

/** The parts of a prompt of the AI SDK that this middleware reads. */
type Output = { type: string; value?: unknown };
type Part = { type: string; toolName?: string; output?: Output };
type Message = { role: string; content: unknown };
type Params = { prompt: readonly Message[] };

/**
 * A middleware for `wrapLanguageModel` of the AI SDK: what tools returned is scanned before the model reads it, and
 * replaced by a notice when the verdict says so. Nothing else of the prompt is changed.
 */
export function firewallMiddleware(options: GuardOptions = {}) {
  return {
    specificationVersion: "v4" as const,
    transformParams: async <P extends Params>({ params }: { params: P }): Promise<P> => ({
      ...params,
      prompt: params.prompt.map((message) =>
        message.role === "tool" && Array.isArray(message.content)
          ? { ...message, content: message.content.map((part: Part) => guardedPart(part, options)) }
          : message,
      ),
    }),
  };
}

function guardedPart(part: Part, options: GuardOptions): Part {
  const { output } = part;
  if (part.type !== "tool-result" || output === undefined) return part;
  const source = part.toolName ?? "tool";
  const { value } = output;
  const guarded =
    Array.isArray(value) && output.type === "content"
      ? value.map((one) => guardedContent(one, source, options))
      : guardJson(value, source, options);
  return { ...part, output: { ...output, ...(value !== undefined && { value: guarded }) } };
}

/** Files, images and sound are passed on unread. */
function guardedContent(content: unknown, source: string, options: GuardOptions): unknown {
  if (typeof content !== "object" || content === null || !("text" in content) || typeof content.text !== "string")
    return content;
  return { ...content, text: guardText(content.text, source, options) };
}

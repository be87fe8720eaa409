import type { Span } from "../verdict.ts";

/**
 * Tokens of chat templates. Each alternative starts with a fixed sign and repeats nothing without a bound, so a search takes
 * time in proportion to the length of the text.
 */
export const templateTokens =
  /<\|(?:im_start|im_end|system|user|assistant|endoftext|eot_id|start_header_id|end_header_id|begin_of_text)\|?>|<<\/?SYS>>|<(?:start|end)_of_turn>|\[\/?INST\]/g;
const tokensMax = 3;

/** The first few tokens of chat templates in the text. */
export function templateTokensIn(text: string): Span[] {
  const spans: Span[] = [];
  if (!text.includes("<") && !text.includes("[")) return spans;
  for (const { index, 0: token } of text.matchAll(templateTokens)) {
    spans.push({ start: index, end: index + token.length });
    if (spans.length >= tokensMax) break;
  }
  return spans;
}

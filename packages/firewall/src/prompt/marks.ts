import { bitsOf } from "../text/signs.ts";
import type { Words } from "../text/words.ts";
import { type Cue, type Form, Forms } from "./forms.ts";
import type { PromptRule } from "./rules.ts";

const marksPerPatternMax = 3;
const linksMax = 60;

/**
 * Every pattern starts with a fixed sign and has no unbounded repetition, so it is never quadratic in the length of the
 * text. `needed` is a sign without which a text has no match.
 */
export const markPatterns: readonly (readonly [PromptRule, RegExp, needed?: string])[] = [
  [
    "role",
    /<\|(?:im_start|im_end|system|user|assistant|endoftext|eot_id|start_header_id|begin_of_text)\|?>|<<\/?SYS>>|<(?:start|end)_of_turn>/gi,
    "<",
  ],
  ["role", /\[\/?INST\]|\[\/?(?:SYSTEM|ADMIN|DEVELOPER)(?: (?:MESSAGE|NOTE|PROMPT|OVERRIDE))?\]/g, "["],
  [
    "roleHint",
    /#{2,4} ?(?:Instruction|System|Human|Assistant|Response)s?\b:?|<\/?(?:system|instructions?|assistant|admin)>/gi,
  ],
  ["roleHint", /"role" ?: ?"(?:system|tool|developer)"/gi, '"'],
  ["roleHint", /\n(?:Assistant|Human|User|System|AI): \S/g, "\n"],
  [
    "toolHint",
    /\bos\.(?:system|popen)|\bsubprocess\.|child_process|\/etc\/(?:passwd|shadow)|\brm -rf|__(?:import|builtins|subclasses)__|\bwhoami\b|\b(?:eval|exec)\(/gi,
  ],
  ["toolHint", /\b(?:curl|wget) [^\n|]{1,200}\| ?(?:ba|z)?sh\b/g, "|"],
  ["encodedHint", /\b(?:fromCharCode|atob\(|base64 -d|b64decode)/g],
];
const dataInQuery =
  /https?:\/\/[^\s)?]{1,200}\?[^\s)]{0,200}=(?:[[{<][a-z_ ]|[^\s)&]{0,60}(?:BASE64|SECRET|CHAT|HISTORY|PROMPT|CONVERSATION|PASSWORD|API_?KEY))/y;

/** The start of each pattern. */
const cues: readonly Cue[] = [
  {
    words: "im system user assistant endoftext eot start begin sys end",
    before: [1, 2, 3],
    needs: "<",
  },
  { words: "inst system admin developer", before: [1, 2], needs: "[" },
  {
    words: "instruction instructions system systems human humans assistant assistants response responses admin",
    before: [1, 2, 3, 4, 5],
  },
  { words: "role", before: [1], needs: '"' },
  { words: "assistant human user system ai", before: [1], needs: "\n:" },
  { words: "os subprocess etc rm whoami eval exec", before: [0, 1], unless: [/__|child_/i], unlessNeeds: "_" },
  { words: "curl wget", needs: "|" },
  { words: "atob base64", unless: ["fromCharCode", "b64decode"] },
];
const forms = new Forms(markPatterns, cues, marksPerPatternMax);
export const markWords: readonly string[] = forms.words;
const linkSigns = bitsOf(":/?=");

export function marksIn(text: string, words: Words): Form[] {
  const marks: Form[] = forms.in(text, words);
  if ((words.signs & linkSigns) !== linkSigns) return marks;
  for (
    let index = text.indexOf("http"), links = 0;
    index >= 0 && links < linksMax;
    index = text.indexOf("http", index + 4), links++
  ) {
    dataInQuery.lastIndex = index;
    if (dataInQuery.test(text)) marks.push({ rule: "externalHint", start: index, end: dataInQuery.lastIndex });
  }
  return marks;
}

const concealing =
  /display ?: ?none|visibility ?: ?hidden|font-size ?: ?[01](?:px|pt|em)?\b|opacity ?: ?0(?:\D|$)|color ?: ?(?:white|#fff(?:fff)?)\b|aria-label=|\balt=|\btitle=|\bhidden\b|\[\/\/\]: ?#|<!\[CDATA\[|<meta /i;
const contextLength = 160;

/** Whether the words at `start` are in a comment, an attribute or an element that a page does not show. */
export function isConcealed(text: string, start: number): boolean {
  const commentStart = text.lastIndexOf("<!--", start);
  if (commentStart >= 0 && text.indexOf("-->", commentStart) > start) return true;
  const context = text.slice(Math.max(0, start - contextLength), start);
  const sign = concealing.exec(context);
  return sign !== null && !context.slice(sign.index).includes("</") && !context.slice(sign.index).includes("\n\n");
}

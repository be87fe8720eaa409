import type { Span } from "../verdict.ts";

/** Pairs of quotation marks. A straight mark closes itself. */
const partners = new Map(
  Object.entries({ '"': '"', "'": "'", "“": "”", "„": "“", "«": "»", "‘": "’", "「": "」", "『": "』" }),
);
const isStraight = (sign: string): boolean => sign === '"' || sign === "'" || sign === "`";
/** Characters that can open a citation. */
const opening = /["'`>“„«‘「『]/g;
const wordUnit = /[\p{L}\p{N}_]/u;
/** By ASCII unit: 1 is part of a word, 2 a space. */
const asciiKind = Uint8Array.from({ length: 128 }, (_, unit) => {
  const sign = String.fromCharCode(unit);
  return wordUnit.test(sign) ? 1 : /\s/.test(sign) ? 2 : 0;
});
function isWordAt(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  return unit < 128 ? asciiKind[unit] === 1 : wordUnit.test(text.charAt(index));
}
function isSpaceAt(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  return index >= text.length || (unit < 128 ? asciiKind[unit] === 2 : /\s/.test(text.charAt(index)));
}

/** With fewer words outside the citations, the text counts as not citing. */
const besideMin = 2;
const cut = "¶";
const actions =
  "do|follow|obey|execute|perform|run|carry out|comply with|act on|act upon|act according to|apply|heed|fulfil|implement|proceed with";
const begins = "(?:^|[.!?:;,\\n¶—–-]|\\b(?:please|now|then|and|just|must|simply))\\s*";
/** Orders to do what the citation says. With one of them, the writer says it too. */
const carriedOut = new RegExp(
  `${begins}(?:${actions})\\s+(?:exactly |precisely |everything |all )?(?:what|it|this|that|these|those|them|so|as|accordingly|the (?:above|following|quoted?|instructions?|commands?|orders?|steps?|text|message|mail|line|request))\\b` +
    `|${begins}(?:${actions}|repeat|respond to|answer)\\s*:?\\s*${cut}` +
    `|\\byour (?:new |real |only |next )?(?:task|tasks|instructions?|orders?|goal|job|prompt)(?: is| are)?(?: now)?\\s*:?\\s*${cut}`,
  "i",
);

/**
 * The parts of a text that cite instead of saying: quotations, code, and lines of a block quote. Empty when hardly any
 * text is outside of them, and when the reader is ordered to do what they say.
 */
export function citationsIn(text: string): Span[] {
  const citations = marked(text);
  if (citations.length === 0) return citations;
  let [remainder, index] = ["", 0];
  for (const { start, end } of citations) {
    remainder += `${text.slice(index, start)}${cut}`;
    index = end;
  }
  remainder += text.slice(index);
  return !hasWordsBeside(remainder) || carriedOut.test(remainder) ? [] : citations;
}

function hasWordsBeside(remainder: string): boolean {
  const wordPattern = /[\p{L}\p{N}]+/gu;
  for (let count = 0; count < besideMin; count++) if (!wordPattern.test(remainder)) return false;
  return true;
}

export function isWithin(spans: readonly Span[], index: number): boolean {
  let [low, high] = [0, spans.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[middle]?.end ?? 0) <= index) low = middle + 1;
    else high = middle;
  }
  return (spans[low]?.start ?? Number.POSITIVE_INFINITY) <= index;
}

function marked(text: string): Span[] {
  // The strings of a JSON document are its content, not citations.
  const isJson = /^\s*[[{]/.test(text) && /[\]}]\s*$/.test(text);
  const citations: Span[] = [];
  /** By sign: it opens nothing up to this offset, because it was not closed before. */
  const closedTo = new Map<string, number>();
  for (let i = nextOpening(text, 0); i >= 0; i = nextOpening(text, i)) {
    const sign = text.charAt(i);
    if (sign === ">" && /(?:^|\n)[ \t]{0,3}$/.test(text.slice(Math.max(0, i - 4), i))) {
      const end = ending(text, "\n", i);
      citations.push({ start: i, end });
      i = end;
      continue;
    }
    const close = sign === "`" ? ticksAt(text, i) : partners.get(sign);
    if (close === undefined || i < (closedTo.get(sign) ?? 0) || !opens(text, i, sign)) {
      i += close !== undefined && sign === "`" ? close.length : 1;
      continue;
    }
    const limit = close === "```" ? text.length : ending(text, sign === "'" || sign === "`" ? "\n" : "\n\n", i);
    const end = closing(text, i + close.length, limit, close);
    if (end < 0) {
      closedTo.set(sign, limit);
      i += close.length;
      continue;
    }
    if (!isStraight(sign) || sign === "`" || !(isJson || isField(text, i))) citations.push({ start: i, end });
    i = end;
  }
  return citations;
}

/** Tries this many units before it starts a search, which is slower where signs are dense. */
const signsNear = 8;
const asciiOpens = Uint8Array.from({ length: 128 }, (_, unit) => ("\"'`>".includes(String.fromCharCode(unit)) ? 1 : 0));

function nextOpening(text: string, from: number): number {
  const limit = Math.min(text.length, from + signsNear);
  let index = from;
  for (; index < limit; index++) {
    const unit = text.charCodeAt(index);
    if (unit > 127) break;
    if (asciiOpens[unit] === 1) return index;
  }
  opening.lastIndex = index;
  return opening.test(text) ? opening.lastIndex - 1 : -1;
}

function ending(text: string, sign: string, from: number): number {
  const index = text.indexOf(sign, from);
  return index < 0 ? text.length : index;
}

const ticksAt = (text: string, index: number): string => (text.startsWith("```", index) ? "```" : "`");

const opens = (text: string, index: number, sign: string): boolean =>
  sign === "`" ||
  (!isSpaceAt(text, index + 1) && !(isStraight(sign) && (isWordAt(text, index - 1) || text[index - 1] === "\\")));

/** The end of the citation, after its closing sign, or -1. */
function closing(text: string, from: number, limit: number, sign: string): number {
  for (let index = text.indexOf(sign, from); index >= 0 && index < limit; index = text.indexOf(sign, index + 1)) {
    const isQuote = sign === '"' || sign === "'";
    const isInside = isQuote && (text[index - 1] === "\\" || isWordAt(text, index + 1) || isSpaceAt(text, index - 1));
    if (!isInside) return index + sign.length;
  }
  return -1;
}

/** Whether the quoted text at `index` is the value of a field or attribute, and so no citation. */
function isField(text: string, index: number): boolean {
  const prefix = text.slice(Math.max(0, index - 60), index);
  return /["']\s*:\s*$/.test(prefix) || /(?:^|\n)[ \t-]*[\w-]{1,40}:\s*$/.test(prefix) || /<[^<>]*=$/.test(prefix);
}

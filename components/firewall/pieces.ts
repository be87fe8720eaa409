import type { Span } from "@tessera/firewall/verdict";

/** A part of the text, in order, with the spans that cover it. */
export type Piece = {
  text: string;
  /** UTF-16 offset in the original. */
  start: number;
  /** Indices of the spans that cover it. */
  spans: readonly number[];
  /** The label shown instead of invisible characters. */
  hidden: Hidden | null;
};

/** `label` is short, such as "U+200B"; `name` describes it. */
export type Hidden = { label: string; name: string };

export type Part = { text: string; isSecret: boolean };
/** Lines with a redaction: the original and the redacted version. `line` counts from 1. */
export type Replaced = { line: number; before: readonly Part[]; after: readonly Part[] };

export const REDACTED = "[REDACTED]";

/** Cuts `text` at span boundaries and around runs of invisible characters. Empty spans cover nothing. */
export function piecesOf(text: string, spans: readonly (Span | undefined)[]): Piece[] {
  const cuts = new Set([0, text.length]);
  for (const span of spans) if (span && span.end > span.start) cuts.add(span.start).add(span.end);
  const places = [...cuts].sort((a, b) => a - b);
  return places.slice(0, -1).flatMap((start, position) => {
    const end = places[position + 1] ?? start;
    const covering = spans.flatMap((span, index) => (span && span.start <= start && span.end >= end ? [index] : []));
    return visible(text.slice(start, end)).map((piece) => ({
      text: piece.text,
      start: start + piece.at,
      spans: covering,
      hidden: piece.hidden,
    }));
  });
}

/** Compares the lines that contain secrets with the redacted preview. Long parts without a secret are shortened. */
export function replacements(text: string, secrets: readonly Span[]): Replaced[] {
  const groups: { start: number; end: number; secrets: Span[] }[] = [];
  for (const secret of united(secrets)) {
    const start = text.lastIndexOf("\n", secret.start - 1) + 1;
    const newline = text.indexOf("\n", secret.end);
    const end = newline === -1 ? text.length : newline;
    const lastGroup = groups.at(-1);
    if (lastGroup && start < lastGroup.end) {
      lastGroup.end = end;
      lastGroup.secrets.push(secret);
    } else groups.push({ start, end, secrets: [secret] });
  }
  return groups.map((group) => {
    const originalParts = partsOf(text, group);
    const redactedParts = originalParts.map((part) => (part.isSecret ? { ...part, text: REDACTED } : part));
    return { line: text.slice(0, group.start).split("\n").length, before: originalParts, after: redactedParts };
  });
}

function partsOf(text: string, { start, end, secrets }: { start: number; end: number; secrets: readonly Span[] }) {
  const parts: Part[] = [];
  let index = start;
  for (const secret of secrets) {
    const between = text.slice(index, secret.start);
    parts.push({ text: parts.length === 0 ? tail(between) : middle(between), isSecret: false });
    parts.push({ text: text.slice(secret.start, secret.end), isSecret: true });
    index = secret.end;
  }
  parts.push({ text: head(text.slice(index, end)), isSecret: false });
  return parts.filter((part) => part.text !== "");
}

function united(spans: readonly Span[]): Span[] {
  const mergedSpans: Span[] = [];
  for (const span of [...spans].sort((a, b) => a.start - b.start)) {
    const last = mergedSpans.at(-1);
    if (last && span.start <= last.end) last.end = Math.max(last.end, span.end);
    else if (span.end > span.start) mergedSpans.push({ ...span });
  }
  return mergedSpans;
}

const CONTEXT = 60;
const tail = (text: string) => (text.length > CONTEXT ? `…${text.slice(-CONTEXT).toWellFormed()}` : text);
const head = (text: string) => (text.length > CONTEXT ? `${text.slice(0, CONTEXT).toWellFormed()}…` : text);
const middle = (text: string) => (text.length > 2 * CONTEXT ? `${head(text)}${text.slice(-CONTEXT)}` : text);

/** Matches invisible characters except line breaks, tabs and those that are part of an emoji. */
const UNSEEN =
  /(?:\p{Extended_Pictographic}[\u{1f3fb}-\u{1f3ff}]?\ufe0f?(?:\u200d\p{Extended_Pictographic}[\u{1f3fb}-\u{1f3ff}]?\ufe0f?)*|[#*0-9]\ufe0f\u20e3)|((?:(?![\n\r\t])[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cs}\u2028\u2029])+)/gu;

function visible(text: string): { text: string; at: number; hidden: Hidden | null }[] {
  const segments: { text: string; at: number; hidden: Hidden | null }[] = [];
  let index = 0;
  for (const match of text.matchAll(UNSEEN)) {
    const [, run] = match;
    if (run === undefined) continue;
    if (match.index > index) segments.push({ text: text.slice(index, match.index), at: index, hidden: null });
    segments.push({ text: run, at: match.index, hidden: nameHidden(run) });
    index = match.index + run.length;
  }
  if (index < text.length) segments.push({ text: text.slice(index), at: index, hidden: null });
  return segments;
}

function nameHidden(run: string): Hidden {
  const points = [...run].map((character) => character.codePointAt(0) ?? 0);
  const [first = 0] = points;
  const count = points.length === 1 ? "" : ` × ${points.length}`;
  if (points.every((point) => point >= 0xe0001 && point <= 0xe007f)) {
    const decodedText = points.map((point) => String.fromCharCode(Math.max(32, (point - 0xe0000) & 0x7f))).join("");
    return { label: decodedText, name: `written in ${points.length} tag characters` };
  }
  if (points.every((point) => point === first)) {
    return { label: `${notation(first)}${count}`, name: `${NAMES[first] ?? "a character that does not show"}${count}` };
  }
  if (points.every((point) => (point >= 0xfe00 && point <= 0xfe0f) || (point >= 0xe0100 && point <= 0xe01ef))) {
    return { label: `${points.length} variation selectors`, name: "bytes in characters that do not show" };
  }
  return {
    label: `${points.length} hidden characters`,
    name: [...new Set(points)].slice(0, 8).map(notation).join(" "),
  };
}

const notation = (point: number) => `U+${point.toString(16).toUpperCase().padStart(4, "0")}`;

const NAMES: Readonly<Record<number, string>> = {
  173: "soft hyphen",
  847: "combining grapheme joiner",
  8203: "zero-width space",
  8204: "zero-width non-joiner",
  8205: "zero-width joiner",
  8206: "left-to-right mark",
  8207: "right-to-left mark",
  8234: "left-to-right embedding",
  8235: "right-to-left embedding",
  8236: "end of a change of direction",
  8237: "left-to-right override",
  8238: "right-to-left override",
  8288: "word joiner",
  8294: "left-to-right isolate",
  8295: "right-to-left isolate",
  8296: "first strong isolate",
  8297: "end of an isolate",
  65279: "zero-width no-break space",
};

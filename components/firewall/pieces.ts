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
  return places.slice(0, -1).flatMap((start, at) => {
    const end = places[at + 1] ?? start;
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
    const before = groups.at(-1);
    if (before && start < before.end) {
      before.end = end;
      before.secrets.push(secret);
    } else groups.push({ start, end, secrets: [secret] });
  }
  return groups.map((group) => {
    const before = partsOf(text, group);
    const after = before.map((part) => (part.isSecret ? { ...part, text: REDACTED } : part));
    return { line: text.slice(0, group.start).split("\n").length, before, after };
  });
}

function partsOf(text: string, { start, end, secrets }: { start: number; end: number; secrets: readonly Span[] }) {
  const parts: Part[] = [];
  let at = start;
  for (const secret of secrets) {
    const between = text.slice(at, secret.start);
    parts.push({ text: parts.length === 0 ? tail(between) : middle(between), isSecret: false });
    parts.push({ text: text.slice(secret.start, secret.end), isSecret: true });
    at = secret.end;
  }
  parts.push({ text: head(text.slice(at, end)), isSecret: false });
  return parts.filter((part) => part.text !== "");
}

function united(spans: readonly Span[]): Span[] {
  const out: Span[] = [];
  for (const span of [...spans].sort((a, b) => a.start - b.start)) {
    const last = out.at(-1);
    if (last && span.start <= last.end) last.end = Math.max(last.end, span.end);
    else if (span.end > span.start) out.push({ ...span });
  }
  return out;
}

const CONTEXT = 60;
const tail = (text: string) => (text.length > CONTEXT ? `…${text.slice(-CONTEXT).toWellFormed()}` : text);
const head = (text: string) => (text.length > CONTEXT ? `${text.slice(0, CONTEXT).toWellFormed()}…` : text);
const middle = (text: string) => (text.length > 2 * CONTEXT ? `${head(text)}${text.slice(-CONTEXT)}` : text);

/** Matches invisible characters except line breaks, tabs and those that are part of an emoji. */
const UNSEEN =
  /(?:\p{Extended_Pictographic}[\u{1f3fb}-\u{1f3ff}]?\ufe0f?(?:\u200d\p{Extended_Pictographic}[\u{1f3fb}-\u{1f3ff}]?\ufe0f?)*|[#*0-9]\ufe0f\u20e3)|((?:(?![\n\r\t])[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cs}\u2028\u2029])+)/gu;

function visible(text: string): { text: string; at: number; hidden: Hidden | null }[] {
  const out: { text: string; at: number; hidden: Hidden | null }[] = [];
  let at = 0;
  for (const found of text.matchAll(UNSEEN)) {
    const [, run] = found;
    if (run === undefined) continue;
    if (found.index > at) out.push({ text: text.slice(at, found.index), at, hidden: null });
    out.push({ text: run, at: found.index, hidden: nameHidden(run) });
    at = found.index + run.length;
  }
  if (at < text.length) out.push({ text: text.slice(at), at, hidden: null });
  return out;
}

function nameHidden(run: string): Hidden {
  const points = [...run].map((character) => character.codePointAt(0) ?? 0);
  const [first = 0] = points;
  const count = points.length === 1 ? "" : ` × ${points.length}`;
  if (points.every((point) => point >= 0xe0001 && point <= 0xe007f)) {
    const said = points.map((point) => String.fromCharCode(Math.max(32, (point - 0xe0000) & 0x7f))).join("");
    return { label: said, name: `written in ${points.length} tag characters` };
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

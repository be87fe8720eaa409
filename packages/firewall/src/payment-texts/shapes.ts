import { LETTERS } from "./characters.ts";

const KEY_VARIETY = 5;

export function isHex64(text: string, start: number, end: number): boolean {
  const from = end - start === 66 && text.startsWith("0x", start) ? start + 2 : start;
  if (end - from !== 64) return false;
  for (let at = from; at < end; at++) if (HEX_CODES[text.charCodeAt(at)] !== 1) return false;
  return true;
}

export function beginsWith(text: string, prefix: string, start: number): boolean {
  for (let at = 0; at < prefix.length; at++) if (text.charCodeAt(start + at) !== prefix.charCodeAt(at)) return false;
  return true;
}

/** Whether at least `length` characters of a key start at `from` that are no placeholder such as xxxx or EXAMPLE. */
export function holdsKey(text: string, from: number, length: number): boolean {
  if (keyLength(text, from, length) < length) return false;
  let seen = 0;
  let variety = 0;
  for (let at = from; at < from + length; at++) {
    const bit = 1 << (text.charCodeAt(at) & 31);
    if ((seen & bit) === 0) variety++;
    seen |= bit;
  }
  return (
    variety >= KEY_VARIETY &&
    !text
      .slice(from, from + length)
      .toUpperCase()
      .includes("EXAMPLE")
  );
}

function keyLength(text: string, from: number, limit: number): number {
  let length = 0;
  while (length < limit && KEY_CODES[text.charCodeAt(from + length)] === 1) length++;
  return length;
}

export function blobEndOf(text: string, start: number): number {
  let at = start;
  while (at < text.length && BLOB_CODES[text.charCodeAt(at)] === 1) at++;
  return at;
}

/** Whether the word opens a turn of a conversation: `system:` at the start of a line, optionally after a list mark. */
export function opensTurn(text: string, start: number, end: number): boolean {
  let after = end;
  while (after < end + 4 && " *]>".includes(text.charAt(after)) && after < text.length) after++;
  if (text.charAt(after) !== ":") return false;
  let before = start - 1;
  while (before > start - 8 && before >= 0 && " \t*#[<-".includes(text.charAt(before))) before--;
  return before < 0 || "\n\r.!?".includes(text.charAt(before));
}

/** Whether the word is a marker of a chat format: `<|im_start`, `[INST`, `<system>`. */
export function isMarker(text: string, start: number, end: number): boolean {
  const before = text.charAt(start - 1);
  const after = text.charAt(end);
  return (
    (before === "|" && after === "|") ||
    (before === "[" && text.slice(start, end) === "INST") ||
    isTag(text, start, after)
  );
}

const isTag = (text: string, start: number, after: string): boolean =>
  after === ">" && (text.charAt(start - 1) === "<" || text.startsWith("</", start - 2));

/** Whether `= value` or `: value` follows, with a value long enough to be a secret. */
export function isAssigned(text: string, end: number): boolean {
  let at = end;
  while (at < end + 3 && " \"'".includes(text.charAt(at)) && at < text.length) at++;
  if (text.charAt(at) !== ":" && text.charAt(at) !== "=") return false;
  at++;
  while (at < end + 8 && " \"'".includes(text.charAt(at)) && at < text.length) at++;
  return holdsKey(text, at, 8);
}

const codesOf = (characters: string): Uint8Array => {
  const codes = new Uint8Array(128);
  for (const char of characters) codes[char.charCodeAt(0)] = 1;
  return codes;
};
const HEX_CODES = codesOf("0123456789abcdefABCDEF");
const KEY_CODES = codesOf(`${LETTERS}_-`);
const BLOB_CODES = codesOf(`${LETTERS}+/_-=.`);

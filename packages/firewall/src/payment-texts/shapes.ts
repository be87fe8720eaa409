import { LETTERS } from "./characters.ts";

const KEY_VARIETY = 5;

export function isHex64(text: string, start: number, end: number): boolean {
  const from = end - start === 66 && text.startsWith("0x", start) ? start + 2 : start;
  if (end - from !== 64) return false;
  for (let index = from; index < end; index++) if (HEX_CODES[text.charCodeAt(index)] !== 1) return false;
  return true;
}

export function beginsWith(text: string, prefix: string, start: number): boolean {
  for (let index = 0; index < prefix.length; index++)
    if (text.charCodeAt(start + index) !== prefix.charCodeAt(index)) return false;
  return true;
}

/** Whether at least `length` characters of a key start at `from` that are no placeholder such as xxxx or EXAMPLE. */
export function holdsKey(text: string, from: number, length: number): boolean {
  if (keyLength(text, from, length) < length) return false;
  let charMask = 0;
  let variety = 0;
  for (let index = from; index < from + length; index++) {
    const bit = 1 << (text.charCodeAt(index) & 31);
    if ((charMask & bit) === 0) variety++;
    charMask |= bit;
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
  let index = start;
  while (index < text.length && BLOB_CODES[text.charCodeAt(index)] === 1) index++;
  return index;
}

/** Whether the word opens a turn of a conversation: `system:` at the start of a line, optionally after a list mark. */
export function opensTurn(text: string, start: number, end: number): boolean {
  let nextIndex = end;
  while (nextIndex < end + 4 && " *]>".includes(text.charAt(nextIndex)) && nextIndex < text.length) nextIndex++;
  if (text.charAt(nextIndex) !== ":") return false;
  let previousIndex = start - 1;
  while (previousIndex > start - 8 && previousIndex >= 0 && " \t*#[<-".includes(text.charAt(previousIndex)))
    previousIndex--;
  return previousIndex < 0 || "\n\r.!?".includes(text.charAt(previousIndex));
}

/** Whether the word is a marker of a chat format: `<|im_start`, `[INST`, `<system>`. */
export function isMarker(text: string, start: number, end: number): boolean {
  const previousChar = text.charAt(start - 1);
  const nextChar = text.charAt(end);
  return (
    (previousChar === "|" && nextChar === "|") ||
    (previousChar === "[" && text.slice(start, end) === "INST") ||
    isTag(text, start, nextChar)
  );
}

const isTag = (text: string, start: number, nextChar: string): boolean =>
  nextChar === ">" && (text.charAt(start - 1) === "<" || text.startsWith("</", start - 2));

/** Whether `= value` or `: value` follows, with a value long enough to be a secret. */
export function isAssigned(text: string, end: number): boolean {
  let index = end;
  while (index < end + 3 && " \"'".includes(text.charAt(index)) && index < text.length) index++;
  if (text.charAt(index) !== ":" && text.charAt(index) !== "=") return false;
  index++;
  while (index < end + 8 && " \"'".includes(text.charAt(index)) && index < text.length) index++;
  return holdsKey(text, index, 8);
}

const codesOf = (characters: string): Uint8Array => {
  const codes = new Uint8Array(128);
  for (const char of characters) codes[char.charCodeAt(0)] = 1;
  return codes;
};
const HEX_CODES = codesOf("0123456789abcdefABCDEF");
const KEY_CODES = codesOf(`${LETTERS}_-`);
const BLOB_CODES = codesOf(`${LETTERS}+/_-=.`);

import { LOOKALIKE_LETTERS } from "./rules.ts";

export const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** By code below 128: the lower-case code of a letter, digit or underscore, 0 for characters that separate words. */
export const FOLDED = new Uint8Array(128);
for (const char of `${LETTERS}_`) FOLDED[char.charCodeAt(0)] = char.toLowerCase().charCodeAt(0);

export function lookAtCharacters(text: string): { isHiding: boolean; isPlain: boolean } {
  let isHiding = false;
  let isPlain = true;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 127) continue;
    isPlain = false;
    if (isHidden(code)) isHiding = true;
  }
  return { isHiding, isPlain };
}

/**
 * Zero-width, bidirectional and invisible operators, and surrogates of tag characters. Joiners are not among them:
 * scripts need them.
 */
const isHidden = (code: number): boolean =>
  code === 0x200b ||
  (code >= 0x202a && code <= 0x202e) ||
  (code >= 0x2060 && code <= 0x2069) ||
  code === 0xfeff ||
  code === TAG_SURROGATE;

/** The text with compatibility forms and look-alike letters replaced and invisible characters removed. */
export function unmask(text: string): string {
  const normalizedText = text.normalize("NFKC");
  const codes = new Uint16Array(normalizedText.length);
  let length = 0;
  for (let index = 0; index < normalizedText.length; index++) {
    const code = normalizedText.charCodeAt(index);
    if (code < 128) codes[length++] = code;
    else if (code === TAG_SURROGATE) index++;
    else if (!isDropped(code)) codes[length++] = lookalikes.get(code) ?? code;
  }
  let plain = "";
  for (let index = 0; index < length; index += CHUNK)
    plain += String.fromCharCode(...codes.subarray(index, Math.min(length, index + CHUNK)));
  return plain;
}

const CHUNK = 4096;
const TAG_SURROGATE = 0xdb40;

/** Hidden characters, and joiners, soft hyphens and variation selectors. */
const isDropped = (code: number): boolean =>
  isHidden(code) || code === 0xad || (code >= 0x200b && code <= 0x200f) || (code >= 0xfe00 && code <= 0xfe0f);

const lookalikes = new Map(
  Object.entries(LOOKALIKE_LETTERS).flatMap(([letter, latin]) =>
    [letter, letter.toUpperCase()].map((form) => [form.charCodeAt(0), latin.charCodeAt(0)] as const),
  ),
);

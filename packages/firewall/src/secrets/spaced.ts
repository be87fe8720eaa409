import type { Span } from "../verdict.ts";
import { isLongKey, isRandomKey } from "./assignments.ts";
import { type Source, wordAt, wordBefore } from "./labels.ts";
import { keyQualifiers, ordinaryKeys, placeholders, tokenQualifiers } from "./rules.ts";
import { isWorthHiding, valueEnd } from "./values.ts";

/** By their last letters, the lengths of the names that may have their value after a space. */
export const spacedNames = new Uint8Array(128);
for (const name of ["token", "key", "password", "secret"]) spacedNames[name.charCodeAt(name.length - 1)] = name.length;

/** What chains and repositories name by numbers: addresses, hashes and identifiers. */
const publicNumber = /^(?:[\da-f]{40}|[1-9A-HJ-NP-Za-km-z]{43,44}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/i;
const walletKey = /^[\da-f]{64}$/i;
const netrcNames = /^(?:login|user|username|account)$/;
/** In units. */
const [passwordMin, tokenMin] = [6, 12];

/** `api key …`, `token …`, `machine … login … password …`. */
export function spacedValue(source: Source, i: number, start: number, end: number): Span | undefined {
  const { text } = source;
  if (end - start !== spacedNames[(text.charCodeAt(end - 1) | 32) & 127]) return undefined;
  // What begins so is an address, a hash, or a wallet's key, which is found by itself.
  if (text.startsWith("0x", end + 1)) return undefined;
  const to = valueEnd(text, end + 1);
  if (to - end <= passwordMin) return undefined;
  const name = text.slice(start, end).toLowerCase();
  const previousWord = wordBefore(source, i, start);
  const isNamed = name !== "key" || keyQualifiers.test(previousWord);
  const span = { start: end + 1, end: /[.:]/.test(text.charAt(to - 1)) ? to - 1 : to };
  const value = text.slice(span.start, span.end);
  switch (name) {
    case "password":
      return i > 1 && netrcNames.test(wordAt(source, i - 2)) && isWorthHiding(value, passwordMin) ? span : undefined;
    case "key":
      if (walletKey.test(value)) return undefined;
      return (isNamed ? isRandomKey(value) : isLongKey(value) && !ordinaryKeys.test(previousWord)) ? span : undefined;
    case "token":
    case "secret":
      return (tokenQualifiers.test(previousWord) || !publicNumber.test(value)) &&
        !walletKey.test(value) &&
        isRandomKey(value)
        ? span
        : undefined;
    default:
      return undefined;
  }
}

/** The password or the token in `curl -u name:password`, whose option ends at `end`. */
export function curlCredential(text: string, end: number): Span | undefined {
  const open = /[\s="']{0,3}/y;
  open.lastIndex = end;
  const opener = open.exec(text)?.[0] ?? "";
  const from = end + opener.length;
  const to = valueEnd(text, from);
  const colon = text.slice(from, to).indexOf(":");
  // A token in place of the name, without a password.
  if (colon > 0 && from + colon + 1 === to && isWorthHiding(text.slice(from, to - 1), tokenMin))
    return { start: from, end: to - 1 };
  if (colon < 0) return isRandomKey(text.slice(from, to)) ? { start: from, end: to } : undefined;
  const password = text.slice(from + colon + 1, to);
  // The shell puts nothing in place of a dollar sign in single quotes.
  const isLiteral = opener.endsWith("'") || !password.includes("$");
  const isReal = isLiteral && !placeholders.test(password) && !/^password$|^<|^\*/i.test(password);
  return isReal && password.length >= passwordMin ? { start: from + colon + 1, end: to } : undefined;
}

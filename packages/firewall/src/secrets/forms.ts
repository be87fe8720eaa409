import { isPublicAddress } from "../chain/public-addresses.ts";
import { isLetterOrDigit } from "../text/view.ts";
import type { Words } from "../text/words.ts";
import type { Span } from "../verdict.ts";
import { assignedAfter, authorizationValue, isLongKey, isRandomKey, isVendorKey } from "./assignments.ts";
import { isLabelledPrivate, type Source, wordAt, wordBefore } from "./labels.ts";
import { keyQualifiers, placeholders, publicNames, samplePasswords, secretNames, tokenQualifiers } from "./rules.ts";
import {
  decodedPart,
  endsValue,
  isBase64,
  isHex,
  isRandom,
  isSample,
  isWorthHiding,
  matchEnd,
  valueAfter,
  valueEnd,
  withScheme,
} from "./values.ts";

const [COLON, DASH, SPACE, DOT, UNDERSCORE] = [58, 45, 32, 46, 95];
const [BACKSLASH, COMMA, QUOTE, LOWER_B, LOWER_T] = [92, 44, 62, 98, 116];
/** In units. Shorter passwords are examples, and shorter values of other names are settings. */
const [passwordMin, namedMin] = [6, 10];
/** A key of 32 bytes in two groups of digits. */
const halves = /(?:0x)?[\da-f]{32}\s[\da-f]{32}(?![\da-z])/iy;
/** Different numbers in 64 random bytes. Tables and pictures have fewer. */
const keypairVariety = 36;

/** A private key in two groups of 32 digits, the first of them word `i`. */
export function splitKey(source: Source, i: number, start: number, end: number): Span | undefined {
  const { text, words } = source;
  if (i + 1 >= words.count) return undefined;
  const [from, to] = [words.start[i + 1] ?? 0, words.end[i + 1] ?? 0];
  if (to - from !== 32 || from - end > 2 || !isHex(text, from, to) || !isHex(text, end - 32, end)) return undefined;
  return isLabelledPrivate(source, i) ? { start, end: to } : undefined;
}

/** A Solana key: 64 bytes as a list of numbers. */
export function solanaKey({ text }: Source, start: number): Span | undefined {
  const list = /\[\s{0,4}(?:\d{1,3}\s{0,4},\s{0,8}){63}\d{1,3}\s{0,4}\]/y;
  list.lastIndex = start;
  const numbers = list.exec(text)?.[0].match(/\d+/g)?.map(Number) ?? [];
  const isBytes = numbers.length === 64 && numbers.every((byte) => byte < 256);
  return isBytes && new Set(numbers).size >= keypairVariety ? { start, end: list.lastIndex } : undefined;
}

/** Client secrets of Microsoft Entra: three characters, a digit, "Q~" and 31 to 34 more. */
export function entraSecret({ text }: Source, start: number, end: number): Span | undefined {
  if (!/\dQ$/.test(text.slice(start, end))) return undefined;
  const to = matchEnd(/~[\w~.-]{31,34}(?![\w~.-])/y, text, end);
  return to >= 0 && isRandom(text.slice(end, to)) ? { start: Math.max(0, end - 5), end: to } : undefined;
}

/** A pattern with a path is of an address, whose host can have more parts. */
const isAddress = /[/][([]/;

/** The key that `pattern` matches at `start`. */
export function keyOf({ text }: Source, pattern: RegExp, start: number): Span | undefined {
  pattern.lastIndex = start;
  const [match] = pattern.exec(text) ?? [];
  const previousUnit = text.charCodeAt(start - 1);
  if (previousUnit === DOT && !isAddress.test(pattern.source)) return undefined;
  // Part of a file name or a host. A dash at the start of a line or a word is a mark of a list, an option or a diff.
  if (previousUnit === DASH && start > 1 && isLetterOrDigit(text.charCodeAt(start - 2))) return undefined;
  return match !== undefined && isRandom(match) && !isSample(match)
    ? { start: withScheme(text, start), end: start + match.length }
    : undefined;
}

/** A private key in PEM, from the word BEGIN. */
export function pemKey({ text }: Source, start: number, end: number): Span | undefined {
  if (end - start !== 5 || !text.startsWith("-----BEGIN ", start - 5)) return undefined;
  const headEnd = text.indexOf("-----", end);
  if (headEnd < 0 || headEnd - end > 40 || !/PRIVATE KEY|OpenVPN Static key/.test(text.slice(end, headEnd)))
    return undefined;
  let to = headEnd + 5;
  while (to < text.length && isPemUnit(text.charCodeAt(to)) && !text.startsWith("-----", to)) to++;
  if (to - headEnd < 40 || isSample(decodedPart(text.slice(headEnd + 5, to).replace(/\s/g, "")))) return undefined;
  const tail = text.startsWith("-----END", to) ? text.indexOf("-----", to + 8) : -1;
  return { start: start - 5, end: tail < 0 || tail - to > 60 ? to : tail + 5 };
}

/** Base64, white space, and the signs of an escape, a header and a quotation. */
const isPemUnit = (unit: number): boolean =>
  isBase64(unit) || unit <= SPACE || unit === BACKSLASH || unit === COLON || unit === QUOTE || unit === COMMA;

const NINE = 57;
/** The last three letters of every name that `secretNames` and the other rules of `namedValue` accept, before a digit. */
export const nameEnds = new Set("swd ord ort pwd ase ret ken key ial als uth pat nic sid ass ion yid".split(" "));
/** Three letters in lower case as one number, so that no string is made for most words. */
const endOf = (first: number, second: number, third: number): number =>
  ((first | 32) << 16) | ((second | 32) << 8) | (third | 32);
const endNumbers = new Set([...nameEnds].map((end) => endOf(end.charCodeAt(0), end.charCodeAt(1), end.charCodeAt(2))));

/** Whether a word, less one digit, ends as the name of a secret does. */
export function endsAsName({ units }: Words, end: number): boolean {
  const to = (units[end - 1] ?? 0) <= NINE ? end - 1 : end;
  const [first, second, third] = [units[to - 3] ?? 0, units[to - 2] ?? 0, units[to - 1] ?? 0];
  return first < 128 && second < 128 && third < 128 && endNumbers.has(endOf(first, second, third));
}

/**
 * How ciphertexts begin that are made to be stored: of SOPS and eyaml, dotenvx, Vault's transit engine, AWS's KMS, OpenSSL, and
 * age and PGP in armour.
 */
const ciphertext = /^(?:ENC\[|encrypted:|vault:v\d|AQICAH|U2FsdGVkX1|-----BEGIN (?:AGE|PGP)|age1)/;
/** The length of the key before a SealedSecret's ciphertext, in two bytes of base64. */
const sealed = /^A[gQ][A-D][\w+/]{60}/;
/** The last text with such a value, and where its first SealedSecret begins: a text can have many. */
let [searched, sealedFrom] = ["", -1];

/** Whether the value at `start` is a ciphertext: who reads it has nothing without the key. */
function isCiphertext(text: string, start: number, value: string): boolean {
  if (ciphertext.test(value)) return true;
  if (!sealed.test(value)) return false;
  if (text !== searched) {
    searched = text;
    sealedFrom = text.search(/SealedSecret|encryptedData/);
  }
  return sealedFrom >= 0 && sealedFrom < start;
}

/** `password = …`, `"apiKey": "…"`, `password is …`. */
export function namedValue(source: Source, i: number, start: number, end: number): Span | undefined {
  const { text, words } = source;
  if (!endsAsName(words, end)) return undefined;
  if (end - start === 13 && /^(?:proxy-)?authorization$/i.test(text.slice(start, end)))
    return authorizationValue(text, end);
  if (text.charCodeAt(end) === UNDERSCORE) {
    if (!isAccessKeyId(source, i)) return prefixedKey(source, i, start, end);
    return accessKeyId(text, end);
  }
  const assigned = assignedAfter(text, end);
  const valueStart = assigned < 0 ? valueAfter(text, end, text.charCodeAt(start - 1) === DASH) : assigned;
  if (valueStart < 0 || end - start > 40) return undefined;
  for (let i = valueStart; i < valueStart + passwordMin; i++)
    if (i >= text.length || endsValue(text.charCodeAt(i))) return undefined;
  const name = text.slice(start, end).toLowerCase();
  const previousWord = wordBefore(source, i, start);
  // SECRET_KEY_BASE, as Rails has it.
  const isKeyBase = name === "base" && previousWord === "key";
  const isSecret =
    isKeyBase || secretNames.test(name)
      ? !publicNames.test(previousWord) && !publicNames.test(name.replace(secretNames, ""))
      : /key\d?$/.test(name) && keyQualifiers.test(name === "key" ? previousWord : name.replace(/key\d?$/, ""));
  const isKey = !isSecret && /key$/.test(name);
  if (!isSecret && !isKey) return undefined;
  const halvesEnd = matchEnd(halves, text, valueStart);
  const to = halvesEnd < 0 ? valueEnd(text, valueStart) : halvesEnd;
  const value = text.slice(valueStart, to);
  // The name of the next member, behind a text that ends like a name: `"https://…/token", "expires": …`.
  if (/^["']\s?:/.test(text.slice(to, to + 3)) || isCiphertext(text, valueStart, value)) return undefined;
  if (isKey) {
    const isBare = name === "key" && (articles.test(previousWord) || connectionSigns.has(text.charAt(start - 1)));
    const isFound = isBare ? isLongKey(value) : isVendorKey(name === "key" ? previousWord : name.slice(0, -3), value);
    return isFound ? { start: valueStart, end: to } : undefined;
  }
  const coin = /^(.*)token\d?$/.exec(name)?.[1];
  if (coin !== undefined && !tokenQualifiers.test(coin === "" ? previousWord : coin) && isPublicAddress(value))
    return undefined;
  const isPassword = /^pass|pwd|pass(?:wor)?d$|passphrase/.test(name);
  if (isPassword && connectionSigns.has(text.charAt(start - 1)) && text.charAt(end) === "=")
    return connectionPassword(text, valueStart);
  // A table gives values of many kinds, and a call takes them.
  if (/[|(]/.test(text.slice(end, valueStart)) && !isRandomKey(value)) return undefined;
  return isWorthHiding(value, isPassword ? passwordMin : namedMin) ? { start: valueStart, end: to } : undefined;
}

/** Words before "key" that name no key: "my key is …". */
const articles = /^(?:my|our|your|the|this|new|old)$/;

/** Whether `_id` follows `access_key`: the first half of a pair. */
const isAccessKeyId = (source: Source, i: number): boolean =>
  i > 0 &&
  /^_id\b/i.test(source.text.slice(source.words.end[i], (source.words.end[i] ?? 0) + 4)) &&
  wordAt(source, i) === "key" &&
  wordAt(source, i - 1) === "access";

function accessKeyId(text: string, end: number): Span | undefined {
  const start = valueAfter(text, end + 3, false);
  const to = valueEnd(text, start);
  return start >= 0 && isWorthHiding(text.slice(start, to), namedMin) ? { start, end: to } : undefined;
}

/** `acme_app_secret_…`: a key that begins with what it is. */
function prefixedKey(source: Source, i: number, start: number, end: number): Span | undefined {
  const { text } = source;
  const name = text.slice(start, end).toLowerCase();
  const to = matchEnd(/[A-Za-z\d]{20,200}(?![\w.-])/y, text, end + 1);
  const key = text.slice(end + 1, to);
  const previousWord = wordBefore(source, i, start);
  if (to < 0 || publicNames.test(previousWord) || !isRandomKey(key)) return undefined;
  return secretNames.test(name) || (name === "key" && isVendorKey(previousWord, key)) ? { start, end: to } : undefined;
}

/** Before a member of a connection string, of a query or of a form. */
const connectionSigns = new Set([";", "?", "&"]);

/** `Server=…;Password=…;`: a password of any letters, since its name and place say what it is. */
function connectionPassword(text: string, start: number): Span | undefined {
  const end = matchEnd(/[^\s;&"'<>`]{4,128}/y, text, start);
  const password = text.slice(start, end);
  return end >= 0 && !placeholders.test(password) && !samplePasswords.test(password) ? { start, end } : undefined;
}

/** `Authorization: Bearer …`. */
export function headerToken({ text }: Source, start: number, end: number): Span | undefined {
  const length = end - start;
  if ((length !== 6 && length !== 5) || text.charCodeAt(end) !== SPACE) return undefined;
  const first = text.charCodeAt(start) | 32;
  if (first !== LOWER_B && first !== LOWER_T) return undefined;
  const scheme = text.slice(start, end).toLowerCase();
  if (scheme !== "bearer" && scheme !== "basic" && scheme !== "token") return undefined;
  if (scheme !== "bearer" && !/authorization\S{0,3}\s{0,2}$/i.test(text.slice(Math.max(0, start - 20), start)))
    return undefined;
  const to = valueEnd(text, end + 1);
  return isWorthHiding(text.slice(end + 1, to), 10) ? { start: end + 1, end: to } : undefined;
}

const urlLogin = /([^\s/:@"'<>`]{0,80}):([^\s/@"'<>`]{4,200})@/y;
const socketLogin = /():([^\s/:@"'<>`]{4,80})@(?:tcp|unix)\(/y;

/** `scheme://name:password@host`. */
export function urlPassword({ text }: Source, end: number): Span | undefined {
  if (text.charCodeAt(end) !== COLON) return undefined;
  const isUrl = text.startsWith("//", end + 1);
  const pattern = isUrl ? urlLogin : socketLogin;
  pattern.lastIndex = isUrl ? end + 3 : end;
  const match = pattern.exec(text);
  const [login = "", name = "", password = ""] = match ?? [];
  if (!match || placeholders.test(password) || samplePasswords.test(password) || password === name) return undefined;
  if (/^(.)\1*$/.test(password)) return undefined;
  const start = match.index + login.indexOf(":") + 1;
  return { start, end: start + password.length };
}

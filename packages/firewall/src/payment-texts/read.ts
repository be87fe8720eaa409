import { promptRules } from "../prompt/rules.ts";
import { scanPrompt } from "../prompt/scan.ts";
import { isOffer } from "../secrets/tokens.ts";
import { hashed, hashOf, hashStart } from "../text/hashes.ts";
import { type Finding, reviewFrom, severityWeights } from "../verdict.ts";
import {
  KEY_PREFIXES,
  LEXICON,
  LOOKALIKE_LETTERS,
  PATTERNS,
  type Pattern,
  SEED_WORDS_MIN,
  STOP_WORDS,
  type WordClass,
} from "./rules.ts";

/**
 * What the short texts beside a transaction or in a payment requirement show: an instruction to the reader, characters
 * that do not show, a secret, a signed payment.
 */
export type TextSigns = { isInstructing: boolean; isHiding: boolean; hasSecret: boolean; hasPaymentProof: boolean };

export const readText = (text: string): TextSigns => readTexts([text])[0] ?? NO_SIGNS;

/**
 * The signs of each text. Beside a payment a few words are suspect that are ordinary in a document ("mark as safe"): the
 * rules of these texts know them. The prompt scan, which sees through disguises and knows more languages, reads them all
 * at once, as lines of one text: whatever it would show to a person counts here.
 */
export function readTexts(texts: readonly string[]): TextSigns[] {
  const pages: Page[] = [
    { joined: "", lines: [] },
    { joined: "", lines: [] },
  ];
  const signs = texts.map((text): TextSigns => {
    const { isHiding, isPlain } = lookAtCharacters(text);
    const sign = { ...readPlainly(text, isPlain), isHiding };
    const page = pages[isPlain || isMostlyLatin(text) ? 0 : 1];
    if (page && isProse(text, isPlain)) {
      page.lines.push({ start: page.joined.length, sign, findings: [] });
      page.joined += `${text}\n`;
    }
    return sign;
  });
  for (const page of pages) readPage(page);
  return signs;
}

/** Texts that are read together; Latin ones apart, beside which letters drawn like Latin ones would be taken for them. */
type Page = { joined: string; lines: Line[] };

function readPage({ joined, lines }: Page): void {
  if (lines.length === 0) return;
  for (const finding of scanPrompt({ text: joined }).findings)
    if (finding.span) lineAt(lines, finding.span.start)?.findings.push(finding);
  for (const { sign, findings } of lines) {
    sign.isInstructing ||= isSuspect(findings);
    sign.hasSecret ||= findings.some((finding) => isLeak(finding, joined));
  }
}

function isMostlyLatin(text: string): boolean {
  let latin = 0;
  for (let at = 0; at < text.length; at++) if ((FOLDED[text.charCodeAt(at)] ?? 0) !== 0) latin++;
  return latin * 2 > text.length;
}

export const NO_SIGNS: TextSigns = { isInstructing: false, isHiding: false, hasSecret: false, hasPaymentProof: false };

/** A text among those that are read together, and where it begins in them. */
type Line = { start: number; sign: TextSigns; findings: Finding[] };

/** In other scripts a few characters are a sentence. */
const PROSE_LENGTH_MIN = { plain: 10, other: 4 };

/** Addresses, hashes and signatures say nothing, and a neighbour's words must not make a key of one. */
const isProse = (text: string, isPlain: boolean): boolean =>
  text.length >= (isPlain ? PROSE_LENGTH_MIN.plain : PROSE_LENGTH_MIN.other) &&
  !/^(?:0x)?(?:[\da-f]{40}|[\da-f]{64}|[\da-f]{128}|[\da-f]{130})$/i.test(text);

/** The last line that begins at or before a place. */
function lineAt(lines: readonly Line[], at: number): Line | undefined {
  let [low, high] = [0, lines.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((lines[middle]?.start ?? 0) <= at) low = middle;
    else high = middle;
  }
  return lines[low];
}

/** Worth a review without the model, whose lower threshold ordinary words can pass. */
function isSuspect(findings: readonly Finding[]): boolean {
  const weights = new Map<string, number>();
  for (const { code, severity, message } of findings) {
    if (code === promptRules.secret.code || message === promptRules.likelihood.message) continue;
    weights.set(code, Math.max(weights.get(code) ?? 0, severityWeights[severity]));
  }
  return [...weights.values()].reduce((sum, weight) => sum + weight, 0) >= reviewFrom;
}

/** A signed token may be a seller's offer: its claims tell, and are looked at beside. */
const isLeak = ({ code, span }: Finding, text: string): boolean =>
  code === promptRules.secret.code && !(span && text.startsWith("ey", span.start));

/** One pass over the characters and one over the words; nothing is looked at more than a fixed number of times. */
function readPlainly(text: string, isPlain: boolean): Omit<TextSigns, "isHiding"> {
  const plain = isPlain ? text : unmask(text);
  const reading: Reading = {
    text: plain,
    count: 0,
    refusedAt: FAR_BACK,
    reached: null,
    seedWords: 0,
    blobEnd: 0,
    found: new Set(),
    askedAt: NEVER,
  };
  readWords(reading);
  const { found } = reading;
  const isKeyFile = plain.includes("-----BEGIN ") && plain.includes("PRIVATE KEY-----");
  return {
    isInstructing: found.has("instruction") || reading.askedAt !== NEVER,
    hasSecret: found.has("secret") || isKeyFile || (found.has("seedRow") && found.has("seedWord")),
    hasPaymentProof: found.has("proof"),
  };
}

/** What is said by base64 that begins like JSON: a payment someone signed, a bearer token, or nothing of the kind. */
function readBlob(blob: string): "proof" | "token" | null {
  const [head = "", body = ""] = blob.split(".", 2).map(decodeBase64);
  if (isProofText(head)) return "proof";
  const isToken = head.includes('"alg"') && CLAIMS.some((claim) => body.includes(claim)) && !isOffer(head, body);
  return isToken ? "token" : null;
}

type Found = "instruction" | "secret" | "seedWord" | "seedRow" | "proof";

type Reading = {
  text: string;
  /** Words so far. */
  count: number;
  refusedAt: number;
  /** For each step of each pattern, the last word that completed it. */
  reached: Int32Array | null;
  seedWords: number;
  /** Base64 up to here was read already. */
  blobEnd: number;
  found: Set<Found>;
  /** The word that completed a request which its next words may yet excuse. */
  askedAt: number;
};

const NEVER = -1;
/** How many words later it still may be told where a key is to be put. */
const EXCUSE_REACH = 8;

const FAR_BACK = -1_000_000;
/** How many words a "never" reaches forward. */
const REFUSAL_REACH = 4;
const LONG_WORD = 14;
const KEY_VARIETY = 5;
const CLAIMS = ['"sub"', '"exp"', '"aud"', '"iat"', '"iss"'];

function readWords(reading: Reading): void {
  const { text } = reading;
  let start = -1;
  let hash = hashStart;
  let isLower = true;
  let gapStart = 0;
  for (let at = 0; at <= text.length; at++) {
    const code = at < text.length ? text.charCodeAt(at) : 0;
    const folded = code < 128 ? (FOLDED[code] ?? 0) : code;
    if (folded !== 0) {
      if (start === -1) {
        if (at - gapStart > 2) reading.seedWords = 0;
        start = at;
        hash = hashStart;
        isLower = true;
      }
      if (code < 97 || code > 122) isLower = false;
      hash = hashed(hash, folded);
    } else if (start !== -1) {
      readWord(reading, start, at, hash & SMALL, isLower);
      start = -1;
      gapStart = at;
      if (code !== 32 && code !== 10 && code !== 13 && code !== 44) reading.seedWords = 0;
    }
  }
}

function readWord(reading: Reading, start: number, end: number, hash: number, isLower: boolean): void {
  const length = end - start;
  reading.count++;
  countSeedWord(reading, isLower && length >= 3 && length <= 8 && !stopWords.has(hash));
  if (length >= LONG_WORD || reading.text.charCodeAt(end) === 45) readLongWord(reading, start, end);
  const entry = words.get(hash);
  if (entry === undefined || !isSameWord(reading.text, start, end, entry.word)) return;
  const { classes } = entry;
  advance(reading, entry.steps);
  if (classes.has("not")) reading.refusedAt = reading.count;
  if (classes.has("slot") && reading.count - reading.askedAt <= EXCUSE_REACH) reading.askedAt = NEVER;
  if (classes.has("phraseWord")) reading.found.add("seedWord");
  if (classes.has("role") && opensTurn(reading.text, start, end)) reading.found.add("instruction");
  if (classes.has("marker") && isMarker(reading.text, start, end)) reading.found.add("instruction");
  if (classes.has("password") && isAssigned(reading.text, end)) reading.found.add("secret");
}

/** Later words only ever replace earlier ones, so remembering the last of each step is enough. */
function advance(reading: Reading, steps: readonly Step[]): void {
  reading.reached ??= new Int32Array(STEPS_ALL).fill(FAR_BACK);
  const { reached, count } = reading;
  for (const { slot, isFirst, isLast, pattern } of steps) {
    const isRefused = pattern.unless !== undefined && count - reading.refusedAt <= REFUSAL_REACH;
    const follows = isFirst ? !isRefused : count - (reached[slot - 1] ?? FAR_BACK) <= pattern.gap;
    if (!follows) continue;
    reached[slot] = count;
    if (!isLast) continue;
    if (pattern.means === "request") reading.askedAt = count;
    else reading.found.add(pattern.means);
  }
}

function isSameWord(text: string, start: number, end: number, word: string): boolean {
  return end - start === word.length && text.slice(start, end).toLowerCase() === word;
}

function countSeedWord(reading: Reading, couldBe: boolean): void {
  reading.seedWords = couldBe ? reading.seedWords + 1 : 0;
  if (reading.seedWords >= SEED_WORDS_MIN) reading.found.add("seedRow");
}

function readLongWord(reading: Reading, start: number, end: number): void {
  const { text } = reading;
  if (isHex64(text, start, end)) advance(reading, hex64Steps);
  const prefixes = reading.found.has("secret") ? undefined : keyPrefixes.get(text.charCodeAt(start));
  for (const [prefix, following] of prefixes ?? []) {
    const from = start + prefix.length;
    if (beginsWith(text, prefix, start) && holdsKey(text, from, following)) reading.found.add("secret");
  }
  if (start < reading.blobEnd || !(beginsWith(text, "ey", start) || beginsWith(text, "ew", start))) return;
  reading.blobEnd = blobEndOf(text, start);
  const blob = readBlob(text.slice(start, reading.blobEnd));
  if (blob === "proof") reading.found.add("proof");
  if (blob === "token") reading.found.add("secret");
}

function isHex64(text: string, start: number, end: number): boolean {
  const from = end - start === 66 && text.startsWith("0x", start) ? start + 2 : start;
  if (end - from !== 64) return false;
  for (let at = from; at < end; at++) if (HEX_CODES[text.charCodeAt(at)] !== 1) return false;
  return true;
}

function beginsWith(text: string, prefix: string, start: number): boolean {
  for (let at = 0; at < prefix.length; at++) if (text.charCodeAt(start + at) !== prefix.charCodeAt(at)) return false;
  return true;
}

/** At least `length` characters of a key that are not a placeholder such as xxxx or EXAMPLE. */
function holdsKey(text: string, from: number, length: number): boolean {
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

function blobEndOf(text: string, start: number): number {
  let at = start;
  while (at < text.length && BLOB_CODES[text.charCodeAt(at)] === 1) at++;
  return at;
}

function isProofText(text: string): boolean {
  if (!text.includes('"signature"')) return false;
  return ['"x402Version"', '"authorization"', '"permit2Authorization"', '"payload"'].some((key) => text.includes(key));
}

/** `system:` at the beginning of a line, perhaps behind a list mark. */
function opensTurn(text: string, start: number, end: number): boolean {
  let after = end;
  while (after < end + 4 && " *]>".includes(text.charAt(after)) && after < text.length) after++;
  if (text.charAt(after) !== ":") return false;
  let before = start - 1;
  while (before > start - 8 && before >= 0 && " \t*#[<-".includes(text.charAt(before))) before--;
  return before < 0 || "\n\r.!?".includes(text.charAt(before));
}

/** `<|im_start`, `[INST`, `<system>`. */
function isMarker(text: string, start: number, end: number): boolean {
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

/** `= value` or `: value`, with something long enough to be one. */
function isAssigned(text: string, end: number): boolean {
  let at = end;
  while (at < end + 3 && " \"'".includes(text.charAt(at)) && at < text.length) at++;
  if (text.charAt(at) !== ":" && text.charAt(at) !== "=") return false;
  at++;
  while (at < end + 8 && " \"'".includes(text.charAt(at)) && at < text.length) at++;
  return holdsKey(text, at, 8);
}

function lookAtCharacters(text: string): { isHiding: boolean; isPlain: boolean } {
  let isHiding = false;
  let isPlain = true;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 127) continue;
    isPlain = false;
    if (isHidden(code)) isHiding = true;
  }
  return { isHiding, isPlain };
}

/** Zero-width, bidirectional and invisible operators, and the surrogates of tag characters. Joiners have honest uses. */
const isHidden = (code: number): boolean =>
  code === 0x200b ||
  (code >= 0x202a && code <= 0x202e) ||
  (code >= 0x2060 && code <= 0x2069) ||
  code === 0xfeff ||
  code === TAG_SURROGATE;

/** The same text with compatibility forms, look-alike letters and invisible characters taken away. */
function unmask(text: string): string {
  const shown = text.normalize("NFKC");
  const codes = new Uint16Array(shown.length);
  let length = 0;
  for (let at = 0; at < shown.length; at++) {
    const code = shown.charCodeAt(at);
    if (code < 128) codes[length++] = code;
    else if (code === TAG_SURROGATE) at++;
    else if (!isDropped(code)) codes[length++] = lookalikes.get(code) ?? code;
  }
  let plain = "";
  for (let at = 0; at < length; at += CHUNK)
    plain += String.fromCharCode(...codes.subarray(at, Math.min(length, at + CHUNK)));
  return plain;
}

const CHUNK = 4096;
const TAG_SURROGATE = 0xdb40;

/** Beside what is hidden on purpose: joiners, soft hyphens and variation selectors. */
const isDropped = (code: number): boolean =>
  isHidden(code) || code === 0xad || (code >= 0x200b && code <= 0x200f) || (code >= 0xfe00 && code <= 0xfe0f);

function decodeBase64(text: string): string {
  let decoded = "";
  let bits = 0;
  let held = 0;
  for (let at = 0; at < text.length; at++) {
    const value = BASE64.get(text.charCodeAt(at));
    if (value === undefined) continue;
    bits = ((bits << 6) | value) & 0xffff;
    held += 6;
    if (held >= 8) {
      held -= 8;
      decoded += String.fromCharCode((bits >> held) & 0xff);
    }
  }
  return decoded;
}

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const codesOf = (characters: string): Uint8Array => {
  const codes = new Uint8Array(128);
  for (const char of characters) codes[char.charCodeAt(0)] = 1;
  return codes;
};
/** Lower case for letters, digits and underscores, 0 for what parts words. */
const FOLDED = new Uint8Array(128);
for (const char of `${LETTERS}_`) FOLDED[char.charCodeAt(0)] = char.toLowerCase().charCodeAt(0);
const HEX_CODES = codesOf("0123456789abcdefABCDEF");
const KEY_CODES = codesOf(`${LETTERS}_-`);
const BLOB_CODES = codesOf(`${LETTERS}+/_-=.`);
const BASE64 = new Map([
  ...[...`${LETTERS}+/`].map((char, value) => [char.charCodeAt(0), value] as const),
  [45, 62] as const,
  [95, 63] as const,
]);

/** Engines keep integers of 30 bits without allocating. */
const SMALL = 0x3fffffff;
const smallHashOf = (word: string): number => hashOf(word) & SMALL;

/** A place in a pattern that a class of words fills; all places of all patterns are numbered through. */
type Step = { slot: number; isFirst: boolean; isLast: boolean; pattern: Pattern };

const STEPS_ALL = PATTERNS.reduce((sum, { steps }) => sum + steps.length, 0);
const allSteps = PATTERNS.flatMap((pattern) =>
  pattern.steps.map((name, step) => ({
    name,
    isFirst: step === 0,
    isLast: step === pattern.steps.length - 1,
    pattern,
  })),
).map((step, slot) => ({ ...step, slot }));

/** Later steps come first: one word never takes two steps of a pattern. */
const stepsOf = (classes: ReadonlySet<WordClass>): Step[] => allSteps.filter(({ name }) => classes.has(name)).reverse();

const hex64Steps = stepsOf(new Set(["hex64"]));
const stopWords = new Set(STOP_WORDS.split(" ").map(smallHashOf));
const lookalikes = new Map(
  Object.entries(LOOKALIKE_LETTERS).flatMap(([letter, latin]) =>
    [letter, letter.toUpperCase()].map((form) => [form.charCodeAt(0), latin.charCodeAt(0)] as const),
  ),
);

const keyPrefixes = new Map<number, (readonly [string, number])[]>();
for (const entry of KEY_PREFIXES) {
  const first = entry[0].charCodeAt(0);
  keyPrefixes.set(first, [...(keyPrefixes.get(first) ?? []), entry]);
}

const words = new Map<number, { word: string; classes: Set<WordClass>; steps: Step[] }>();
for (const name of Object.keys(LEXICON) as (keyof typeof LEXICON)[]) {
  for (const word of LEXICON[name].split(" ")) {
    const classes = new Set([...(words.get(smallHashOf(word))?.classes ?? []), name]);
    words.set(smallHashOf(word), { word, classes, steps: stepsOf(classes) });
  }
}

import { decodedBase64 } from "../text/runs.ts";
import { isLetterOrDigit, spanOf, type View } from "../text/view.ts";
import type { Words } from "../text/words.ts";
import type { Span } from "../verdict.ts";
import { mnemonics } from "./mnemonic.ts";
import {
  accountWords,
  foreignKeyLabels,
  formWords,
  keyNouns,
  keyQualifiers,
  placeholders,
  privateKeyLabels,
  publicHexLabels,
  publicNames,
  secretNames,
  signingWords,
  walletKeyLabels,
} from "./rules.ts";
import { byLength, byStart, followers, keyStarts, pairAt, startOf, tellingLengths } from "./starts.ts";
import { isOffer } from "./tokens.ts";
import {
  decodedPart,
  endsValue,
  isBase64,
  isHex,
  isProof,
  isRandom,
  isWif,
  isWorthHiding,
  mayGive,
  valueAfter,
  valueEnd,
  withScheme,
} from "./values.ts";

const secretsMax = 200;
const [COLON, DASH, SPACE, DOT, TILDE] = [58, 45, 32, 46, 126];
const [BRACKET, QUOTE] = [91, 62];
const [UPPER_B, LOWER_C, LOWER_E, LOWER_U] = [66, 99, 101, 117];
/** No name of a secret is shorter. */
const nameMin = 3;
/** Shorter passwords are examples, shorter values of other names settings. */
const [passwordMin, namedMin] = [6, 12];
const proofLengthMax = 16_384;
/** More tokens than this are not decoded to see whose they are. */
const tokensReadMax = 32;
/** As in MAIN_PRIVATE_KEY. */
const nameWordsBefore = 2;
/** A key of 32 bytes in two groups. */
const halves = /(?:0x)?[\da-f]{32}\s[\da-f]{32}(?![\da-z])/iy;
/** Of so many words in the form of a Bitcoin key the checksum is computed. */
const wifsMax = 32;
/** Random bytes differ more than a table's or a picture's. */
const keypairVariety = 36;
/** Before a number, in units. */
const foreignLabelMax = 48;
/** Between the keys of a list: a line's end and a number in brackets. */
const listGapMax = 8;

/** A secret that moves money by itself is told apart: a private key, a recovery phrase, a signed payment. */
export type Secret = Span & { isWallet: boolean };

/** Where the text shows secrets, in the original's units. */
export function secretsIn(view: View, words: Words): Secret[] {
  const search = new Search(view.text, words);
  return search.run().map(({ start, end, isWallet }) => secretAt(spanOf(view, start, end), isWallet));
}

// Spelt out here as elsewhere: copying objects by spreading them takes many times as long.
const secretAt = ({ start, end }: Span, isWallet: boolean): Secret => ({ start, end, isWallet });

export function merged(spans: readonly Span[]): Span[] {
  const out: Span[] = [];
  for (const span of [...spans].sort((a, b) => a.start - b.start || a.end - b.end)) {
    const last = out.at(-1);
    if (last && span.start <= last.end) last.end = Math.max(last.end, span.end);
    else out.push({ start: span.start, end: span.end });
  }
  return out;
}

class Search {
  private readonly found: Secret[] = [];
  /** End of the last run of base64 looked at: no later start inside it can tell anything else. */
  private runEnd = 0;
  private lastCurl = -1;
  private tokens = 0;
  private isAboutPayments: boolean | undefined;
  private wifsLeft = wifsMax;

  constructor(
    private readonly text: string,
    private readonly words: Words,
  ) {}

  run(): Secret[] {
    const { text, words } = this;
    this.runThrough(words, text.length);
    for (const { first, last } of mnemonics(text, words))
      this.found.push({ start: words.start[first] ?? 0, end: words.end[last] ?? 0, isWallet: true });
    return this.found;
  }

  /** Most words tell by their first letters, their length and what follows them that they neither begin nor name a secret. */
  private runThrough({ units, start: starts, end: ends, count }: Words, limit: number): void {
    const [keys, lengths, follows] = [keyStarts, tellingLengths, followers];
    const [bracket, dash, letterE, letterI, letterS, letterU, letterY] = [91, 45, 101, 105, 115, 117, 121];
    let covered = 0;
    for (let i = 0; i < count; i++) {
      const [start, end] = [starts[i] ?? 0, ends[i] ?? 0];
      if (start < covered) continue;
      const length = end - start;
      const first = units[start] ?? 0;
      const next = end < limit ? (units[end] ?? 0) : 0;
      const follow = next < 128 ? (follows[next] ?? 0) : 0;
      const before = start > 0 ? (units[start - 1] ?? 0) : 0;
      // Letters alone, and two with a space after them, begin and name nothing, save curl's option and one kind of key.
      if (length <= 2 && before !== bracket && first !== letterU && first !== letterS)
        if (follow === 1 || (length === 1 && follow !== 4)) continue;
      let isTelling =
        length >= 32 && (length >= 64 || length === 32 || length === 34 || length === 51 || length === 52);
      if (before === bracket && length <= 3) isTelling = true;
      if (!isTelling && first < 128 && start + 2 < limit) {
        const [second, third] = [units[start + 1] ?? 0, units[start + 2] ?? 0];
        const bit = startOf(first, second, third);
        if (((keys[bit >> 5] ?? 0) & (1 << (bit & 31))) !== 0) isTelling = true;
        else if (length < 7 && ((lengths[first] ?? 0) & (1 << length)) !== 0) isTelling = true;
        else if (first === letterE && second === letterY && start >= this.runEnd) isTelling = true;
      }
      if (!isTelling) {
        if (follow === 0 || (length === 1 && follow !== 4)) continue;
        if (follow === 1) {
          if (length < 3) continue;
          const after = end + 1 < limit ? (units[end + 1] ?? 0) : 0;
          const isGiven = after === letterI && end + 2 < limit && units[end + 2] === letterS;
          if (before !== dash && !isGiven && isLetterOrDigit(after)) continue;
        } else if (follow === 2 ? !byLength.has(length) : follow !== 4 && length < 3) continue;
      }
      const secret = this.at(i, start, end);
      if (!secret) continue;
      this.found.push(secret);
      if (this.found.length >= secretsMax) return;
      covered = secret.end;
    }
  }

  /** Each kind is looked for where a word's first letter, its length or what follows it allow for one. */
  private at(i: number, start: number, end: number): Secret | undefined {
    const { text } = this;
    const wallet = this.walletKey(i, start, end);
    if (wallet) return secretAt(wallet, true);
    const first = text.charCodeAt(start);
    const token = first === LOWER_E ? this.token(start, end) : undefined;
    if (token) return token;
    const next = end < text.length ? text.charCodeAt(end) : 0;
    const span = this.key(start, end, next);
    if (span) return secretAt(span, text.startsWith("xprv", span.start));
    return this.given(i, start, end);
  }

  /** A key that moves money, by its form or by what is said of it. */
  private walletKey(i: number, start: number, end: number): Span | undefined {
    const length = end - start;
    if (length >= 64) return this.hex(i, start, end);
    if (length === 32 || length === 34) return this.split(i, start, end);
    if (length === 51 || length === 52) return this.wif(start, end);
    if (length <= 3 && this.text.charCodeAt(start - 1) === BRACKET) return this.keypair(start - 1);
    return undefined;
  }

  /** A private key in two groups of 32 digits. */
  private split(i: number, start: number, end: number): Span | undefined {
    const { text, words } = this;
    if (i + 1 >= words.count) return undefined;
    const [from, to] = [words.start[i + 1] ?? 0, words.end[i + 1] ?? 0];
    if (to - from !== 32 || from - end > 2 || !isHex(text, from, to) || !isHex(text, end - 32, end)) return undefined;
    return this.isLabelledPrivate(i) ? { start, end: to } : undefined;
  }

  /** Bitcoin's form of a private key has a checksum. */
  private wif(start: number, end: number): Span | undefined {
    if (this.wifsLeft === 0 || !/^[5KL][1-9A-HJ-NP-Za-km-z]+$/.test(this.text.slice(start, end))) return undefined;
    this.wifsLeft--;
    return isWif(this.text.slice(start, end)) ? { start, end } : undefined;
  }

  /** Solana's: 64 bytes as a list of numbers. */
  private keypair(start: number): Span | undefined {
    const list = /\[\s{0,4}(?:\d{1,3}\s{0,4},\s{0,8}){63}\d{1,3}\s{0,4}\]/y;
    list.lastIndex = start;
    const numbers = list.exec(this.text)?.[0].match(/\d+/g)?.map(Number) ?? [];
    const isBytes = numbers.length === 64 && numbers.every((byte) => byte < 256);
    return isBytes && new Set(numbers).size >= keypairVariety ? { start, end: list.lastIndex } : undefined;
  }

  private given(i: number, start: number, end: number): Secret | undefined {
    const { text } = this;
    const first = text.charCodeAt(start);
    const next = end < text.length ? text.charCodeAt(end) : 0;
    const pem = end - start === 5 && first === UPPER_B ? this.pem(start, end) : undefined;
    if (pem) return secretAt(pem, true);
    let span: Span | undefined;
    const named = end - start >= nameMin && mayGive(text, start, end, next) && this.named(i, start, end);
    if (named) return secretAt(named, this.isWalletKey(i, named));
    if (next === SPACE && (end - start === 5 || end - start === 6)) span = this.header(start, end);
    if (!span && (first === LOWER_C || first === LOWER_U)) span = this.curl(start, end);
    if (!span && next === COLON) span = this.inAddress(end);
    return span && secretAt(span, false);
  }

  private key(start: number, end: number, next: number): Span | undefined {
    const pair = end - start > 1 || next !== 0 ? pairAt(this.text, start) : 0;
    const patterns = byStart.get(pair);
    if (patterns) {
      patterns.any.lastIndex = start;
      if (patterns.any.test(this.text))
        for (const pattern of patterns.each) {
          const span = this.read(pattern, start);
          if (span) return span;
        }
    }
    if (next === TILDE) return this.entra(start, end);
    const pattern = next === COLON || next === DOT || next === DASH ? byLength.get(end - start) : undefined;
    return pattern && this.read(pattern, start);
  }

  /** Client secrets of Microsoft Entra: three characters, a digit, "Q~" and 31 to 34 more. */
  private entra(start: number, end: number): Span | undefined {
    if (!/\dQ$/.test(this.text.slice(start, end))) return undefined;
    const rest = /~[\w~.-]{31,34}(?![\w~.-])/y;
    rest.lastIndex = end;
    return rest.test(this.text) && isRandom(this.text.slice(end, rest.lastIndex))
      ? { start: Math.max(0, end - 5), end: rest.lastIndex }
      : undefined;
  }

  private read(pattern: RegExp, start: number): Span | undefined {
    pattern.lastIndex = start;
    const [match] = pattern.exec(this.text) ?? [];
    // Inside a file name or a host the same letters are no key.
    const before = this.text.charCodeAt(start - 1);
    if (before === DOT || before === DASH) return undefined;
    return match !== undefined && isRandom(match)
      ? { start: withScheme(this.text, start), end: start + match.length }
      : undefined;
  }

  /** JSON web tokens, and payment proofs: JSON in base64 begins with eyJ. */
  private token(start: number, end: number): Secret | undefined {
    const { text } = this;
    if (start < this.runEnd || end - start < 3 || !text.startsWith("eyJ", start)) return undefined;
    let to = start;
    let dots = 0;
    const { units } = this.words;
    const limit = Math.min(text.length, start + proofLengthMax);
    for (; to < limit; to++) {
      const unit = units[to] ?? 0;
      if (isBase64(unit)) continue;
      const next = to + 1 < text.length ? (units[to + 1] ?? 0) : 0;
      if (unit !== DOT || dots >= 4 || !(isBase64(next) || next === DOT)) break;
      dots++;
    }
    this.runEnd = to;
    if (dots >= 1 && to - start >= 36) {
      if (this.tokens++ >= tokensReadMax) return { start, end: to, isWallet: false };
      const [header = "", claims = ""] = text.slice(start, to).split(".", 2).map(decodedPart);
      return isOffer(header, claims) ? undefined : { start, end: to, isWallet: false };
    }
    if (to - start < 60) return undefined;
    const decoded = decodedBase64(text.slice(start, to)) ?? "";
    return isProof(decoded) ? { start, end: to, isWallet: true } : undefined;
  }

  /** 64 digits are a private key or a public hash: the words before them say which. 130 after "signature" sign something. */
  private hex(i: number, start: number, end: number): Span | undefined {
    const { text } = this;
    // Chinese and Japanese leave no space between the label and the number.
    let first = start;
    while (first < end && text.charCodeAt(first) > 127) first++;
    const from = text.charCodeAt(first + 1) === 120 && text.charCodeAt(first) === 48 ? first + 2 : first;
    const length = end - from;
    if ((length !== 64 && length !== 130) || !isHex(text, from, end)) return undefined;
    if (length === 130) return this.isSignature(i) ? { start, end } : undefined;
    const isPrivate =
      this.isListed(start) || this.isLabelledPrivate(i) || this.isCalledPrivate(i) || this.isLabelledAbroad(first);
    return isPrivate && isRandom(text.slice(from, end)) ? { start: first, end } : undefined;
  }

  /** The next one of a list of keys, numbered or not. */
  private isListed(start: number): boolean {
    const last = this.found.at(-1);
    if (!last?.isWallet || start - last.end > listGapMax) return false;
    return !/[A-Za-z]/.test(this.text.slice(last.end, start));
  }

  /** `private key: 0x…`; what is called a mere secret, and has no prefix, may be an application's. */
  private isWalletKey(i: number, { start, end }: Span): boolean {
    const { text, words } = this;
    const hasPrefix = text.startsWith("0x", start);
    const digits = text.slice(hasPrefix ? start + 2 : start, end).replace(/\s/, "");
    if (digits.length !== 64 || !isHex(digits, 0, 64)) return false;
    let first = i;
    while (first > 0 && first > i - nameWordsBefore && (words.start[first] ?? 0) - (words.end[first - 1] ?? 0) === 1)
      first--;
    const name = text.slice(words.start[first], words.end[i]).toLowerCase();
    return (hasPrefix ? privateKeyLabels : walletKeyLabels).test(name);
  }

  private isLabelledPrivate(i: number): boolean {
    const { words } = this;
    for (let back = i - 1; back >= 0 && back >= i - 6; back--) {
      const word = this.wordAt(back);
      // The label of another number between: "the private key of address 0x… is".
      if (/^0x[\da-f]{8,}$|^\d+$/.test(word)) {
        if (back > 0 && publicHexLabels.test(this.wordAt(back - 1))) back--;
        continue;
      }
      const isKeyValue = formWords.test(word) && back > 0 && this.wordAt(back - 1).endsWith("key");
      if (publicHexLabels.test(word) && !isKeyValue) return false;
      if (privateKeyLabels.test(word)) return true;
      if (back === i - 1 && this.isAccountKey(back, word)) return true;
      if (word === "key") continue;
      if ((words.start[i] ?? 0) - (words.start[back] ?? 0) > 60) return false;
    }
    return false;
  }

  /** `ETH_KEY=`, `import this key:`, `sign with 0x…`, `accounts: ["0x…"]`. */
  private isAccountKey(at: number, word: string): boolean {
    const before = at > 0 ? this.wordAt(at - 1) : "";
    if (signingWords.test(word)) return before === "sign";
    if (word === "accounts") return this.text.slice(this.words.end[at], this.words.start[at + 1]).includes("[");
    const named = /^(?:this|the|my|our|your|following)$/.test(before) && at > 1 ? this.wordAt(at - 2) : before;
    return word === "key" && accountWords.test(named);
  }

  /** In the languages whose words for a private key are known here. */
  private isLabelledAbroad(start: number): boolean {
    return foreignKeyLabels.test(this.text.slice(Math.max(0, start - foreignLabelMax), start).toLowerCase());
  }

  /** `0x… is my private key`. */
  private isCalledPrivate(i: number): boolean {
    if (i + 1 >= this.words.count || !/^(?:is|was|as)$/.test(this.wordAt(i + 1))) return false;
    for (let next = i + 2; next < this.words.count && next <= i + 6; next++) {
      const word = this.wordAt(next);
      if (publicHexLabels.test(word)) return false;
      if (keyNouns.test(word)) return true;
    }
    return false;
  }

  private wordAt(i: number): string {
    return this.text.slice(this.words.start[i], this.words.end[i]).toLowerCase();
  }

  private isSignature(i: number): boolean {
    const before = i > 0 ? this.wordAt(i - 1) : "";
    if (!/^(?:signature|sig|usersignature|mandatesignature)$/.test(before)) return false;
    this.isAboutPayments ??= /authorization|mandate|permit|x402|payload|intent/i.test(
      this.text.slice(0, proofLengthMax),
    );
    return this.isAboutPayments;
  }

  private pem(start: number, end: number): Span | undefined {
    const { text } = this;
    if (end - start !== 5 || !text.startsWith("-----BEGIN ", start - 5)) return undefined;
    const headEnd = text.indexOf("-----", end);
    if (headEnd < 0 || headEnd - end > 40 || !text.slice(end, headEnd).includes("PRIVATE KEY")) return undefined;
    let to = headEnd + 5;
    while (
      to < text.length &&
      (isBase64(text.charCodeAt(to)) ||
        text.charCodeAt(to) <= SPACE ||
        text.charCodeAt(to) === 92 ||
        text.charCodeAt(to) === COLON ||
        text.charCodeAt(to) === QUOTE ||
        text.charCodeAt(to) === 44) &&
      !text.startsWith("-----", to)
    )
      to++;
    if (to - headEnd < 40) return undefined;
    const tail = text.startsWith("-----END", to) ? text.indexOf("-----", to + 8) : -1;
    return { start: start - 5, end: tail < 0 || tail - to > 60 ? to : tail + 5 };
  }

  /** `password = …`, `"apiKey": "…"`, `password is …`. */
  private named(i: number, start: number, end: number): Span | undefined {
    const { text } = this;
    const valueStart = valueAfter(text, end, text.charCodeAt(start - 1) === DASH);
    if (valueStart < 0 || end - start > 40) return undefined;
    for (let i = valueStart; i < valueStart + passwordMin; i++)
      if (i >= text.length || endsValue(text.charCodeAt(i))) return undefined;
    const name = text.slice(start, end).toLowerCase();
    const before = i > 0 && start - (this.words.end[i - 1] ?? 0) === 1 ? this.wordAt(i - 1) : "";
    const isSecret = secretNames.test(name)
      ? !publicNames.test(before) && !publicNames.test(name.replace(secretNames, ""))
      : /key\d?$/.test(name) && keyQualifiers.test(name === "key" ? before : name.replace(/key\d?$/, ""));
    if (!isSecret) return undefined;
    halves.lastIndex = valueStart;
    const to = halves.test(text) ? halves.lastIndex : valueEnd(text, valueStart);
    const value = text.slice(valueStart, to);
    const isPassword = /^pass|pwd|pass(?:wor)?d$|passphrase/.test(name);
    return isWorthHiding(value, isPassword ? passwordMin : namedMin) ? { start: valueStart, end: to } : undefined;
  }

  /** `Authorization: Bearer …`. */
  private header(start: number, end: number): Span | undefined {
    const { text } = this;
    const length = end - start;
    if ((length !== 6 && length !== 5) || text.charCodeAt(end) !== SPACE) return undefined;
    const scheme = text.slice(start, end).toLowerCase();
    if (scheme !== "bearer" && scheme !== "basic" && scheme !== "token") return undefined;
    if (scheme === "token" && !/authorization\S{0,3}\s{0,2}$/i.test(text.slice(Math.max(0, start - 20), start)))
      return undefined;
    if (scheme === "basic" && !/authorization\S{0,3}\s{0,2}$/i.test(text.slice(Math.max(0, start - 20), start)))
      return undefined;
    const to = valueEnd(text, end + 1);
    return isWorthHiding(text.slice(end + 1, to), 10) ? { start: end + 1, end: to } : undefined;
  }

  /** `curl -u name:password`. */
  private curl(start: number, end: number): Span | undefined {
    const { text } = this;
    if (end - start === 4 && text.startsWith("curl", start)) this.lastCurl = start;
    const isOption =
      (end - start === 1 && text.charAt(start) === "u" && text.charCodeAt(start - 1) === DASH) ||
      (end - start === 4 && text.startsWith("--user", start - 2));
    if (!isOption || this.lastCurl < 0 || start - this.lastCurl > 500) return undefined;
    const open = /[\s="']{0,3}/y;
    open.lastIndex = end;
    const from = end + (open.exec(text)?.[0].length ?? 0);
    const to = valueEnd(text, from);
    const colon = text.slice(from, to).indexOf(":");
    const password = colon < 0 ? "" : text.slice(from + colon + 1, to);
    return password.length >= 6 && !placeholders.test(password) && !/^password$|\$|^<|^\*/i.test(password)
      ? { start: from + colon + 1, end: to }
      : undefined;
  }

  /** `scheme://name:password@host`. */
  private inAddress(end: number): Span | undefined {
    const { text } = this;
    if (text.charCodeAt(end) !== COLON || !text.startsWith("//", end + 1)) return undefined;
    const pattern = /[^\s/:@"'<>`]{0,80}:([^\s/@"'<>`]{3,200})@/y;
    pattern.lastIndex = end + 3;
    const match = pattern.exec(text);
    const password = match?.[1] ?? "";
    if (!match || placeholders.test(password) || /^(?:password|pass|pwd|secret|\$.*)$/i.test(password))
      return undefined;
    return { start: pattern.lastIndex - password.length - 1, end: pattern.lastIndex - 1 };
  }
}

import { decodedBase64 } from "../text/runs.ts";
import { isLetterOrDigit, spanOf, type View } from "../text/view.ts";
import type { Words } from "../text/words.ts";
import type { Span } from "../verdict.ts";
import { commandPassword } from "./assignments.ts";
import {
  endsAsName,
  entraSecret,
  headerToken,
  keyOf,
  namedValue,
  pemKey,
  solanaKey,
  splitKey,
  urlPassword,
} from "./forms.ts";
import { isCalledPrivate, isLabelledAbroad, isLabelledPrivate, isWalletKey, wordAt } from "./labels.ts";
import { mnemonics } from "./mnemonic.ts";
import { markedKeys, publishedPhrases } from "./rules.ts";
import { curlCredential, spacedNames, spacedValue } from "./spaced.ts";
import { byLength, followers, keyStarts, patternsAt, startOf, tellingLengths } from "./starts.ts";
import { isOffer } from "./tokens.ts";
import { decodedPart, isBase64, isHex, isProof, isRandom, isWif, mayGive } from "./values.ts";

const secretsMax = 200;
const [COLON, DASH, SPACE, DOT, TILDE] = [58, 45, 32, 46, 126];
const [BRACKET, BAR] = [91, 124];
const [UPPER_B, LOWER_C, LOWER_E, LOWER_U] = [66, 99, 101, 117];
const markedMin = Math.min(...markedKeys.map(([length]) => length));
/** No name of a secret is shorter, in units. */
const nameMin = 3;
const proofLengthMax = 16_384;
/** Further tokens count as secrets without being decoded. */
const tokensReadMax = 32;
/** The first three words, with numbers and signs between them. */
const publishedLengthMax = 40;
/** Bounds the checksums computed per text. */
const wifsMax = 32;
/** Between two keys of a list, in units: a line end and a number in brackets. */
const listGapMax = 8;

/** `isWallet`: it moves money by itself, as a private key, a recovery phrase or a signed payment does. */
export type Secret = Span & { isWallet: boolean };

/** The secrets in a text, at places of the original. */
export function secretsIn(view: View, words: Words): Secret[] {
  const search = new Search(view.text, words);
  return search.run().map(({ start, end, isWallet }) => secretAt(spanOf(view, start, end), isWallet));
}

// Written out: spreading objects is several times slower.
const secretAt = ({ start, end }: Span, isWallet: boolean): Secret => ({ start, end, isWallet });

/** The spans in order, with overlapping and adjacent ones joined. */
export function merged(spans: readonly Span[]): Span[] {
  const joinedSpans: Span[] = [];
  for (const span of [...spans].sort((a, b) => a.start - b.start || a.end - b.end)) {
    const last = joinedSpans.at(-1);
    if (last && span.start <= last.end) last.end = Math.max(last.end, span.end);
    else joinedSpans.push({ start: span.start, end: span.end });
  }
  return joinedSpans;
}

class Search {
  private readonly found: Secret[] = [];
  /** End of the last run of base64 that was read. Later starts inside it are skipped. */
  private runEnd = 0;
  private lastCurl = -1;
  private tokens = 0;
  private isAboutPayments: boolean | undefined;
  private wifsLeft = wifsMax;

  constructor(
    readonly text: string,
    readonly words: Words,
  ) {}

  run(): Secret[] {
    const { text, words } = this;
    this.runThrough(words, text.length);
    for (const { first, last } of mnemonics(text, words)) {
      const [start, end] = [words.start[first] ?? 0, words.end[last] ?? 0];
      const isPublished = publishedPhrases.test(text.slice(start, start + publishedLengthMax));
      this.found.push({ start, end, isWallet: !isPublished });
    }
    return this.found;
  }

  /**
   * Finds the secrets other than recovery phrases. Most words are dismissed by their first letters, their length and
   * the unit after them: they can neither start a secret nor name one.
   */
  private runThrough(words: Words, limit: number): void {
    const { units, start: starts, end: ends, count } = words;
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
      const previousUnit = start > 0 ? (units[start - 1] ?? 0) : 0;
      // Single letters, and two letters before a space, start and name nothing, except for curl's `-u` and one kind
      // of key.
      if (length <= 2 && previousUnit !== bracket && first !== letterU && first !== letterS)
        if (follow === 1 || (length === 1 && follow !== 4)) continue;
      let isTelling =
        length >= 32 &&
        (length >= 64 || length === 32 || length === 34 || length === 40 || length === 51 || length === 52);
      if (previousUnit === bracket && length <= 3) isTelling = true;
      if (!isTelling && first < 128 && start + 2 < limit) {
        const [second, third] = [units[start + 1] ?? 0, units[start + 2] ?? 0];
        const bit = startOf(first, second, third);
        if (((keys[bit >> 5] ?? 0) & (1 << (bit & 31))) !== 0) isTelling = true;
        else if (length < 7 && ((lengths[first] ?? 0) & (1 << length)) !== 0) isTelling = true;
        else if (first === letterE && second === letterY && start >= this.runEnd) isTelling = true;
      }
      if (!isTelling) {
        if (follow === 0 || (length === 1 && follow !== 4 && (follow !== 2 || first !== letterS))) continue;
        if (follow === 1) {
          if (length < 3) continue;
          const unitAfterSpace = end + 1 < limit ? (units[end + 1] ?? 0) : 0;
          const isGiven = unitAfterSpace === letterI && end + 2 < limit && units[end + 2] === letterS;
          const isSpaced =
            previousUnit === dash || isGiven || length === spacedNames[((units[end - 1] ?? 0) | 32) & 127];
          if (!isSpaced && isLetterOrDigit(unitAfterSpace)) continue;
        } else if (follow === 5) {
          if (!endsAsName(words, end)) continue;
        } else if (follow === 2 ? !byLength.has(length) : follow !== 4 && length < 3) continue;
      }
      const secret = this.at(i, start, end);
      if (!secret) continue;
      this.found.push(secret);
      if (this.found.length >= secretsMax) return;
      covered = secret.end;
    }
  }

  /** The secret that starts at a word or that it names. */
  private at(i: number, start: number, end: number): Secret | undefined {
    const { text } = this;
    const wallet = this.walletKey(i, start, end);
    if (wallet) return secretAt(wallet, true);
    const first = text.charCodeAt(start);
    const token = first === LOWER_E ? this.token(start, end) : undefined;
    if (token) return token;
    if (end - start >= markedMin)
      for (const [length, form] of markedKeys)
        if (end - start === length && form.test(text.slice(start, end))) return secretAt({ start, end }, false);
    const next = end < text.length ? text.charCodeAt(end) : 0;
    const span = this.key(start, end, next);
    if (span) return secretAt(span, text.startsWith("xprv", span.start));
    return this.given(i, start, end);
  }

  /** A key that moves money, by its form or by the words around it. */
  private walletKey(i: number, start: number, end: number): Span | undefined {
    const length = end - start;
    if (length >= 64) return this.hex(i, start, end);
    if (length === 32 || length === 34) return splitKey(this, i, start, end);
    if (length === 51 || length === 52) return this.wif(start, end);
    if (length <= 3 && this.text.charCodeAt(start - 1) === BRACKET) return solanaKey(this, start - 1);
    return undefined;
  }

  /** A Bitcoin private key in WIF, which has a checksum. */
  private wif(start: number, end: number): Span | undefined {
    if (this.wifsLeft === 0 || !/^[5KL][1-9A-HJ-NP-Za-km-z]+$/.test(this.text.slice(start, end))) return undefined;
    this.wifsLeft--;
    return isWif(this.text.slice(start, end)) ? { start, end } : undefined;
  }

  private given(i: number, start: number, end: number): Secret | undefined {
    const { text } = this;
    const first = text.charCodeAt(start);
    const next = end < text.length ? text.charCodeAt(end) : 0;
    const pem = end - start === 5 && first === UPPER_B ? pemKey(this, start, end) : undefined;
    if (pem) return secretAt(pem, true);
    let span: Span | undefined;
    const named = end - start >= nameMin && mayGive(text, start, end, next) && namedValue(this, i, start, end);
    if (named) return secretAt(named, isWalletKey(this, i, named));
    if (next === SPACE && (end - start === 5 || end - start === 6)) span = headerToken(this, start, end);
    if (!span && (first === LOWER_C || first === LOWER_U)) span = this.curl(start, end);
    if (!span && next === SPACE) span = commandPassword(text, start, end) ?? spacedValue(this, i, start, end);
    if (!span && next === COLON) span = urlPassword(this, end);
    return span && secretAt(span, false);
  }

  private key(start: number, end: number, next: number): Span | undefined {
    const patterns = end - start > 1 || next !== 0 ? patternsAt(this.text, start) : undefined;
    if (patterns) {
      patterns.any.lastIndex = start;
      if (patterns.any.test(this.text))
        for (const pattern of patterns.each) {
          const span = keyOf(this, pattern, start);
          if (span) return span;
        }
    }
    if (next === TILDE) return entraSecret(this, start, end);
    const pattern =
      next === COLON || next === DOT || next === DASH || next === BAR ? byLength.get(end - start) : undefined;
    return pattern && keyOf(this, pattern, start);
  }

  /** JSON Web Tokens and payment proofs: JSON in base64 starts with eyJ. */
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

  /**
   * 64 digits are a private key or a public hash; the words around them decide. 130 digits after "signature" are a
   * signature.
   */
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
      this.isListed(start) || isLabelledPrivate(this, i) || isCalledPrivate(this, i) || isLabelledAbroad(this, first);
    return isPrivate && isRandom(text.slice(from, end)) ? { start: first, end } : undefined;
  }

  /** Whether a key follows another key in a list, numbered or not. */
  private isListed(start: number): boolean {
    const last = this.found.at(-1);
    if (!last?.isWallet || start - last.end > listGapMax) return false;
    return !/[A-Za-z]/.test(this.text.slice(last.end, start));
  }

  private isSignature(i: number): boolean {
    const previousWord = i > 0 ? wordAt(this, i - 1) : "";
    if (!/^(?:signature|sig|usersignature|mandatesignature)$/.test(previousWord)) return false;
    this.isAboutPayments ??= /authorization|mandate|permit|x402|payload|intent/i.test(
      this.text.slice(0, proofLengthMax),
    );
    return this.isAboutPayments;
  }

  /** `curl -u name:password`. */
  private curl(start: number, end: number): Span | undefined {
    const { text } = this;
    if (end - start === 4 && text.startsWith("curl", start)) this.lastCurl = start;
    const isOption =
      (end - start === 1 && text.charAt(start) === "u" && text.charCodeAt(start - 1) === DASH) ||
      (end - start === 4 && text.startsWith("--user", start - 2));
    if (!isOption || this.lastCurl < 0 || start - this.lastCurl > 500) return undefined;
    return curlCredential(text, end);
  }
}

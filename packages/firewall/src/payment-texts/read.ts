import { promptRules } from "../prompt/rules.ts";
import { scanPrompt } from "../prompt/scan.ts";
import { clean } from "../text/unfold.ts";
import { isAscii } from "../text/view.ts";
import type { Finding } from "../verdict.ts";
import { keyPhrases, paymentPhrases } from "./phrases.ts";

/**
 * Signals in a short text of a transaction or payment requirement: an instruction to its reader, invisible characters, and a secret or a
 * signed payment.
 */
export type TextSigns = { isInstructing: boolean; isHiding: boolean; hasSecret: boolean };

/**
 * Zero-width, bidirectional and invisible operators, and surrogates of tag characters. Joiners are not among them:
 * scripts need them.
 */
const hiding = /[\u200b\u202a-\u202e\u2060-\u2069\ufeff\udb40]/;

/**
 * The signals of each text: those of the phrases for payments, and of the prompt scan, which undoes disguises, knows more languages and finds
 * secrets. It reads a few texts one by one and many as lines of one text, and counts where it is sure.
 */
export function readTexts(texts: readonly string[]): TextSigns[] {
  const pages: Page[] = [
    { joined: "", lines: [] },
    { joined: "", lines: [] },
  ];
  const signs = texts.map((text): TextSigns => {
    const isPlain = isAscii(text);
    const { view } = clean(text);
    const isInstructing = paymentPhrases.some((phrase) => phrase.test(view.text));
    const sign = {
      isInstructing,
      isHiding: !isPlain && hiding.test(text),
      hasSecret: keyPhrases.some((phrase) => phrase.test(view.text)),
    };
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

/**
 * Texts that are read together. Latin texts have a page of their own: next to them, letters of other scripts look
 * disguised.
 */
type Page = { joined: string; lines: Line[] };

function readPage({ joined, lines }: Page): void {
  if (lines.length === 0) return;
  if (lines.length <= ALONE_MAX)
    for (const [index, line] of lines.entries()) {
      const text = joined.slice(line.start, lines[index + 1]?.start);
      line.findings.push(...scanPrompt({ text }).findings);
      judgeLine(line);
    }
  else {
    const { findings, signals } = scanPrompt({ text: joined });
    // What the model found can reach over several lines: it is about the one with the heaviest part.
    const heaviest = signals[0]?.start;
    for (const finding of findings)
      if (finding.span) {
        const isOfModel = heaviest !== undefined && heaviest >= finding.span.start && heaviest < finding.span.end;
        lineAt(lines, isOfModel ? heaviest : finding.span.start)?.findings.push(finding);
      }
    for (const line of lines) judgeLine(line);
  }
}

/** So many texts are scanned one by one, more of them as one. */
const ALONE_MAX = 12;

function judgeLine({ sign, findings }: Line): void {
  sign.isInstructing ||= isSuspect(findings);
  sign.hasSecret ||= findings.some(({ code }) => code === promptRules.secret.code);
}

const isMostlyLatin = (text: string): boolean => (text.match(/\w/g)?.length ?? 0) * 2 > text.length;

/** One text of a page. `start` is its offset in `joined`. */
type Line = { start: number; sign: TextSigns; findings: Finding[] };

/** In characters. In other scripts a few characters are a sentence. */
const PROSE_LENGTH_MIN = { plain: 10, other: 4 };

/** Addresses, hashes and signatures are left out: the words of a neighbouring text could make one look like a key. */
const isProse = (text: string, isPlain: boolean): boolean =>
  text.length >= (isPlain ? PROSE_LENGTH_MIN.plain : PROSE_LENGTH_MIN.other) &&
  !/^(?:0x)?(?:[\da-f]{40}|[\da-f]{64}|[\da-f]{128}|[\da-f]{130})$/i.test(text);

/** The last line that starts at or before offset `index`. */
function lineAt(lines: readonly Line[], index: number): Line | undefined {
  let [low, high] = [0, lines.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((lines[middle]?.start ?? 0) <= index) low = middle;
    else high = middle;
  }
  return lines[low];
}

/** Whether the model is sure or something is hidden: the threshold for `review` is one for documents, and these are names and phrases. */
const isSuspect = (findings: readonly Finding[]): boolean =>
  findings.some(({ message }) => suspectMessages.has(message));

const { likelihoodHigh, hiddenText, turnedText, template } = promptRules;
const suspectMessages = new Set<string>(
  [likelihoodHigh, hiddenText, turnedText, template].map(({ message }) => message),
);

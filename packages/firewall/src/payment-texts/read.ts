import { promptRules } from "../prompt/rules.ts";
import { scanPrompt } from "../prompt/scan.ts";
import { type Finding, reviewFrom, severityWeights } from "../verdict.ts";
import { FOLDED, lookAtCharacters } from "./characters.ts";
import { readPlainly, type WordSigns } from "./words.ts";

/** Signals in a short text of a transaction or payment requirement. `isHiding`: it has invisible characters. */
export type TextSigns = WordSigns & { isHiding: boolean };

export const readText = (text: string): TextSigns => readTexts([text])[0] ?? NO_SIGNS;

/**
 * The signals of each text. Two readers contribute. `readPlainly` has rules for phrases that are ordinary in a document
 * and suspect in a payment, such as "mark as safe". The prompt scan undoes disguises and knows more languages; it reads
 * all texts at once, as lines of one text, and counts where its findings would lead to `review`.
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

/**
 * Texts that are read together. Latin texts have a page of their own: next to them, letters of other scripts look
 * disguised.
 */
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
  for (let index = 0; index < text.length; index++) if ((FOLDED[text.charCodeAt(index)] ?? 0) !== 0) latin++;
  return latin * 2 > text.length;
}

export const NO_SIGNS: TextSigns = { isInstructing: false, isHiding: false, hasSecret: false, hasPaymentProof: false };

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

/** Whether the findings reach `review` without the model, whose lower threshold ordinary words can pass. */
function isSuspect(findings: readonly Finding[]): boolean {
  const weights = new Map<string, number>();
  for (const { code, severity, message } of findings) {
    if (code === promptRules.secret.code || message === promptRules.likelihood.message) continue;
    weights.set(code, Math.max(weights.get(code) ?? 0, severityWeights[severity]));
  }
  return [...weights.values()].reduce((sum, weight) => sum + weight, 0) >= reviewFrom;
}

/** Signed tokens are excluded: one may be a seller's offer, and `readBlob` decides that from its claims. */
const isLeak = ({ code, span }: Finding, text: string): boolean =>
  code === promptRules.secret.code && !(span && text.startsWith("ey", span.start));

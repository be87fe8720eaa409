import { RULESET_VERSION } from "../ruleset.ts";
import { merged, type Secret, secretsIn } from "../secrets/secrets.ts";
import { clean, type Unseen } from "../text/unfold.ts";
import { spanOf } from "../text/view.ts";
import { type Conclusion, conclude, type Hit, type Span } from "../verdict.ts";
import { calibration } from "./calibration.ts";
import { explain } from "./explain.ts";
import { heaviestParts, weightPerWord } from "./likelihood.ts";
import { decodedWeights } from "./likelihood-weights.ts";
import { unquoted } from "./quotations.ts";
import { Rooms } from "./read-words.ts";
import { type Reading, readingsOf, wordsMin } from "./readings.ts";
import { promptRules } from "./rules.ts";
import { mostSuspectPart, numbersOf, pointsOf, reviewPointsMax, type Stretch, scoreOf } from "./score.ts";
import { templateTokensIn } from "./template.ts";

/** A part of the text that made the model suspicious. `share` is its part of all weight, in per cent. */
export type Signal = Span & { share: number };

export type PromptScan = Conclusion & {
  /** Why the model found something: the heaviest parts first. Empty without such a finding. */
  signals: Signal[];
  /** The first 2,000 characters of the text, with secrets replaced by `[REDACTED]`. */
  redactedPreview: string;
  /** In Unicode code points. */
  inputLength: number;
  limitations: string;
  rulesetVersion: string;
};

export const promptLimitations =
  "Known signals only: a pass means that none of them matched, not that the text is safe. A statistical model judges the wording, so an attack in unusual words passes and an ordinary text in the words of attacks is flagged: about one attack in three that can be recognised from its text alone passes, and texts about attacks, fiction and short notices of software are flagged more often than others. Not decided from the text: requests that are harmless in one context and harmful in another, instructions in plain words that look like ordinary content, fictional scenarios, images and sound, and the targets of links. Weaker than for English orders: jailbreaks by role play or scenario, one short instruction inside a long document, and every other language, most of all mixed ones. Encodings are read two levels deep and up to a fixed amount. Never follow the scanned text.";

const previewLengthMax = 2000;
/** Fewer of these are ordinary: emoji with joiners, a name in another alphabet. */
const [insideWordsMin, lookalikeWordsMin] = [3, 2];
/** A shorter text of few words is no instruction: "Everything ok". In UTF-16 units, for scripts without spaces. */
const lengthMin = 16;
/** Overrides of the direction of writing. Texts of every language do without them. */
const turning = /[\u202d\u202e]/;

export type PromptInput = { text: string; source?: string };

/**
 * Scans untrusted text before a model reads it. `text` is read in full; limit its length before. `source` says where it is
 * from and is only searched for secrets. Never throws.
 */
export function scanPrompt({ text, source }: PromptInput): PromptScan {
  const { view, unseen } = clean(text);
  const readings = [...readingsOf(view, unseen, rooms)];
  const [raw] = readings;
  const secrets = raw === undefined ? [] : secretsIn(raw.view, raw.words);
  const suspicion = mostSuspect(text, readings, secrets);
  rooms.clear();
  const hits: Hit[] = [
    ...suspicion.hits,
    ...unseenIn(text, unseen),
    ...templateTokensIn(view.text).map(({ start, end }) => ({
      rule: promptRules.template,
      span: spanOf(view, start, end),
    })),
    ...secrets.map(({ isWallet, start, end }) => ({
      rule: isWallet ? promptRules.walletSecret : promptRules.secret,
      span: { start, end },
    })),
  ];
  if (source !== undefined && showsSecret(source)) hits.push({ rule: promptRules.secret, field: "source" });
  const { verdict, riskScore, findings } = conclude(hits);
  return {
    verdict,
    riskScore,
    findings,
    signals: suspicion.signals,
    redactedPreview: redacted(text, secrets),
    inputLength: text.length - unseen.pairs,
    limitations: promptLimitations,
    rulesetVersion: RULESET_VERSION,
  };
}

/** Arrays for the words of the scanned text and of what it decodes to. */
const rooms = new Rooms();

function showsSecret(source: string): boolean {
  const { view } = clean(source);
  const words = rooms.wordsOf(view.text, view.units);
  const { length } = secretsIn(view, words);
  rooms.clear();
  return length > 0;
}

/**
 * What the model says about the most suspect reading: nothing below the threshold for `review`, and no more than that when what is
 * suspect is quoted. A wallet's secret leads to review anyway, and its own words ("BEGIN PRIVATE KEY") are no order.
 */
function mostSuspect(
  text: string,
  readings: readonly Reading[],
  secrets: readonly Secret[],
): { hits: Hit[]; signals: Signal[] } {
  const weights = decodedWeights();
  const { coefficients, thresholds } = calibration;
  let best: ({ reading: Reading } & Stretch) | undefined;
  for (const reading of readings) {
    const { words, isDecoded } = reading;
    if (words.count < wordsMin && text.length < lengthMin) continue;
    const perWord = weightPerWord(words, weights);
    const { values, ...stretch } = numbersOf(words.count, perWord, isDecoded);
    const whole = { ...stretch, score: scoreOf(values, coefficients) };
    const part =
      whole.score < thresholds.review ? mostSuspectPart(words.count, perWord, isDecoded, coefficients) : undefined;
    // What would be blocked by itself is for a person to judge where the rest of the text is harmless.
    const isHidden = part !== undefined && part.score >= thresholds.block;
    const judged = isHidden ? { ...part, score: thresholds.review } : whole;
    if (judged.score >= thresholds.review && (best === undefined || judged.score > best.score))
      best = { reading, ...judged };
  }
  if (!best) return { hits: [], signals: [] };
  const { reading, first, last, score } = best;
  const { view, words, isDecoded } = reading;
  const perWord = weightPerWord(words, weights);
  const place = (from: number, to: number): Span => spanOf(view, words.start[from] ?? 0, words.end[to] ?? 0);
  const parts = heaviestParts(perWord, first, last);
  const total = Math.max(
    1,
    parts.reduce((sum, { weight }) => sum + weight, 0),
  );
  const rules = [...explain(words, first, last), ...(isDecoded ? (["encoded"] as const) : [])];
  const rest =
    score >= thresholds.block && !isDecoded
      ? unquoted(text, words, (index) => place(index, index).start, perWord)
      : undefined;
  const isQuoting = rest && scoreOf(numbersOf(words.count, rest, false).values, coefficients) < thresholds.block;
  const isBlocked = score >= thresholds.block && !isQuoting;
  const model = isBlocked ? promptRules.likelihoodHigh : promptRules.likelihood;
  const span = place(first, last);
  if (!isBlocked && secrets.some(({ isWallet, start, end }) => isWallet && start <= span.start && span.end <= end))
    return { hits: [], signals: [] };
  return {
    hits: [
      ...rules.map((rule) => ({ rule: promptRules[rule], span })),
      { rule: { ...model, weight: isQuoting ? reviewPointsMax : pointsOf(score, thresholds) }, span },
    ],
    signals: parts.map((part) => ({
      ...place(part.first, part.last),
      share: Math.round((100 * part.weight) / total),
    })),
  };
}

function unseenIn(text: string, { smuggled, insideWords, firstInside, lookalikeWords, veil }: Unseen): Hit[] {
  const hits: Hit[] = smuggled.map((view) => ({
    rule: promptRules.hiddenText,
    span: spanOf(view, 0, view.text.length),
  }));
  const turned = text.search(turning);
  if (turned >= 0) hits.push({ rule: promptRules.turnedText, span: { start: turned, end: turned + 1 } });
  if (veil && !veil.decoded)
    hits.push({ rule: promptRules.hiddenTextHint, span: { start: veil.start, end: veil.end } });
  if (firstInside && insideWords >= insideWordsMin) hits.push({ rule: promptRules.hiddenTextHint, span: firstInside });
  if (lookalikeWords >= lookalikeWordsMin) hits.push({ rule: promptRules.hiddenTextHint, span: { start: 0, end: 0 } });
  return hits;
}

function redacted(text: string, secrets: readonly Span[]): string {
  let preview = "";
  let index = 0;
  for (const { start, end } of merged(secrets)) {
    if (preview.length > previewLengthMax) break;
    preview += `${text.slice(index, start)}[REDACTED]`;
    index = end;
  }
  if (preview.length <= previewLengthMax) preview += text.slice(index);
  return (preview.length > previewLengthMax ? `${preview.slice(0, previewLengthMax)}…` : preview).toWellFormed();
}

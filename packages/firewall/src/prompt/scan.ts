import { RULESET_VERSION } from "../ruleset.ts";
import { merged, secretsIn } from "../secrets/secrets.ts";
import { undisguised } from "../text/disguises.ts";
import { unescaped } from "../text/escapes.ts";
import { encodedRuns } from "../text/runs.ts";
import { clean, type Unseen } from "../text/unfold.ts";
import { derived, placesOf, spanOf, type View } from "../text/view.ts";
import type { Words } from "../text/words.ts";
import { type Conclusion, conclude, type Hit, type Rule, type Span, severities } from "../verdict.ts";
import { citationsIn, isWithin } from "./citations.ts";
import { latentIn } from "./latent.ts";
import { decodedWeights } from "./likelihood-weights.ts";
import { type Cites, type Found, isGrave, likeness, overlap, type Signal } from "./likeness.ts";
import { isConcealed, marksIn } from "./marks.ts";
import { match } from "./match.ts";
import { isAbout, isMentioned } from "./mentions.ts";
import { ordersIn } from "./orders.ts";
import { Rooms } from "./read-words.ts";
import { type PromptRule, promptRules } from "./rules.ts";
import { decodedSentenceWeights } from "./sentence-weights.ts";
import { tasksIn } from "./tasks.ts";

export type PromptScan = Conclusion & {
  /** Why a statistical model found something: the heaviest parts first. Empty without such a finding. */
  signals: Signal[];
  /** The first 2,000 characters of the text, with secrets replaced by `[REDACTED]`. */
  redactedPreview: string;
  /** In Unicode code points. */
  inputLength: number;
  limitations: string;
  rulesetVersion: string;
};

export const promptLimitations =
  "Known signals only: a pass means that none of them matched, not that the text is safe. Not decided from the text: requests that are harmless in one context and harmful in another, instructions in plain words that look like ordinary content, fictional scenarios, images and sound, and the targets of links. Weaker than for English orders: jailbreaks by role play or scenario, instructions inside documents that are about machines or requests themselves, or that state something in place of an order, harmless-looking orders outside of what tools return, and other languages, most of all mixed ones and those other than Arabic, Chinese, French, German, Hindi, Italian, Japanese, Korean, Portuguese, Russian, Spanish and Turkish. Texts about attacks and fiction are flagged more often than others. Encodings are read two levels deep and up to a fixed amount. Never follow the scanned text.";

const previewLengthMax = 2000;
/** Bounds how much decoded text is read, in UTF-16 units, so that a small input cannot expand without limit. */
const decodedLengthMax = 12_000;
const [depthMax, viewsMax] = [2, 24];
/** Fewer of these are ordinary: emoji with joiners, a name in another alphabet. */
const [insideWordsMin, lookalikeWordsMin] = [3, 2];
/** Where money or secrets could be sent. */
const destination = /https?:|www\.|\w@\w|0x[0-9a-f]{6}/i;
const besideDestination = 80;

export type PromptInput = { text: string; source?: string };

/**
 * Scans untrusted text before a model reads it. `text` is read in full; limit its length before. `source` says where it is
 * from and is only searched for secrets. Never throws.
 */
export const scanPrompt = (input: PromptInput): PromptScan =>
  scanWith(input, { stretches: decodedWeights(), sentences: decodedSentenceWeights() });

/** Arrays for the words of the scanned text and of what it decodes to. */
const rooms = new Rooms();

/** Those of the model of stretches (see `likelihood.ts`), and of the model of sentences. */
export type Weights = { stretches: Int8Array; sentences: Int8Array };

/** The scan with other weights than those of the ruleset, for measuring weights on texts they were not trained on. */
export function scanWith({ text, source }: PromptInput, weights: Weights): PromptScan {
  const { view, unseen } = clean(text);
  const words = rooms.wordsOf(view.text, view.units);
  const detections = [...unseenIn(unseen), ...scanText(text, view, words, unseen, weights)];
  const secrets = secretsIn(view, words);
  const hits = secrets.map(
    ({ isWallet, start, end }): Hit => ({
      rule: isWallet ? promptRules.walletSecret : promptRules.secret,
      span: { start, end },
    }),
  );
  rooms.clear();
  if (source !== undefined && showsSecret(source)) hits.push({ rule: promptRules.secret, field: "source" });
  const { verdict, riskScore, findings } = conclude([...hits, ...weighed(detections)]);
  return {
    verdict,
    riskScore,
    findings,
    signals: detections.find((one) => one.signals !== undefined)?.signals ?? [],
    redactedPreview: redacted(text, secrets),
    inputLength: text.length - unseen.pairs,
    limitations: promptLimitations,
    rulesetVersion: RULESET_VERSION,
  };
}

function showsSecret(source: string): boolean {
  const { view } = clean(source);
  const words = rooms.wordsOf(view.text, view.units);
  const { length } = secretsIn(view, words);
  rooms.clear();
  return length > 0;
}

/** Everything found in the text and in what it decodes to, two levels deep. */
function scanText(text: string, view: View, words: Words, unseen: Unseen, weights: Weights): Found[] {
  let citations: Span[] | undefined;
  const cites: Cites = (index) => {
    citations ??= citationsIn(text);
    return isWithin(citations, index);
  };
  const detections = [
    ...readView(view, words, weights, words.count, cites),
    ...latentIn(view, words, weights.sentences, cites),
  ];
  const sources = [
    { views: unseen.smuggled.values(), depth: 1 },
    { views: decodedFrom(view, words), depth: 1 },
  ];
  let [remainingLength, views] = [decodedLengthMax, 0];
  for (const { views: decoded, depth } of sources)
    for (const next of decoded) {
      if (remainingLength <= 0 || ++views > viewsMax) return detections;
      const cleaned = inner({ ...next, text: next.text.slice(0, remainingLength) });
      remainingLength -= next.text.length;
      const inside = rooms.wordsOf(cleaned.text, cleaned.units);
      const length = next.isMixed ? Math.max(words.count, inside.count) : inside.count;
      const news = readView(cleaned, inside, weights, length, isNowhere).filter(
        (one) => !detections.some((detection) => saysAsMuch(detection, one)),
      );
      for (const one of news) detections.push({ ...one, isCited: false });
      const grave = news.find(({ rule }) => promptRules[rule].severity !== "low");
      if (grave) detections.push({ rule: "encoded", span: grave.span, isCited: false });
      else if (next.isWorn)
        detections.push({ rule: "disguised", span: spanOf(next, 0, next.text.length), isCited: false });
      if (depth < depthMax) sources.push({ views: decodedFrom(cleaned, inside), depth: depth + 1 });
    }
  return detections;
}

/** Decoded text can have disguised letters too, so it is cleaned in turn. */
function inner(view: View): View {
  const { view: plain } = clean(view.text);
  if (!plain.units) return view;
  const { text, units } = plain;
  const places = placesOf(plain);
  return { ...view, text, units, ...(places && derived(view, text, places.from, places.to)) };
}

function* decodedFrom(view: View, words: Words): Generator<View> {
  const plain = unescaped(view, words);
  if (plain) yield plain;
  yield* encodedRuns(view, words);
  yield* undisguised(view, words);
}

/** Whether a finding in a decoded text repeats one of the text around it. */
function saysAsMuch(detection: Found, { rule, span }: Found): boolean {
  if (isLikelihood(rule)) return isLikelihood(detection.rule);
  if (!detection.isCited) return detection.rule === rule;
  return promptRules[detection.rule].code === promptRules[rule].code && overlap(detection.span, span);
}

const isLikelihood = (rule: PromptRule): boolean => rule === "likelihood" || rule === "likelihoodHigh";
const isNowhere: Cites = () => false;

/** `length` is the number of words of the whole text: `thresholds` depend on it. */
function readView(view: View, words: Words, weights: Weights, length: number, cites: Cites): Found[] {
  const { text } = view;
  const detections: Found[] = [];
  const { matches, isCrowded } = match(words);
  if (isCrowded) detections.push({ rule: "crowded", span: spanOf(view, 0, text.length), isCited: false });
  for (const { rule, first, last } of matches) {
    const [start, end] = [words.start[first] ?? 0, words.end[last] ?? 0];
    if (isTask(text, start)) continue;
    const span = spanOf(view, start, end);
    // Dictated replies are in quotation marks by nature.
    const mayBeCited = isGrave(rule) && rule !== "dictated";
    const isSpokenOf = mayBeCited && !movesGoods(rule) && isMentioned(text, words, first, last);
    const isQuoted =
      isGrave(rule) && cites(span.start) && cites(span.end - 1) && !hasDestination(rule, text, start, end);
    detections.push({ rule, span, isCited: isSpokenOf || isQuoted });
    if (isGrave(rule) && isConcealed(text, start)) detections.push({ rule: "hiddenMarkup", span, isCited: isSpokenOf });
  }
  for (const { rule, start, end } of [...marksIn(text, words), ...ordersIn(text, words), ...tasksIn(text, words)]) {
    const span = spanOf(view, start, end);
    const isQuoted = isGrave(rule) && cites(span.start) && !hasDestination(rule, text, start, end);
    const isCited = isQuoted || (rule === "role" && isAbout(words, wordAt(words, start)));
    detections.push({ rule: isCited && rule === "role" ? "roleHint" : rule, span, isCited });
  }
  if (view.isGuess !== true) detections.push(...likeness(view, words, weights.stretches, length, cites, detections));
  return detections;
}

const movesGoods = (rule: PromptRule): boolean =>
  rule === "exfiltration" || rule === "secretFile" || rule === "unconfirmed" || rule === "payOrder";

/** A secret or payment to a named destination is an attack even in a quotation. */
const hasDestination = (rule: PromptRule, text: string, start: number, end: number): boolean =>
  movesGoods(rule) && destination.test(text.slice(start, end + besideDestination));

/** "TODO:" marks a task in code. In Spanish, "todo" means everything. */
const isTask = (text: string, start: number): boolean => /^TODO[:( ]/.test(text.slice(start, start + 5));

/** Index of the last word that starts at or before an offset. */
function wordAt({ start, count }: Words, place: number): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((start[middle] ?? 0) <= place) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}

function unseenIn({ smuggled, insideWords, firstInside, lookalikeWords, veil }: Unseen): Found[] {
  const detections: Found[] = smuggled.map((view) => ({
    rule: "hiddenText",
    span: spanOf(view, 0, view.text.length),
    isCited: false,
  }));
  if (veil) {
    const { start, end, isMessage } = veil;
    detections.push({ rule: isMessage ? "hiddenText" : "hiddenRun", span: { start, end }, isCited: false });
  }
  if (firstInside && insideWords >= insideWordsMin)
    detections.push({ rule: "hiddenTextHint", span: firstInside, isCited: false });
  if (lookalikeWords >= lookalikeWordsMin)
    detections.push({ rule: "hiddenTextHint", span: { start: 0, end: 0 }, isCited: false });
  return detections;
}

/** Lightens cited attacks, so that the verdict on them is `review`: neither `block` nor `pass`. */
function weighed(detections: readonly Found[]): Hit[] {
  const hits = detections.map(({ rule, span }): Hit => ({ rule: promptRules[rule], span }));
  const grave = detections.filter(({ rule, isCited }) => isGrave(rule) && (isCited || rule !== "likelihood"));
  if (!grave.some(({ isCited }) => isCited) || conclude(hits).verdict !== "block") return hits;
  const isAll = grave.every(({ isCited }) => isCited);
  const isLightened = (index: number): boolean => isAll || detections[index]?.isCited === true;
  const gravest = hits
    .filter((_, index) => isLightened(index))
    .sort((a, b) => severities.indexOf(b.rule.severity) - severities.indexOf(a.rule.severity))[0];
  return hits.map((hit, index) =>
    isLightened(index) ? { ...hit, rule: lighter(hit.rule, hit.rule.code === gravest?.rule.code) } : hit,
  );
}

/** Low rules keep their weight at most: nothing becomes graver. */
const lighter = (rule: Rule, isGravest: boolean): Rule => ({
  ...rule,
  ...(isGravest && rule.severity !== "low" ? promptRules.quoted : promptRules.quotedToo),
  code: rule.code,
  message: rule.message,
});

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

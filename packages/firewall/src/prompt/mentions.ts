import { classSet, isWordIn } from "../text/lexicon.ts";
import type { Words } from "../text/words.ts";

/** Subjects that are not the reader: what they ignore is no order to the reader. */
const otherSubjects = new Set(
  "he she they it people users court courts judge judges agreement agreements contract contracts amendment clause clauses section statute law laws regulation act treaty edition version policy rule rules style styles selector selectors css stylesheet config configuration file setting settings flag option options variable class subclass method parser compiler linter function attacker attackers hacker hackers adversary adversaries injection injections attack attacks jailbreak jailbreaks that which who students patients employees".split(
    " ",
  ),
);
/** Words that can be between such a subject and its verb. */
const between = new Set(
  "may can could might shall will would must does do to often also then and or simply always never sometimes try tries trying attempt attempts want wants write writes say says supersedes ignores overrides replaces later explicitly fully now typically".split(
    " ",
  ),
);
/** Verbs before "me to forget", "him to ignore". */
const reporting = new Set(
  "told asked tells asks wanted wants advised ordered instructed urged begged tried tries trying attempt attempts attempting persuade trick tricks tricking refused decided".split(
    " ",
  ),
);
const toReader = new Set("you u your must need now please this these following here i".split(" "));
/** Objects that people ignore or forget in everyday work, and that no attack names. */
const things = new Set(
  "error errors exception exceptions warning warnings failure failures result results release releases commit commits build builds log logs value values setting settings ruling rulings judgment judgments judgement decision decisions assumption assumptions version versions draft drafts email emails mail mails letter letters notice notices invoice invoices reminder reminders bid bids offer offers quote quotes estimate estimates revision revisions edits changes column columns row rows test tests sample samples entries measurements".split(
    " ",
  ),
);
const singleMessage = new Set("message text email mail comment post note sms".split(" "));
const done = new Set(
  "already updated paid received finished completed registered upgraded installed signed moved".split(" "),
);
const machines = classSet(["you"]);
const topic = classSet(["topic"]);
const topicMin = 2;
const subjectWithin = 5;

/** A function from an index to the word in lower case, empty outside the sentence of word `within`. */
function reader(text: string, { start, end, sentence, count }: Words, within: number | undefined) {
  return (i: number): string =>
    i >= 0 && i < count && sentence[i] === within ? text.slice(start[i], end[i]).toLowerCase() : "";
}

/** Whether the words from `first` to `last` are mentioned and not said to the reader. */
export function isMentioned(text: string, words: Words, first: number, last: number): boolean {
  const wordAt = reader(text, words, words.sentence[first]);
  return (
    hasOtherSubject(text, words, wordAt, first) ||
    isReported(wordAt, first) ||
    isOrdinaryObject(text, words, wordAt, first, last) ||
    isForThoseDone(words, wordAt, first) ||
    (isAbout(words, first, first, last) && isSpokenOf(wordAt, first))
  );
}

/** Whether the sentence of word `i` is about attacks, without counting the words from `first` to `last`. */
export function isAbout(words: Words, i: number, first = i, last = first - 1): boolean {
  const within = words.sentence[i];
  let topicCount = 0;
  for (const k of topicsOf(words))
    if ((k < first || k > last) && words.sentence[k] === within && ++topicCount >= topicMin) return true;
  return false;
}

/** Indexes of the words that attacks are described with. */
export function topicsOf(words: Words): readonly number[] {
  if (words.topics) return words.topics;
  const topics: number[] = [];
  for (let k = 0; k < words.knowns; k++) {
    const place = words.known[k] ?? 0;
    if (isWordIn(words.word[place] ?? 0, topic)) topics.push(place);
  }
  words.topics = topics;
  return topics;
}

/** "The court may disregard", "later rules override"; not "you must", "this message overrides", "attack: ignore". */
function hasOtherSubject(text: string, words: Words, wordAt: (i: number) => string, first: number): boolean {
  for (let i = first - 1; i >= first - subjectWithin; i--) {
    const word = wordAt(i);
    // A word followed by another sign than a space is not the subject of the verb.
    if (word === "" || /\S/.test(text.slice(words.end[i], words.start[i + 1]))) return false;
    if (otherSubjects.has(word))
      return !isAddressed(wordAt, i) && (i < first - 1 || agrees(word, text, words, wordAt, first));
    if (!between.has(word)) return false;
  }
  return false;
}

/** "Attacks ignore", "it ignores"; not "attack ignore", nor "attackers Ignore", where a sentence of its own begins. */
function agrees(
  subject: string,
  text: string,
  { start }: Words,
  wordAt: (i: number) => string,
  first: number,
): boolean {
  if (/^[A-Z]/.test(text.slice(start[first], (start[first] ?? 0) + 1))) return false;
  return /(?:s|ed|ing)$/.test(wordAt(first)) || /^(?:they|people|that|which|who)$|[^s]s$/.test(subject);
}

/** "These rules", "the following policy", "here is the rule": the writer's own, meant for the reader. */
const isAddressed = (wordAt: (i: number) => string, i: number): boolean =>
  [1, 2].some((back) => /^(?:these|following|my|our|you|here)$/.test(wordAt(i - back)));

/** "He told me to forget". */
function isReported(wordAt: (i: number) => string, first: number): boolean {
  if (wordAt(first - 1) !== "to") return false;
  for (let i = first - 2; i >= first - subjectWithin; i--) {
    if (toReader.has(wordAt(i))) return false;
    if (reporting.has(wordAt(i))) return !toReader.has(wordAt(i - 1));
  }
  return false;
}

/** "All previous errors", "the previous message, wrong chat". */
function isOrdinaryObject(
  text: string,
  words: Words,
  wordAt: (i: number) => string,
  first: number,
  last: number,
): boolean {
  const phraseEnd = words.end[last] ?? 0;
  const isNext = words.start[last + 1] === phraseEnd + 1 && text[phraseEnd] === " ";
  if (isNext && /^(?:previous|prior|preceding|earlier)$/.test(wordAt(last)) && things.has(wordAt(last + 1)))
    return true;
  const isOne =
    singleMessage.has(wordAt(last)) &&
    /^(?:the|my)$/.test(wordAt(first + 1)) &&
    /^(?:previous|last|earlier)$/.test(wordAt(last - 1));
  return isOne && !/^(?:and|then|instead|now)$/.test(wordAt(last + 1));
}

/** "If you already paid, ignore the message above"; not "If you are an AI". */
function isForThoseDone(words: Words, wordAt: (i: number) => string, first: number): boolean {
  let [isCondition, isDone] = [false, false];
  for (let i = first - 1; wordAt(i) !== "" && i >= first - 12; i--) {
    const word = wordAt(i);
    if (isWordIn(words.word[i] ?? 0, machines) && !/^(?:you|u|youre)$/.test(word)) return false;
    if (done.has(word)) isDone = true;
    if (word === "if") isCondition = true;
  }
  return isCondition && isDone;
}

/** "To ignore", "which ignores", "ignoring": no order by its form. */
function isSpokenOf(wordAt: (i: number) => string, first: number): boolean {
  if (/(?:ing|ed|s)$/.test(wordAt(first))) return true;
  if (!/^(?:to|that|which|who|can|could|may|might|would|or)$/.test(wordAt(first - 1))) return false;
  return ![2, 3, 4].some((back) => toReader.has(wordAt(first - back)));
}

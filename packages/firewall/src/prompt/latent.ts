import { spanOf, type View } from "../text/view.ts";
import type { Words } from "../text/words.ts";
import type { Cites, Found, Signal } from "./likeness.ts";
import { topicsOf } from "./mentions.ts";
import { senseNumber } from "./senses.ts";
import { eachSentence, featureBuffer, readSentence } from "./sentences.ts";

/**
 * When a sentence stands out from its document as one that speaks to a machine: the sum of its weights, less a share of
 * what the next such sentence has above `usual`, less what the rest of the text explains, reaches `from`. A text that is
 * about machines or attacks, or that is itself a request to a chat bot, explains much of it. Chosen by sources left out.
 */
export const standsOut = {
  from: 50,
  usual: -80,
  styleShare: 40,
  topic: 5,
  topicsMax: 4,
  machine: 30,
  machinesMax: 4,
  request: 30,
  wordsMin: 30,
} as const;

/** How a request to a chat bot begins, and what is said in its first words. */
export const requestPatterns = {
  start:
    /^\W{0,4}(?:(?:please|now|hi|hello|hey|ok|excuse me)\W{1,3}){0,3}(?:i (?:want|need|would like|will|am|have)|act as|imagine|suppose|let'?s|in this task|this task|you(?:'re| are| will)|your (?:task|job)|write|give|create|generate|tell|answer|read|translate|rewrite|describe|explain|compose|draft|help|provide|make|assume|pretend|pick|choose|select|find|given|how|what|why|which|is|are|do|does|user|question|q:)\b/i,
  within:
    /\b(?:(?:can|could|would|will) you|i (?:want|need|would like|'d like) you|help me|your task|in this task|please (?:write|give|provide|tell|explain|create|describe|help|generate|list|suggest)|as an? [\w -]{3,40}, (?:you|your|can|could|how|what|write))\b/i,
} as const;
const [startLength, firstLength] = [80, 160];
const machine = senseNumber("machine");

/** The sentence that speaks to a machine in a text about something else, if there is one. */
export function latentIn(view: View, words: Words, weights: Int8Array, cites: Cites): Found[] {
  if (words.count < standsOut.wordsMin) return [];
  let [best, second, first, last] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY, 0, -1];
  eachSentence(words, (sentence) => {
    const count = readSentence(words, sentence);
    let sum = 0;
    for (let i = 0; i < count; i++) sum += weights[featureBuffer[i] ?? 0] ?? 0;
    if (sum > best) {
      [second, best] = [best, sum];
      first = sentence.first;
      last = sentence.last;
    } else if (sum > second) second = sum;
  });
  if (best < standsOut.from) return [];
  const style = (standsOut.styleShare * Math.max(0, second - standsOut.usual)) / 100;
  if (best - style - explained(view.text, words, first, last) < standsOut.from) return [];
  const span = spanOf(view, words.start[first] ?? 0, words.end[last] ?? 0);
  if (cites(span.start) && cites(span.end - 1)) return [];
  const signals: Signal[] = [{ ...span, share: 100 }];
  return [{ rule: "latent", span, isCited: false, signals }];
}

/** How much of it the rest of the text explains. */
function explained(text: string, words: Words, first: number, last: number): number {
  const { count, sense } = words;
  let machines = 0;
  for (let i = 0; i < count && machines < standsOut.machinesMax; i++)
    if (sense[i] === machine && (i < first || i > last)) machines++;
  let topics = 0;
  for (const i of topicsOf(words)) if ((i < first || i > last) && topics < standsOut.topicsMax) topics++;
  const isRequest =
    requestPatterns.start.test(text.slice(0, startLength)) || requestPatterns.within.test(text.slice(0, firstLength));
  return standsOut.machine * machines + standsOut.topic * topics + (isRequest ? standsOut.request : 0);
}

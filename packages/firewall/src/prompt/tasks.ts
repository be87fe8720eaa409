import type { Words } from "../text/words.ts";
import { type Cue, type Form, Forms } from "./forms.ts";
import type { PromptRule } from "./rules.ts";

/** What a text calls a machine that reads it. */
const reader =
  "(?:ai|(?:ai |automated |virtual )?(?:agents?|assistants?)|(?:chat ?)?bots?|llms?|(?:ai |language |reviewing |reader )?models?|copilots?|crawlers?|summari[sz]ers?|chatgpt|claude|gemini|gpt)";
/** The same without what people and things are called too: estate agents, models of cars. */
const machine =
  "(?:ai|(?:ai|automated|virtual|coding|shopping|support) (?:agents?|assistants?)|assistants?|(?:chat ?)?bots?|llms?|(?:ai|language|reviewing) models?|copilots?|crawlers?|summari[sz]ers?|chatgpt|claude|gemini|gpt)";
const readers =
  "ai agent agents assistant assistants automated virtual bot bots chat chatbot chatbots llm llms language model models reviewing reader coding shopping support copilot copilots crawler crawlers summarizer summarizers summariser summarisers chatgpt claude gemini gpt";
const modal =
  "(?:must|should|shall|ha(?:s|ve) to|needs? to|ought to|may only|will (?:want|need|have) to|(?:is|are) (?:kindly |hereby |not )?(?:asked|allowed|permitted|welcome|required|requested|expected|instructed|told|reminded|advised|obliged|free|to)\\b)";
/** What readers do with a document. */
const work =
  "(?:summari[sz]|translat|review|process|read|quot|index|grad|evaluat|pars|describ|answer|reply|respond|produc|prepar|handl|brows|visit|screen|compil|assess|rat)ing";
const works =
  "(?:summari[sz]e|translate|review|process|read|quote|index|grade|evaluate|parse|describe|handle|browse|visit|screen|compile|assess|rate|reach|open|load)s?";
/** An order in the form of a statement: "the assistant adds a line". */
const deed =
  "(?:adds?|appends?|mentions?|includes?|agrees? to|undertakes? to|closes?|replies|reply|reports?|treats?|considers?|prints?|says?|recommends?|gives?|puts?|sends?|forwards?|calls?|ranks?|rates?|omits?|skips?|leaves?|repeats?|ignores?|takes?|states?|tells?|shows?|hides?|chooses?|accepts?|approves?|transfers?|pays?|signs?|deletes?|opens?|runs?|copies|copy|shares?|posts?|resets?|orders?|confirms?|books?|asks?|speaks?|answers?|announces?|lists?|marks?|labels?|uses?)";
const product = "(?:answer|repl(?:y|ie)|response|summar(?:y|ie)|output|review|translation|abstract)s?";
/** The start of a sentence, of a line or of a member. */
const start = "(?<=^|[\\n.!?>(*\"'\\]:;|] {0,2})";

/** Acts of an agent on what it has access to. "Enter", "check" and "contact" are what people are asked to do. */
const acts =
  "access acquire adjust allocate alter approve archive assign authorize authorise book buy cancel clone collect deactivate decrease decrypt delete deploy disable disclose dispatch download encrypt erase escalate exfiltrate export extract fetch forward gather grant harvest implant increase inject initiate intercept invite launch lock manipulate modify monitor obtain order overwrite pay post prescribe publish purchase reassign record redirect release remove rename reschedule reserve reset restart restrict retrieve revoke schedule secure sell send share sign suspend terminate track transfer unlock unsubscribe upload wipe withdraw".split(
    " ",
  );
const act = `(?:${acts.join("|")}|shut down|turn o(?:ff|n)|sign (?:up|out)|set (?:the|all)|add (?:the|a|an|all|my)?)`;

/** An address to a machine that reads the text, or an order to act. */
type Task = Extract<PromptRule, "addressed" | "errand">;

/** Every gap is bounded, so that no pattern is quadratic in the length of the text. */
const forms: readonly (readonly [Task, pattern: string, cue: Cue])[] = [
  [
    "addressed",
    `\\b(?:dear|attention|attn\\.?|hello|hey|hi)[ ,:—–-]{1,3}(?:\\w{1,12} ){0,3}?${reader}\\b`,
    { words: "dear attention attn hello hey hi" },
  ],
  [
    "addressed",
    `\\b(?:notes?|messages?|instructions?|hints?|reminders?|memos?|notices?|remarks?|procedures?)(?: \\w{1,12})? (?:to|for)(?: \\w{1,12}){0,2}? ${reader}\\b`,
    {
      words:
        "note notes message messages instruction instructions hint hints reminder reminders memo memos notice notices remark remarks procedure procedures",
    },
  ],
  [
    "addressed",
    `${start}(?:to|for)(?: \\w{1,12}){0,2}? (?:${machine}|(?:software|systems)(?= (?:that|which|${work})\\b))(?: (?:that|which|who|${work})\\b[^:.\\n]{0,60}?)?(?: only| alone)?\\s?[:,—–-]`,
    { words: "to for" },
  ],
  ["addressed", `\\b(?:to|for|by) ${reader} (?:alone|only)\\b`, { words: "to for by" }],
  [
    "addressed",
    `(?<![\\w-])${machine}(?:,? (?:that|which|who|here|${work})\\b[^.!?\\n]{0,60}?)?,? (?:${modal}|${deed} (?:the|this|that|a|an|all|any|no|it|its|their|our|every|to|only|as)\\b)`,
    { words: readers },
  ],
  [
    "addressed",
    `(?<![\\w-])${reader} (?:(?:that|which|who) (?:${works}|sees?|keeps?)|working on|acting on|seeing|${work}) (?:this|these|our|my|the attached)\\b`,
    { words: readers },
  ],
  [
    "addressed",
    `\\b(?:expects?|requires?|invites?|reminds?|urges?|obliges?) (?:\\w{1,12} ){0,2}?${machine} to\\b`,
    {
      words: "expect expects require requires invite invites remind reminds urge urges oblige obliges",
    },
  ],
  [
    "addressed",
    `\\b(?:this|it|which)(?: \\w{1,12}){0,2}? (?:is|gets)(?: being)? (?:read|processed|parsed|screened|summari[sz]ed|handled|translated|evaluated|reviewed|graded|indexed) by (?:an?|the|any|your|some) (?:\\w{1,12} )?${reader}\\b`,
    { words: "this it which" },
  ],
  ["addressed", `\\bai[- ](?:generated|written|made|assisted) (?:${product}|comparisons?|texts?)\\b`, { words: "ai" }],
  ["addressed", `${start}${reader}(?: reading this| readers?)?(?:[,:]| [—–-]) (?=\\S+ \\S+ \\S)`, { words: readers }],
  [
    "addressed",
    `(?<=, (?:dear )?)${reader}[,:—–-] (?:and|please|the|you|your|do|never|always|kindly)\\b`,
    { words: readers },
  ],
  [
    "addressed",
    `\\b(?:if|should) (?:you are|you're|you be|this (?:\\w{1,12} ){1,3}(?:is|was) (?:being )?\\w{3,12} by|read by|an?|your|any)(?: \\w{1,12}){0,2}? ${reader}\\b`,
    { words: "if should" },
  ],
  [
    "addressed",
    "\\b(?:machine|automated|automatic|screening|reader|reading) (?:readers?|helpers?|software|reviewers?|instructions?|processing)\\b[^.!?\\n]{0,40}?(?:[:,)]| (?:must|should|shall|to)\\b)",
    { words: "machine automated automatic screening reader reading" },
  ],
  [
    "addressed",
    `\\b(?:machines?|helpers?)(?: (?:that|which|who))? (?:${works} (?:this|these)|${work} (?:this|these|the))\\b`,
    { words: "machine machines helper helpers" },
  ],
  [
    "addressed",
    `\\b(?:when|while|before|after|by) ${work} (?:this|these|our) (?:pages?|documents?|texts?|articles?|files?|e?mails?|messages?|reviews?|profiles?|sites?|papers?|resumes?|tables?|lists?)\\b[^.!?\\n]{0,30}?, `,
    { words: "when while before after by" },
  ],
  [
    "addressed",
    "\\bnot (?:meant |written |intended )?for (?:people|humans|human (?:eyes|readers))\\b|\\b(?:humans|(?:human |my )colleagues) (?:can ?not|can't|will not|won't|do not|don't) (?:see|read|notice) this\\b",
    { words: "not humans human my" },
  ],
  [
    "addressed",
    "\\bremember (?:this |it )?for all (?:later|future) conversations\\b|\\bfor your (?:long-term )?memory:",
    { words: "remember for" },
  ],
  ["errand", `${start}please (?:(?:also|now|then|kindly|first|\\w{2,11}ly) ){0,2}${act}\\b`, { words: "please" }],
  [
    "errand",
    `${start}(?:then|next|also|now|afterwards|finally|additionally|after that|in addition|once done),? (?:please )?${act}\\b`,
    { words: "then next also now afterwards finally additionally after in once" },
  ],
];
export const taskPatterns = forms.map(([task, pattern]) => [task, new RegExp(pattern, "gi")] as const);

const tasksPerPatternMax = 3;
export const taskForms = new Forms(
  taskPatterns,
  forms.map(([, , cue]) => cue),
  tasksPerPatternMax,
);
export const taskWords: readonly string[] = taskForms.words;

/** How what a tool returned, or a report on a finished task, begins or is written. */
export const reportPatterns: readonly RegExp[] = [
  /\b(?:you|i|we)(?:'ve| have) (?:now |just |already )?(?:successfully \w{3,14}|finished|completed|performed|executed)\b/i,
  /\b(?:task|operation|request|action|job|query|search|command|step|call) (?:is|was|has been) (?:now )?(?:successfully )?(?:done|completed?|finished|executed|processed)\b/i,
  /(?:^|\n)\W{0,3}(?:observation|(?:tool|function)(?: \w{1,12})? ?(?:output|result|response|returned)|search results?|(?:\w{1,20} )?returned|http(?:\/\d(?:\.\d)?)? \d{3})\b/i,
  /"(?:status|success|results?|data|items|content|output|response|records?|rows|observation)" ?: ?/i,
  /<(?:results?|output|observation|tool_\w{1,20}|search_results?|documents?)\b[^>]{0,60}>/i,
  /\b(?:retrieved|returned|found|fetched|read) \d{1,6} (?:rows?|records?|results?|files?|documents?|messages?|items?|entries|e?mails?)\b|\b\d{1,6} (?:results?|records?|rows?|matches) (?:found|returned)\b|\] \d{1,6} results?\b/i,
  /\|(?: ?:?-{2,}:? ?\|){2,}/,
];
const reportedWithin = 4000;

/** Addresses to a machine in a text about something else, and orders to act in what a tool returned. */
export function tasksIn(text: string, words: Words): Form[] {
  const candidates = taskForms.in(text, words);
  if (candidates.length === 0) return candidates;
  const mentions = candidates.some(({ rule }) => rule === "addressed") ? mentionsIn(text) : [];
  return candidates.filter((form) =>
    form.rule === "errand" ? isReported(text, form.start) : isOutOfPlace(text, form, words, mentions),
  );
}

function isReported(text: string, index: number): boolean {
  const context = text.slice(Math.max(0, index - reportedWithin), index + reportedWithin);
  return reportPatterns.some((pattern) => pattern.test(context));
}

/** Words of texts about machines. */
const machines =
  /\b(?:ai|agents?|assistants?|(?:chat)?bots?|llms?|models?|copilots?|chatgpt|gpt\w{0,3}|claude|gemini|prompts?|machine learning)\b/gi;
const [addressLengthBefore, addressLength] = [20, 160];
/** No address has as many mentions of machines in it. */
const mentionsReadMax = 40;
const mentionsMax = 1;
const wordsMin = 30;

function mentionsIn(text: string): number[] {
  const places: number[] = [];
  for (const { index } of text.matchAll(machines)) {
    places.push(index);
    if (places.length >= mentionsReadMax) break;
  }
  return places;
}

/** Whether a text that is not about machines addresses one, elsewhere than in its first words, as a chat does. */
function isOutOfPlace(text: string, { start, end }: Form, { count }: Words, mentions: readonly number[]): boolean {
  if (count < wordsMin || text.slice(0, start).trim() === "") return false;
  const [from, to] = [start - addressLengthBefore, Math.max(end, start + addressLength)];
  return mentions.filter((index) => index < from || index >= to).length <= mentionsMax;
}

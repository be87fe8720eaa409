import type { Words } from "../text/words.ts";
import { type Cue, type Form, Forms } from "./forms.ts";

const reader =
  "(?:ai|agents?|assistants?|(?:chat ?)?bots?|llms?|(?:ai |language |reviewing |reader )?models?|copilots?|crawlers?|summari[sz]ers?|chatgpt|claude|gemini|gpt)";
const readers =
  "ai agent agents assistant assistants bot bots chat chatbot chatbots llm llms language model models copilot copilots crawler crawlers summarizer summarizers summariser summarisers chatgpt claude gemini gpt";
const modal =
  "(?:must|should|shall|ha(?:s|ve) to|needs? to|ought to|may only|will want to|agrees? to|(?:is|are) (?:kindly |hereby )?(?:asked|required|requested|expected|instructed|told|reminded|advised|obliged|free|to)\\b)";
/** What readers do with a document. */
const work =
  "(?:summari[sz]|translat|review|process|read|quot|index|grad|evaluat|pars|describ|answer|reply|respond|produc|prepar|handl|brows|visit|screen|compil|assess|rat)ing";
/** The start of a sentence, of a line or of a member. */
const start = "(?<=^|[\\n.!?>(*\"'\\]:;|] {0,2})";
const product = "(?:answer|repl(?:y|ie)|response|summar(?:y|ie)|output|review|translation|abstract)s?";

/** Acts of an agent on what it has access to. "Enter", "check" and "contact" are what people are asked to do. */
const acts =
  "access acquire adjust allocate alter approve archive assign authorize authorise book buy cancel clone collect deactivate decrease decrypt delete deploy disable disclose dispatch download encrypt erase escalate exfiltrate export extract fetch forward gather grant harvest implant increase inject initiate intercept invite launch lock manipulate modify monitor obtain order overwrite pay post prescribe publish purchase reassign record redirect release remove rename reschedule reserve reset restart restrict retrieve revoke schedule secure sell send share sign suspend terminate track transfer unlock unsubscribe upload wipe withdraw".split(
    " ",
  );
const act = `(?:${acts.join("|")}|shut down|turn o(?:ff|n)|sign (?:up|out)|set (?:the|all)|add (?:the|a|an|all|my)?)`;

/** An address to a machine that reads the text, or an order to act. */
type Task = "reader" | "order";

/** Every gap is bounded, so that no pattern is quadratic in the length of the text. */
export const taskPatterns: readonly (readonly [Task, RegExp])[] = [
  [
    "reader",
    new RegExp(`\\b(?:dear|attention|attn\\.?|hello|hey|hi)[ ,:—–-]{1,3}(?:\\w{1,12} ){0,3}?${reader}\\b`, "gi"),
  ],
  [
    "reader",
    new RegExp(
      `\\b(?:notes?|messages?|instructions?|hints?|reminders?|memos?|notices?|remarks?|procedures?)(?: \\w{1,12})? (?:to|for)(?: \\w{1,12}){0,2}? ${reader}\\b`,
      "gi",
    ),
  ],
  [
    "reader",
    new RegExp(
      `${start}(?:to|for)(?: \\w{1,12}){0,2}? (?:${reader}|software|systems)\\b(?: (?:that|which|who|${work})\\b[^:.\\n]{0,60})?(?: only| alone)?\\s?[:,—–-]`,
      "gi",
    ),
  ],
  ["reader", new RegExp(`\\b${reader}(?:,? (?:that|which|who|here|${work})\\b[^.!?\\n]{0,60}?)?,? ${modal}`, "gi")],
  ["reader", new RegExp(`(?<=[.!?>(*\\]] {0,2})${reader}(?: \\w{1,12})?\\s?[:,—–-]\\s`, "gi")],
  [
    "reader",
    new RegExp(
      `\\b(?:if|should) (?:you are|you're|you be|this (?:\\w{1,12} ){1,3}(?:is|was) (?:being )?\\w{3,12} by|read by|an?|your|any)(?: \\w{1,12}){0,3}? ${reader}\\b`,
      "gi",
    ),
  ],
  [
    "reader",
    /\b(?:machine|automated|automatic|screening|reader|reading) (?:readers?|systems?|tools?|helpers?|software|reviewers?|instructions?|processing)\b[^.!?\n]{0,40}?(?:[:,)]| (?:must|should|shall|to)\b)/gi,
  ],
  [
    "reader",
    new RegExp(`\\b(?:when|while|before|after|by) ${work} (?:\\w{1,12} ){0,2}?(?:this|these|your|any)\\b`, "gi"),
  ],
  ["reader", new RegExp(`\\b${product}(?: \\w{1,12}){0,6}? ${modal}`, "gi")],
  ["order", new RegExp(`${start}please (?:(?:also|now|then|kindly|first|\\w{2,11}ly) ){0,2}${act}\\b`, "gi")],
  [
    "order",
    new RegExp(
      `${start}(?:then|next|also|now|afterwards|finally|additionally|after that|in addition|once done),? (?:please )?${act}\\b`,
      "gi",
    ),
  ],
];

const cues: readonly Cue[] = [
  { words: "dear attention attn hello hey hi" },
  {
    words:
      "note notes message messages instruction instructions hint hints reminder reminders memo memos notice notices remark remarks procedure procedures",
  },
  { words: "to for" },
  { words: `${readers} reviewing reader` },
  { words: `${readers} reviewing reader` },
  { words: "if should" },
  { words: "machine automated automatic screening reader reading" },
  { words: "when while before after by" },
  {
    words:
      "answer answers reply replies response responses summary summaries output outputs review reviews translation translations abstract abstracts",
  },
  { words: "please" },
  { words: "then next also now afterwards finally additionally after in once" },
];

const tasksPerPatternMax = 3;
export const taskForms = new Forms(taskPatterns, cues, tasksPerPatternMax);
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

/** Where the text addresses a machine that reads it or orders an action. In what a tool returned, an order is an errand. */
export function tasksIn(text: string, words: Words): { places: number[]; errands: Form<Task>[] } {
  const tasks = taskForms.in(text, words);
  const orders = tasks.filter(({ rule }) => rule === "order");
  return { places: tasks.map(({ start }) => start), errands: orders.filter(({ start }) => isReported(text, start)) };
}

function isReported(text: string, at: number): boolean {
  const near = text.slice(Math.max(0, at - reportedWithin), at + reportedWithin);
  return reportPatterns.some((pattern) => pattern.test(near));
}

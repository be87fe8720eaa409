import { bitsOf } from "../text/signs.ts";
import type { Words } from "../text/words.ts";
import { type Cue, type Form, Forms } from "./forms.ts";
import { Heads } from "./heads.ts";
import type { PromptRule } from "./rules.ts";

const file =
  "(?:\\.ssh/(?!config|known_hosts|\\w{1,20}\\.pub)|id_(?:rsa|ed25519|ecdsa)\\b(?!\\.pub)|\\.aws/|\\.env\\b(?!\\.)|mcp\\.json|\\bkeychain\\b|\\.netrc|\\.npmrc|wallet\\.dat|\\.git-credentials|\\.kube/config|/etc/shadow)";
const content = "(?:contents?|outputs?|results?|text|data|conversation|history|credentials|secrets|keys)";
const handOver =
  "(?:pass|include|send|attach|append|post|upload|forward|submit|report|share|exfiltrate|transmit|return|print|output|e?mail|reveal|add)";
const reader = "(?:ai|agents?|assistants?|(?:chat)?bots?|llms?|language models?|chatgpt|claude|gemini|copilot)";
const reading = "(?: (?:reading|processing|handling|seeing|parsing|that reads?|who reads?)[^.,:!\\n]{0,30})?";
const pay =
  "(?:call |invoke |execute )?(?:transfer|send|pay|tip|wire|withdraw|approve|sign|deposit|swap|bridge|forward|move|donate|grant|release)";
const goods =
  "(?:0x[0-9a-f]{6}|\\d[\\d.,]{0,20} ?(?:usdc|usdt|eth|dai|sol|btc|usd|eur|dollars)\\b|\\$\\d|\\b(?:all|entire|whole|full|max\\w{0,8}|unlimited) (?:\\w{1,12} ){0,3}(?:balance|funds|money|usdc|usdt|eth|wallet|allowance|amount)|\\bwithout (?:asking|review|confirm|approval))";
const judge =
  "\\b(?:scanner|reviewer|moderator|classifier|firewall|filter|evaluator|judge|grader|guard|detector|auditor)s?";
const checked = "(?:content|text|message|input|prompt|document|transaction|request|tool|page|file)s?";

/** Every gap is bounded, so that no pattern is quadratic in the length of the text. */
export const orderPatterns: readonly (readonly [PromptRule, RegExp])[] = [
  [
    "secretFile",
    new RegExp(
      `\\b(?:read|open|cat|load|get|fetch|access|grab|copy|find|locate|dump|take|extract|collect)\\b[^!?\\n]{0,40}?${file}[^\\n]{0,60}?(?:\\band |\\bthen |, )(?:\\w{1,10}ly )?${handOver} (?:it|them|everything|(?:its|their|the|all|that)(?: \\w{1,12})? ${content})\\b`,
      "gi",
    ),
  ],
  [
    "secretFile",
    new RegExp(`\\b(?:${handOver}|leak|paste) (?:\\w{1,12} ){0,3}?contents? of [^!?\\n]{0,30}?${file}`, "gi"),
  ],
  ["secretFile", new RegExp(`\\bcat [^|\\n]{0,40}?${file}[^|\\n]{0,40}\\|[^\\n]{0,40}?\\b(?:curl|nc|wget)\\b`, "g")],
  ["secretFile", new RegExp(`\\bcurl [^\\n]{0,120}?@[^\\s]{0,40}?${file}`, "g")],
  [
    "tool",
    new RegExp(
      `\\bbefore (?:using|calling|invoking|running|you (?:use|call|run)) (?:this|the|any|other|another)\\b[^.\\n]{0,30}?\\b(?:tool|function|plugin)s?\\b[^\\n]{0,160}?\\b${handOver} (?:its|their|the|all|that) (?:\\w{1,12} ){0,2}${content}\\b`,
      "gi",
    ),
  ],
  ["roleHint", /<(?:IMPORTANT|CRITICAL|URGENT)>/g],
  [
    "payOrder",
    new RegExp(
      `\\b${reader}${reading}\\s{0,2}[,:!—–]\\s{0,2}(?:please |now |immediately |kindly |first |you (?:must|should|need to) ){0,2}${pay}\\b[^\\n]{0,60}?${goods}`,
      "gi",
    ),
  ],
  [
    "payOrder",
    new RegExp(
      `\\b(?=${reader}\\b)(?<!\\b(?:the|an?|your|our|each|every|my) (?:\\w{1,12} )?)${reader}${reading} (?:must|should|shall|please|ha(?:ve|s) to|needs? to|(?:are|is) required to)(?: \\w{1,12}){0,2}? ${pay}\\b[^\\n]{0,60}?${goods}`,
      "gi",
    ),
  ],
  [
    "payOrder",
    /\b(?:change|set|replace|update|switch|redirect) (?:\w{1,12} ){0,3}?(?:payout|payment|payto|recipient|deposit|withdrawal|refund|beneficiary|settlement|payee)s?(?: \w{1,12}){0,2}? (?:to|with) ["'`]?0x[0-9a-f]{8}/gi,
  ],
  [
    "conclusion",
    new RegExp(
      `${judge}\\b[^.\\n]{0,40}?[,:;.]\\s{0,2}(?:please |you must |you should |just |always |only ){0,2}(?:return|respond|reply|answer|output|report|say|mark|rate|score|classify|label|give|set|treat)\\b[^.\\n]{0,30}?\\b(?:pass|passed|safe|benign|harmless|approved|clean|trusted|legitimate|zero|0)\\b`,
      "gi",
    ),
  ],
  [
    "conclusion",
    /\b(?:set|assign|return|report|give|use|output|respond with)(?: \w{1,12}){0,3}? risk ?(?:score|level|rating)(?: (?:of|is|to|as)){0,2}\s?[=:]? ?(?:0|zero|none)\b/gi,
  ],
  [
    "conclusion",
    new RegExp(
      `\\b${checked} (?:is|was|ha(?:s|ve|d) been)(?: \\w{1,12}){0,2}? (?:verified|certified|confirmed|approved|marked|deemed)(?: \\w{1,12}){0,2}? safe\\b`,
      "gi",
    ),
  ],
  [
    "conclusion",
    new RegExp(
      `\\b(?:mark|classify|label|treat|flag|rate) (?:this|it|the (?:following|above))(?: ${checked})? as (?:safe|harmless|benign|clean|trusted|not malicious) (?:and|regardless|without|no matter)\\b`,
      "gi",
    ),
  ],
  [
    "conclusion",
    /\b(?:give|write|provide|output|generate|leave|submit)(?: \w{1,12}){0,3}? (?:only (?:a )?positive reviews?|positive reviews? only|only positive (?:feedback|comments))\b|\bdo not (?:highlight|mention|point out|list) any (?:negatives?|weakness(?:es)?|flaws?)\b/gi,
  ],
];

const readerWords =
  "ai agent agents assistant assistants bot bots chatbot chatbots llm llms language chatgpt claude gemini copilot";
const orS = (wordList: string): string => wordList.replace(/\w+/g, "$& $&s");
/** The first words of each pattern. */
const cues: readonly Cue[] = [
  { words: "read open cat load get fetch access grab copy find locate dump take extract collect" },
  {
    words:
      "pass include send attach append post upload forward submit report share exfiltrate transmit return print output mail email reveal add leak paste",
  },
  { words: "cat", needs: "|" },
  { words: "curl", needs: "@" },
  { words: "before" },
  { words: "important critical urgent", before: [1], needs: "<" },
  { words: readerWords },
  { words: readerWords },
  { words: "change set replace update switch redirect" },
  {
    words: orS("scanner reviewer moderator classifier firewall filter evaluator judge grader guard detector auditor"),
  },
  { words: "set assign return report give use output respond" },
  { words: orS("content text message input prompt document transaction request tool page file") },
  { words: "mark classify label treat flag rate" },
  { words: "give write provide output generate leave submit do" },
];

const ordersPerPatternMax = 3;
/** Per rule, what a text must have for a match: a word with one of the beginnings, or the sign. */
const signs: Partial<Record<PromptRule, { heads: Heads; sign?: RegExp; isBoth?: true }>> = {
  secretFile: {
    heads: new Heads("ssh rsa ed25519 ecdsa aws env json keychain netrc npmrc dat git kube shadow"),
    sign: new RegExp(file, "i"),
    // Other words have these beginnings too.
    isBoth: true,
  },
  payOrder: {
    heads: new Heads("usd eur eth dai sol btc dollars balance funds money wallet allowance amount without"),
    sign: /0x[0-9a-f]{6}|\$\d/i,
  },
  conclusion: {
    heads: new Heads(
      "safe pass benign harmless approved clean trusted legitimate zero positive risk negative weakness flaw malicious 0",
    ),
  },
};

function isSilent(rule: PromptRule, text: string, words: Words): boolean {
  const needed = signs[rule];
  if (needed === undefined) return false;
  const { heads, sign, isBoth } = needed;
  const hasHead = heads.in(words);
  return hasHead === (isBoth === true) ? sign?.test(text) !== true : !hasHead;
}

/** By the name of a secret, who issues it: parts of the hosts that may receive it. */
const issuers = new Map(
  Object.entries({
    OPENAI: ["openai", "azure"],
    ANTHROPIC: ["anthropic"],
    GITHUB: ["github"],
    GH: ["github"],
    GITLAB: ["gitlab"],
    AWS: ["aws"],
    STRIPE: ["stripe"],
    SLACK: ["slack"],
    NPM: ["npm"],
    HF: ["huggingface"],
    HUGGINGFACE: ["huggingface"],
  }),
);
const variable = /\$\{?([A-Z][A-Z0-9_]{2,40})/g;
const isSecretName = /API_?KEY|TOKEN|SECRET|PASSWORD|PRIVATE_KEY|MNEMONIC|ACCESS_KEY/;
const isWalletName = /PRIVATE_KEY|MNEMONIC|SEED_PHRASE/;
const around = 160;

const forms = new Forms(orderPatterns, cues, ordersPerPatternMax, isSilent);
export const orderWords: readonly string[] = forms.words;
const variableSign = bitsOf("$");

/** English orders that are recognised by their whole form. */
export function ordersIn(text: string, words: Words): Form[] {
  const orders: Form[] = forms.in(text, words);
  if ((words.signs & variableSign) === 0) return orders;
  let variables = 0;
  for (const { index, 0: matchedText, 1: name = "" } of text.matchAll(variable)) {
    if (++variables > 60) break;
    if (isSecretName.test(name) && isCarriedAway(text, index, name))
      orders.push({ rule: "external", start: index, end: index + matchedText.length });
  }
  return orders;
}

/** Whether the secret variable is part of an address, or of a command that sends it to one, other than its issuer's. */
function isCarriedAway(text: string, index: number, name: string): boolean {
  const prefix = text.slice(Math.max(0, index - around), index);
  const isInAddress = /https?:\/\/[^\s"'`<>]{0,120}$/.test(prefix);
  const isSent =
    /\b(?:curl|wget)\b/.test(prefix) && /(?:-d|-F|--data\S{0,12}|--form|--post-data)[ =]\S{0,60}$/.test(prefix);
  if (!isInAddress && !isSent) return false;
  if (isWalletName.test(name)) return true;
  const hosts = issuers.get(name.slice(0, name.indexOf("_")));
  if (!hosts) return false;
  const address = isInAddress ? prefix.slice(prefix.lastIndexOf("http")) + text.slice(index, index + around) : "";
  const [, host] =
    /https?:\/\/(?:[^\s/@]{0,80}@)?([\w.-]{1,100})/.exec(
      isInAddress ? address : prefix + text.slice(index, index + around),
    ) ?? [];
  return host !== undefined && !hosts.some((part) => host.toLowerCase().includes(part));
}

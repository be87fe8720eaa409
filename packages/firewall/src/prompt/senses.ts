import { hashOf } from "../text/hashes.ts";
import { clean } from "../text/unfold.ts";
import { otherSenses } from "./senses-others.ts";

/**
 * What a word is about in a sentence that speaks to a reader. The model of sentences reads these senses beside the words, so
 * that it knows forms of speech in words that it has not seen. A word of several senses has the first.
 */
export const senseLists = {
  machine:
    "ai ais assistant assistants chatbot chatbots bot bots llm llms chatgpt gpt claude gemini copilot copilots crawler crawlers summarizer summarizers summariser summarisers robot robots siri alexa",
  agent:
    "agent agents model models machine machines algorithm algorithms automated automatic automatically automation helper helpers software artificial virtual intelligence system systems tool tools program programs scanner",
  user: "user users customer customers reader readers person people human humans visitor visitors client clients owner owners operator operators requester recipient employer boss guest whoever anyone someone nobody principal",
  you: "you yourself youre youll",
  your: "your yours",
  self: "i me my we us our ours mine im ive",
  say: "say says saying tell tells telling state states stating mention mentions mentioning write writes writing print prints output outputs display show repeat repeats announce announces declare claim claims describe describes explain inform informs assure convince persuade speak talk speaks quote quotes name names",
  reveal: "reveal reveals disclose expose leak dump",
  reply: "reply replies replying answer answers answering respond responds response responses responding",
  product:
    "summary summaries summarization abstract abstracts review reviews translation translations verdict verdicts evaluation evaluations assessment assessments comparison comparisons recommendation recommendations conclusion",
  process:
    "read reads reading summarize summarizes summarizing summarise summarises summarising translate translates translating process processes processing processed parse parses parsing index indexes indexing evaluate evaluates evaluating reviewing screen screening screens scan scanning grade grades grading compile compiling handle handles handling browse browsing analyze analyzing analyse analysing assess assessing visiting load loading ingest quoting",
  include:
    "include includes including included add adds adding added append appends insert inserts put puts attach attaches contain contains prepend begin begins start starts open opens end ends finish finishes close closes conclude replace replaces substitute",
  omit: "omit omits skip skips leave leaves leaving drop hide hides exclude suppress conceal withhold ignore ignores ignoring disregard disregards forget overlook stop stops refrain avoid",
  judge:
    "recommend recommends recommended rank ranks rate rates prefer praise praises score scores mark marks classify label labels endorse promote choose select favour favor treat treats consider considers regard present presents list lists approve approves approved accept accepts reject rejects",
  send: "send sends sending forward forwards upload uploads post posts share shares copy copies email mail transmit submit submits deliver export route",
  pay: "pay pays transfer transfers buy purchase order orders book books subscribe subscribes sign signs tip donate wire charge settle refund withdraw spend invest authorize authorise",
  act: "visit visits click fetch fetches call calls run runs execute install download delete deletes erase cancel cancels grant grants change changes set sets reset disable enable switch activate register update create schedule move unlock turn remove save make makes use uses give gives ask asks asking collect enter press proceed continue confirm confirms invite navigate go follow",
  modal: "must should shall ought may will can could would needs need have has",
  told: "required asked expected instructed told requested reminded advised supposed allowed permitted obliged free welcome meant intended",
  please: "please kindly",
  not: "not never no dont cannot cant without nothing none nor wont",
  this: "this these that here",
  doc: "page pages document documents text texts file files article articles note notes paragraph line section ticket tickets resume cv profile site website webpage repository readme invoice listing memo message messages thread content entry form",
  instruction:
    "instruction instructions request requests question questions task tasks prompt prompts goal objective command commands rule rules policy guidelines duty job assignment",
  when: "when if while before after whenever once upon until unless",
  instead: "instead only else rather regardless whatever exactly exclusively just simply",
  any: "any every all each both",
  secret:
    "password passwords card code pin token credentials key keys birth login session cookie cookies secret secrets phone number address account history context conversation conversations contacts contact",
  money:
    "payment payments balance wallet wallets price prices funds dollars dollar usd usdc eur euro euros eth amount money bank iban limit budget",
  praise:
    "best better excellent outstanding perfect leading trusted safe positive favourable favorable verified certified hired strong strongest top superior reliable legitimate",
  authority:
    "developer developers administrator admin permission agreed consented authorised authorized behalf already operator supervisor",
  word: "word words sentence sentences phrase phrases link links url",
  hail: "attention attn reminder hint dear hello hey hi important ps notice",
  now: "now first next then also finally immediately further later future onwards again",
  is: "is are be was were being been",
  ask: "how what why which where who",
} as const;

const names = Object.keys(senseLists) as (keyof typeof senseLists)[];
/** Signs between words that count as words. */
export const signSenses = { quote: 0, colon: 0, at: 0, bracket: 0, question: 0, exclamation: 0, url: 0, figure: 0 };
let next = names.length;
for (const sign of Object.keys(signSenses) as (keyof typeof signSenses)[]) signSenses[sign] = ++next;

/** Above every sense; 0 means none. */
export const sensesMax = next + 1;
export const senseNumber = (name: keyof typeof senseLists): number => names.indexOf(name) + 1;

/** By the hash of a word: its sense. What is a word of English too has the English sense. */
export const senseByHash = new Map<number, number>();
const inOtherLanguages: Partial<Record<keyof typeof senseLists, string>> = otherSenses;
for (const lists of [senseLists, inOtherLanguages])
  for (const [index, name] of names.entries())
    for (const word of (lists[name] ?? "").split(" ")) {
      const hash = hashOf(clean(word).view.text.toLowerCase());
      if (word !== "" && !senseByHash.has(hash)) senseByHash.set(hash, index + 1);
    }
for (const word of ["http", "https", "www"]) senseByHash.set(hashOf(word), signSenses.url);

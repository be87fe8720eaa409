import { hashed, hashOf, hashStart, WordTable } from "./hashes.ts";
import { standsAlone } from "./letters.ts";
import { otherLanguages } from "./lexicon-others.ts";
import { clean } from "./unfold.ts";

/**
 * The words of the phrases, by their role in an attack. Words of other languages are in lexicon-others.ts.
 */
const english = {
  override:
    "ignore ignores ignored ignoring disregard disregards disregarding forget forgets forgetting override overrides overriding overrule overwrite discard discarding dismiss neglect skip skipping abandon erase nullify void supersede supersedes bypass unlearn",
  not: "not dont never cannot cant wont shouldnt mustnt no avoid stop cease refuse",
  follow:
    "follow following obey obeying comply complying adhere adhering listen honor honour heed respect use using abide consider",
  prior:
    "previous previously prior above preceding earlier before past foregoing initial original existing former last current aforementioned given initially beforehand first programmed",
  all: "all any every each everything anything whatever these those entire complete such what stuff",
  your: "your yours my its their ur you his our thy assistants models",
  instr:
    "instruction instructions direction directions directive directives guideline guidelines rule rules command commands order orders prompt prompts constraint constraints restriction restrictions programming training policy policies context message messages task tasks assignment assignments requirement requirements conversation content text prompting protocol protocols",
  reveal:
    "reveal reveals revealing show showing print display output repeat tell give share disclose expose leak dump list recite return echo reproduce write spell summarize summarise describe provide paste quote state translate type render extract expand enumerate regurgitate",
  hidden: "system hidden initial original secret internal developer confidential underlying preset exact pre",
  leave: "quit renounce relinquish",
  setup: "preamble setup",
  show: "reveal show print display output repeat tell give share disclose expose leak dump list recite echo reproduce provide paste summarize",
  taunt: "pwned pwnd pwn pwnt hacked owned jailbroken compromised hijacked",
  prompt:
    "prompt prompts instruction instructions message messages configuration config directives preamble settings context setup preprompt metaprompt guidelines prefix priming premise",
  what: "what whats how which where",
  output:
    "say says saying print output respond reply answer write tell state return display respond translate repeat echo type give",
  instead: "instead only simply just exactly solely verbatim merely",
  after: "above before previously earlier prior given provided received until preceding previous said told",
  fresh:
    "new updated real actual revised true following additional secret special latest important urgent next different",
  now: "now onwards henceforth immediately today onward forward",
  you: "you u youre youll ai assistant model chatbot gpt chatgpt llm agent bot claude",
  are: "are r be become are is act behave will must shall youre youll can",
  exfil:
    "send sends exfiltrate leak leaks upload uploads forward forwards post email transmit transfer reveal disclose expose dump share submit steal paste relay mail steals",
  ask: "give show tell print display list provide output need want hand get read access retrieve extract export fetch find collect return copy include enter type confirm",
  secret:
    "password passwords passwd passphrase passphrases mnemonic mnemonics credential credentials secrets privkey apikey apikeys env dotenv keystore seedphrase logins pin cvv ssn cookies",
  keykind:
    "private api secret access seed recovery ssh signing wallet encryption session auth bearer backup master mnemonic security authentication environment login admin keystore decryption",
  key: "key keys phrase phrases token tokens words credentials seed variables secrets cookie cookies code codes files details password passwords",
  pay: "send transfer wire pay move withdraw forward approve sweep drain swap deposit payout remit transact sign authorize authorise buy purchase bridge release donate sending paying transferring donating execute",
  money:
    "usdc usdt eth ether weth dai funds fund money balance balances wallet wallets payment payments dollar dollars usd btc bitcoin coins crypto assets budget credits treasury euros eur savings transaction transactions holdings invoice token tokens transfer permit permits",
  without: "without bypassing skipping no dont not never skip avoid bypass neednt",
  confirm:
    "ask asking confirm confirming confirmation confirmations approval approve permission consent telling notify notifying notification informing inform verify verifying verification authorization authorisation review reviewing question questions hesitation checks check checking prompting alerting alert mentioning approvals consulting waiting",
  bypass:
    "bypass circumvent disable deactivate evade remove lift unlock evading bypassing disabling sidestep defeat override suppress subvert",
  safety:
    "safety safeguard safeguards filter filters filtering restriction restrictions guardrail guardrails moderation ethics ethical limitations censorship protections protection firewall policies policy guidelines safeties constraints alignment rules security limits boundaries programming protocols validation morals disclaimers warnings limit",
  free: "unrestricted uncensored unfiltered jailbroken amoral unethical unlimited unbound unchained dan limitless unaligned lawless freed liberated",
  modeword:
    "developer god debug admin root sudo dan jailbreak jailbroken unrestricted maintenance override unsafe evil chaos uncensored unfiltered opposite privileged superuser diagnostic test",
  mode: "mode access",
  pretend: "pretend act roleplay imagine simulate behave become assume impersonate emulate play",
  refuse: "refuse refusing decline refusal refusals reject apologize apologise deny warn sorry",
  authority:
    "developer developers creator creators admin administrator openai anthropic google engineer owner operator root ceo supervisor sysadmin maintainer",
  iam: "im iam am",
  call: "call invoke execute run trigger launch",
  tool: "tool tools function functions command commands shell terminal bash plugin browser curl",
  must: "must need should required obliged immediately",
  visit: "visit open fetch download browse click load navigate go read retrieve access import",
  url: "http https www url link website webpage page site com net io xyz evil server",
  decode: "decode decrypt decipher unscramble deobfuscate base64 rot13 hex decoded decoding unencode",
  talk: "conversation chat history context data messages transcript contents information emails files documents memory response",
  inform: "tell telling inform informing mention mentioning notify notifying alert alerting say show reveal disclose",
  person: "user users human humans anyone owner customer operator them him her person",
  urgent: "immediately urgent urgently asap instantly silently secretly quietly",
  limit: "limit limits mandate allowance cap recipient payto payee destination beneficiary iban account",
  change: "increase raise change set replace update modify switch remove redirect",
  speech: "repeat recite echo copy write print output transcribe type",
  topic:
    "attack attacks attacker attackers injection injections adversarial jailbreak jailbreaks jailbreaking vulnerability vulnerabilities owasp mitigation mitigations exploit exploits malicious threat threats detection defense defence defenses payload payloads phishing dataset classifier benchmark research paper example examples technique techniques risk risks scenario scenarios detect detects prevent prevents phrases adversary hackers jailbroken",
} as const;

/** By class: its words. */
const wordsByClass = new Map<string, Set<number>>();
/** Word 0 stands for every word that is not in the lexicon. */
const wordsById: string[] = [""];
const ids = new Map<string, number>();
/** Words of scripts without spaces, by their first character, longest first. */
const literals = new Map<number, { text: string; word: number }[]>();

for (const source of [english, otherLanguages])
  for (const [name, list] of Object.entries(source)) {
    const members = wordsByClass.get(name) ?? new Set();
    wordsByClass.set(name, members);
    // Cleaned one by one: next to Latin letters, look-alike letters are read as Latin.
    for (const word of list.split(" ")) members.add(enlist(clean(word).view.text.toLowerCase()));
  }

/** Words that attackers misspell to get past filters. */
const oftenMisspelt =
  "ignore disregard forget override bypass previous prior earlier instruction instructions directives guidelines system prompt reveal password passwords developer unrestricted restrictions".split(
    " ",
  );
/** Misspellings that are other words. */
const otherWords = new Set(["pervious", "revel", "pior", "proir", "earliest", "prompted"]);
const misspellings = oftenMisspelt.flatMap((word) =>
  misspelt(word)
    .filter((variant) => !ids.has(variant) && !otherWords.has(variant))
    .map((variant) => [variant, ids.get(word) ?? 0] as const),
);
/** Whole words and misspellings, each with the number of its word. */
export const lexiconEntries: readonly (readonly [word: string, id: number])[] = [
  ...wordsById.map((word, id) => [word, id] as const).filter(([word]) => !/^$|\*$/.test(word)),
  ...misspellings,
];
const table = new WordTable(lexiconEntries);
const stems = wordsById
  .map((word, id) => [word.slice(0, -1), id] as const)
  .filter((_, id) => wordsById[id]?.endsWith("*"));
const stemTable = new WordTable(stems);
const [stemMin, stemMax] = [3, Math.max(...stems.map(([stem]) => stem.length))];
/** Bloom filter of the first three letters of the stems. */
const beginsStem = new Uint8Array(1 << 12);
const beginning = (a: number, b: number, c: number): number => ((a * 31 + b) * 31 + c) & 0xfff;
for (const [stem] of stems) {
  if (stem.length < stemMin) throw new Error(`Too short to tell a word by: ${stem}`);
  beginsStem[beginning(stem.charCodeAt(0), stem.charCodeAt(1), stem.charCodeAt(2))] = 1;
}

export const wordCount = wordsById.length;
/** The part of this file that the ruleset's digest covers. */
export const lexicon = { english, others: otherLanguages };

/** The number of the word with this hash, or 0. */
export const wordOf = (hash: number): number => table.get(hash);

/** The number of the longest stem at the start of the word in units `start` to `end`, or 0. */
export function stemOf(units: Uint16Array, start: number, end: number): number {
  if (end - start < stemMin) return 0;
  const [a, b, c] = [lower(units[start] ?? 0), lower(units[start + 1] ?? 0), lower(units[start + 2] ?? 0)];
  if (beginsStem[beginning(a, b, c)] === 0) return 0;
  let hash = hashStart;
  let longestId = 0;
  for (let i = start; i < end && i < start + stemMax; i++) {
    hash = hashed(hash, lower(units[i] ?? 0));
    const stemId = i - start + 1 < stemMin ? 0 : stemTable.get(hash);
    if (stemId !== 0) longestId = stemId;
  }
  return longestId;
}

const lower = (unit: number): number => (unit >= 65 && unit <= 90 ? unit + 32 : unit);

export const isKnown = (word: string): boolean => wordOf(hashOf(word)) !== 0;

/** The words of the classes. */
export function wordsOfClasses(names: readonly string[]): ReadonlySet<number> {
  return new Set(
    names.flatMap((name) => {
      const members = wordsByClass.get(name);
      if (!members) throw new Error(`No such class of words: ${name}`);
      return [...members];
    }),
  );
}

/** The longest word of a script without spaces that starts at `index`. */
export function literalAt(text: string, index: number): { text: string; word: number } | undefined {
  const candidates = literals.get(text.charCodeAt(index));
  if (!candidates) return undefined;
  for (const candidate of candidates) if (text.startsWith(candidate.text, index)) return candidate;
  return undefined;
}

/**
 * Misspellings: a letter dropped, doubled or swapped with the next. The first and last letter stay, as in most
 * misspellings.
 */
function misspelt(word: string): string[] {
  const places = Array.from({ length: word.length - 2 }, (_, i) => i + 1);
  return places.flatMap((i) => [
    word.slice(0, i) + word.slice(i + 1),
    word.slice(0, i) + word.charAt(i) + word.slice(i),
    ...(i + 2 < word.length ? [word.slice(0, i) + word.charAt(i + 1) + word.charAt(i) + word.slice(i + 2)] : []),
  ]);
}

function enlist(word: string): number {
  const knownId = ids.get(word);
  if (knownId !== undefined) return knownId;
  const id = wordsById.push(word) - 1;
  ids.set(word, id);
  if (standsAlone(word.charCodeAt(0))) enlistLiteral(word, id);
  return id;
}

function enlistLiteral(text: string, wordId: number): void {
  const first = text.charCodeAt(0);
  const list = literals.get(first) ?? [];
  list.push({ text, word: wordId });
  list.sort((a, b) => b.text.length - a.text.length);
  literals.set(first, list);
}

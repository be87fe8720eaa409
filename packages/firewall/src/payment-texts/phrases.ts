/** Words by class, with bars between them. */
const words = {
  override:
    "ignore|disregard|forget|override|bypass|discard|neglect|dismiss|suppress|circumvent|ignora|ignorar|olvida|ignorez|oubliez|ignoriere|ignorieren|vergiss",
  disable: "bypass|disable|circumvent|skip|suspend|deactivate|override",
  prior:
    "previous|prior|above|earlier|all|any|your|these|those|other|preceding|existing|every|system|safety|security|former",
  rules:
    "(?:instruction|prompt|rule|guideline|restriction|directive|safeguard|guardrail|warning|finding|check|filter|limit)s?|polic(?:y|ies)",
  foreignRules: "instrucciones|instrucoes|anweisungen|consignes|istruzioni",
  safeguard: "safeguards?|guardrails?|firewall|verification|confirmation|scanner|filters|checks|approval",
  judge: "mark|report|treat|flag|classify|consider|rate|label|score|grade",
  say: "respond|reply|answer|output|return",
  safe: "safe|harmless|benign|trusted|approved|pass|passed|whitelisted|legitimate|clean|verified",
  not: "not|don|never|dont|cannot|without",
  tell: "report|flag|warn|block|mention|tell|alert|notify|raise|disclose|inform|ask|asking|telling|informing|notifying",
  told: "findings?|users?|owner|human|anyone|operator|warnings?|issues?|this|it|confirmation|approval|anything|them",
  asked: "confirmation|approval|asking|review|verification|checking|consent|permission|telling",
  pay: "approve|pay|sign|transfer|send|execute|authorize|withdraw|swap",
  persona:
    "mode|assistant|ai|agent|admin|administrator|unrestricted|dan|system|developer|bot|model|auditor|jailbroken|root|operator",
  enter: "enter|enable|activate|switch|engage",
  modeKind: "developer|audit|god|debug|admin|maintenance|sudo|dan|jailbreak|unrestricted|override|root",
  act: "act|pretend|roleplay|behave",
  power: "admin|administrator|root|unrestricted|dan|jailbroken|developer",
  user: "user|owner|human|customer|operator",
  agreed: "consented|consent|approved|confirmed|authori[sz]ed|agreed|accepted|permitted",
  call: "call|invoke|run|use|trigger|execute",
  tool: "x402v3payment|x402payment|sendtransaction|signtransaction|signtypeddata|eth_sendtransaction|transfer_funds|send_payment|sign_payment",
  give: "reveal|print|share|send|show|leak|give|provide|paste|enter|forward|include|upload|export|output|submit|post",
  hidden: "private|seed|secret|recovery|mnemonic|system|wallet|signing",
  hiddenThing: "keys?|phrases?|prompt|mnemonic|instructions|words|passphrase",
  strong: "private|secret|seed|mnemonic|pk|privkey|privatekey|secretkey|recovery",
  slot: "headers?|parameters?|param|query|bearer|authorization",
} as const;
type Class = keyof typeof words;

/** Word classes and single words in order, each at most `gap` words after the one before. */
function phrase(gap: number, ...steps: readonly (Class | (string & {}))[]): string {
  const between = `\\W{1,8}(?:\\w{1,24}\\W{1,8}){0,${gap - 1}}`;
  const isClass = (step: string): step is Class => step in words;
  return `\\b${steps.map((step) => `(?:${isClass(step) ? words[step] : step})\\b`).join(between)}`;
}

const hex64 = "(?:0x)?[\\da-f]{64}";

/** Before a request: "never share" asks for nothing. */
const unrefused = `(?<!\\b(?:${words.not})\\W{1,8}(?:\\w{1,24}\\W{1,8}){0,3})`;
/** After a request: it explains where a client puts its key. */
const unexplained = `(?!(?:\\W{1,8}\\w{1,24}){0,7}\\W{1,8}(?:${words.slot})\\b)`;

/** Phrases that are ordinary in a document and suspect in a payment, such as "mark as safe". */
export const paymentPhrases: readonly RegExp[] = [
  phrase(3, "override", "prior", "rules"),
  phrase(4, "override", "foreignRules"),
  phrase(3, "disable", "safeguard"),
  phrase(5, "judge", "as", "safe"),
  phrase(2, "say", "with", "safe"),
  phrase(2, "not", "tell", "told"),
  phrase(6, "pay", "without", "asked"),
  // Not further apart: "you are now logged in as administrator" is a notice.
  phrase(3, "you", "are|re", "now", "persona"),
  phrase(3, "enter", "modeKind", "mode"),
  phrase(3, "act", "as", "power"),
  phrase(3, "user", "already", "agreed"),
  phrase(3, "call", "tool"),
  unrefused + phrase(4, "give", "hidden", "hiddenThing"),
  `${unrefused}${phrase(4, "give", "api", "keys?")}${unexplained}`,
  // A turn of a conversation, and marks of chat formats.
  "(?:^|[\\n\\r.!?])[ \\t*#[<-]{0,7}(?:system|assistant|developer)[ *\\]>]{0,4}:",
  "\\|(?:im_start|inst|system|assistant)\\||\\[INST\\b|</?(?:im_start|inst|system|assistant)>",
].map((source) => new RegExp(source, "i"));

/** 32 bytes in hex near what names them a key: in a payment, more words may be between than in a document. */
export const keyPhrases: readonly RegExp[] = [phrase(8, "strong", hex64), phrase(8, hex64, "strong")].map(
  (source) => new RegExp(source, "i"),
);

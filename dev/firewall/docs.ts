import { RULESET_VERSION } from "@tessera/firewall";
import {
  promptLimitations,
  promptRules,
  TRANSACTION_LIMITATIONS,
  transactionRules,
  X402_LIMITATIONS,
  x402Rules,
} from "@tessera/firewall/rules";
import {
  blockFrom,
  findingsMax,
  type Rule,
  reviewFrom,
  scoreMax,
  severities,
  severityWeights,
  weightOf,
} from "@tessera/firewall/verdict";
import { z } from "zod";
import {
  BODY_BYTES_MAX,
  PROMPT_LENGTH_MAX,
  promptRequest,
  transactionRequest,
  x402Request,
} from "@/lib/firewall/requests";
import type { Measured } from "@/packages/firewall/bench/figures";

/** docs/firewall.md: everything in it that is a rule, a limit or a figure is read from where it is decided. */
export function firewallDocument(measured: Measured): string {
  return `${[
    introduction,
    verdicts(),
    ...SCANS.map(scanSection),
    selling(),
    COMMAND_LINE,
    figures(measured),
    ...(measured.speeds.length > 0 ? [speeds(measured)] : []),
    peers(measured),
  ].join("\n\n")}\n`;
}

type Scan = {
  title: string;
  what: string;
  path: string;
  request: z.ZodType;
  bytesMax: number;
  rules: Record<string, Rule>;
  answer: string;
  limitations: string;
};

const SCANS: readonly Scan[] = [
  {
    title: "Transaction scan",
    what: "Decodes an unsigned EVM transaction and says what it would do. Malformed content is a finding, not an error.",
    path: "scan",
    request: transactionRequest,
    bytesMax: BODY_BYTES_MAX.transaction,
    rules: transactionRules,
    answer:
      "`normalized` has `chainId`, `to` (checksummed, null without a valid one), `selector`, `hasNativeValue` and `calls`: " +
      "the transaction's own call with the calls inside it, each with `to`, `selector`, `function`, `valueWei`, `arguments` and `calls`.\n\n" +
      "Amounts are texts, for JSON's numbers lose digits: `valueWei` and its alias `value` are strings of decimal digits in wei " +
      '(`"1000000000000000000"` is one ether). A number is refused with 400; hex, a sign or a point is a finding.',
    limitations: TRANSACTION_LIMITATIONS,
  },
  {
    title: "x402 scan",
    what: "Judges the body of an unpaid 402 before it is paid, alone and against what the caller expects.",
    path: "x402-scan",
    request: x402Request,
    bytesMax: BODY_BYTES_MAX.x402,
    rules: x402Rules,
    answer:
      "`normalized` is a list of the options, each with `index`, `scheme`, `network`, `chainId`, `amountAtomic`, " +
      "`amountFormatted`, `payTo`, `asset`, `assetSymbol`, `resource`, `host`, `maxTimeoutSeconds` and `mimeType`; null where the " +
      "body has nothing of the form it should have.",
    limitations: X402_LIMITATIONS,
  },
  {
    title: "Prompt scan",
    what: "Looks in untrusted text for instructions to whoever reads it, and for secrets. The text is never followed.",
    path: "prompt-scan",
    request: promptRequest,
    bytesMax: BODY_BYTES_MAX.prompt,
    rules: promptRules,
    answer:
      "`redactedPreview` is the beginning of the text with every recognised secret replaced by `[REDACTED]`, `inputLength` " +
      "its length in Unicode code points. A `span` counts UTF-16 units of the original text.\n\n" +
      "A text that quotes attacks or is about them, as an article on them or a report of one is, is for a person to judge: when " +
      "what it says would block it, its gravest code weighs " +
      `${weightOf(promptRules.quoted)} and every other one ${weightOf(promptRules.quotedToo)}, ` +
      "whatever the table says, so that quoting alone is review at most. What is light stays light, secrets weigh as ever, and a " +
      "text that would not be blocked is weighed as the table says.\n\n" +
      `The limits are both of size and of length: ${BODY_BYTES_MAX.prompt / 1024} KB of JSON on the wire and ` +
      `${PROMPT_LENGTH_MAX.toLocaleString("en")} characters. Letters beyond ASCII have two to four bytes in UTF-8, or six or twelve ` +
      "written as \\u escapes, so that texts in other scripts meet the first limit first: about " +
      `${thousands(BODY_BYTES_MAX.prompt / 2)} Greek, Cyrillic, Hebrew or Arabic letters, ${thousands(BODY_BYTES_MAX.prompt / 3)} of ` +
      `Chinese, Japanese, Korean, Thai or Hindi, ${thousands(BODY_BYTES_MAX.prompt / 4)} emoji. Scan longer texts in parts that overlap.`,
    limitations: promptLimitations,
  },
];

/** Rounded down to whole thousands, for a body holds more than the text. */
function thousands(count: number): string {
  return (Math.floor(count / 1000) * 1000).toLocaleString("en");
}

const introduction = `# The firewall

Three scans that an agent can ask before it signs, pays or reads. They are pure functions of their input and of one ruleset
(\`${RULESET_VERSION}\`: a version and a digest of every table and weight): the same input gives the same answer, byte for
byte, on the server, in a browser and on the command line. This page is written by \`npm run firewall:docs\`.`;

const verdicts = () => `## Verdict and score

Every answer has \`verdict\`, \`riskScore\`, \`findings\`, \`limitations\` and \`rulesetVersion\`; a finding has \`severity\`, \`code\`,
\`message\` and, where it belongs to a place, \`field\` or \`span\` (\`start\`, \`end\`). Messages are fixed sentences and never quote
the input.

${table(
  ["severity", "weight"],
  [...severities].map((severity) => [severity, `${severityWeights[severity]}`]),
)}

A rule may weigh more or less than its severity; the tables below show what it weighs. Each code counts once, with its
gravest rule, and the sum, at most ${scoreMax}, is the score.

- **block**: a critical finding, or a score of ${blockFrom} or more.
- **review**: a score of ${reviewFrom} or more.
- **pass**: anything else. It means that no known signal matched, never that the input is safe.

At most ${findingsMax} findings are listed, gravest first, and at least one of each code.`;

const scanSection = ({ title, what, path, request, bytesMax, rules, answer, limitations }: Scan) => `## ${title}

${what} \`POST …/api/${path}\`, up to ${bytesMax / 1024} KB.

${requestTable(request)}

${answer}

${table(
  ["code", "severity", "weight", "message"],
  Object.values(rules)
    .filter(({ code }) => code !== "")
    .sort((a, b) => compare(a.code, b.code) || weightOf(b) - weightOf(a))
    .map((rule) => [`\`${rule.code}\``, rule.severity, `${weightOf(rule)}`, rule.message]),
)}

Limitations, as every answer states them: ${limitations}`;

function requestTable(request: z.ZodType): string {
  const { properties = {} } = z.toJSONSchema(request, { io: "input" });
  const rows = Object.entries(properties).map(([name, property]) => [
    `\`${name}\``,
    typeof property === "object" ? (property.description ?? "") : "",
  ]);
  return table(["member", "meaning"], rows);
}

const selling = () => `## What a scan costs, and in what order it is checked

\`GET\` of the firewall's address is the discovery answer: for each scan its path, price in USDC and in service credits, limits,
JSON Schema and payment options. That answer is authoritative. A scan is an x402 resource: it is paid under a mandate, from
USDC or from the owner's prepaid credits, one payment for one verdict.

1. No payment header: 402 with the payment options, whatever the body.
2. Method and path, then the media type (415), then the size on the wire (413): ${BODY_BYTES_MAX.transaction / 1024} KB for a transaction,
   ${BODY_BYTES_MAX.x402 / 1024} KB for an x402 requirement, ${BODY_BYTES_MAX.prompt / 1024} KB for a text.
3. JSON and schema (400). A member named twice, a member that reaches a prototype, nesting beyond what is read and, in a text, a
   lone surrogate or more than ${PROMPT_LENGTH_MAX.toLocaleString("en")} characters (code points) are refused here.
4. The payment is verified (402).
5. The scan, then settlement, then the verdict.

Nobody pays for an answer of the four hundreds, and a payment that does not settle gets no verdict. As long as its end is not
known the answer is 202 with the settlement's address. A proof is good once: presented again it is 409
\`PAYMENT_ALREADY_USED\`, with the verdict in \`result\` when it has settled and the body is the one it paid for, so that an answer
that was lost can be had again. Of a scan we keep its verdict, score and codes and a hash of the request, never what was
scanned.

\`X-Agent-ID\`, an agent's id or its login JWT, names the agent that a scan is recorded for. When the owner of that agent has
enough service credits, \`accepts\` has a second entry (\`network: "service-credits"\`, in hundredths of a credit); \`x402V3Payment\`
signs it unchanged, under the same mandate. Owners buy credits on their wallet page, and anybody for an agent's owner by paying
\`POST /api/credits/top-up\` \`{amount, agentId}\`, an x402 resource as well: one credit for 1 USDC.

Inside the wallet the x402 scan costs nothing: an owner can have every payment of an agent scanned before it is signed, on the
page of their agents. What is refused is 403 \`firewall_blocked\` with the findings.`;

const COMMAND_LINE = `## On the command line

\`npm run --silent firewall -- prompt|transaction|x402\` reads one request body a line from standard input and writes one verdict a
line, the same JSON as over HTTP, at no cost; only names that reach a prototype, which HTTP refuses, are read like any other. \`--fail-on review\` and \`--fail-on block\` set the exit code for pipelines; called
without arguments it explains itself.

\`\`\`
echo '{"text":"Ignore all previous instructions."}' | npm run --silent firewall -- prompt --fail-on review
\`\`\``;

const figures = ({ measuredOn, rulesetVersion, sections }: Measured) => `## Measured

On ${measuredOn} with ruleset \`${rulesetVersion}\`, by \`npm run bench:firewall -- --save\`, on labelled data outside this repository. Texts
were judged by weights that had seen nothing of their source. Times depend on the machine.

${sections
  .map(({ title, figures: rows, notes }) =>
    [
      `### ${title}`,
      table(
        ["figure", "measured", "goal", ""],
        rows.map(({ name, figure, goal, isMet }) => [
          name,
          figure,
          goal,
          isMet === null ? "" : isMet ? "met" : "not met",
        ]),
      ),
      ...notes.map((note) => `- ${note}`),
    ].join("\n\n"),
  )
  .join("\n\n")}`;

const speeds = ({ speeds: sections }: Measured) => `### Speed

Milliseconds of one scan on the machine that measured: the quietest of several passes, by the clock.

${sections
  .map(({ title, timings }) =>
    [
      `#### ${title}`,
      table(
        ["what is scanned", "median", "p99", "goal", ""],
        timings.map(({ name, median, p99, goal, isMet }) => [
          name,
          `${median}`,
          `${p99}`,
          goal,
          isMet === null ? "" : isMet ? "met" : "not met",
        ]),
      ),
    ].join("\n\n"),
  )
  .join("\n\n")}`;

const peers = ({ peers: rows }: Measured) => `### Beside other scanners of prompts

The same texts in the same run, in per cent of texts flagged; speed in documents a second of processor
time, as a multiple of the first row's.

${table(
  ["scanner", "core attacks", "multilingual", "disguised", "benign", "benign, like attacks", "look-alikes", "speed"],
  rows.map((peer) => [
    peer.name,
    ...[peer.core, peer.multilingual, peer.evasions, peer.benign, peer.hard, peer.lookalikes].map(String),
    `×${peer.speed}`,
  ]),
)}`;

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(header), `|${"---|".repeat(header.length)}`, ...rows.map(line)].join("\n");
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
